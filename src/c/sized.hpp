// SPDX-License-Identifier: BSL-1.0
// Structs that begin with their size, so that they can grow at the end: a caller of an older header
// passes fewer bytes. What it does not know keeps its default when read, and is not written.
#pragma once

#include <berth/c/berth.h>
#include <berth/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace c_api {

/// Size of the struct in the first header that had it. One that has grown names here the first
/// member that came later.
template <class T>
inline constexpr std::size_t first_size = sizeof(T);
template <>
inline constexpr std::size_t first_size<berth_config> = offsetof(berth_config, borrow_again_after);
template <>
inline constexpr std::size_t first_size<berth_job> = offsetof(berth_job, resize);
template <>
inline constexpr std::size_t first_size<berth_event> = offsetof(berth_event, change);
template <>
inline constexpr std::size_t first_size<berth_action> = offsetof(berth_action, change);

// A larger size comes of a newer header: what the caller means by its end is not known here.
template <class T>
[[nodiscard]] constexpr bool is_size_of(std::size_t size) noexcept {
  return size >= first_size<T> && size <= sizeof(T);
}

[[nodiscard]] inline std::uint32_t size_at(void const* given) noexcept {
  std::uint32_t size = 0;
  std::memcpy(&size, given, sizeof size);
  return size;
}

/// Over the defaults in `into`.
template <class T>
[[nodiscard]] berth_status read_struct(void const* given, T& into) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, size) == 0);
  if (given == nullptr) {
    return BERTH_NULL_POINTER;
  }
  std::uint32_t const size = size_at(given);
  if (!is_size_of<T>(size)) {
    return BERTH_BAD_SIZE;
  }
  std::memcpy(&into, given, size);
  return BERTH_OK;
}

/// `into` is as long as it says itself.
template <class T>
[[nodiscard]] berth_status write_struct(T answer, void* into) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, size) == 0);
  if (into == nullptr) {
    return BERTH_NULL_POINTER;
  }
  answer.size = size_at(into);
  if (!is_size_of<T>(answer.size)) {
    return BERTH_BAD_SIZE;
  }
  std::memcpy(into, &answer, answer.size);
  return BERTH_OK;
}

/// What an init function does: `size` bytes of defaults.
template <class T>
[[nodiscard]] berth_status init_struct(T defaults, void* into, std::size_t size) noexcept {
  if (into == nullptr) {
    return BERTH_NULL_POINTER;
  }
  if (!is_size_of<T>(size)) {
    return BERTH_BAD_SIZE;
  }
  defaults.size = static_cast<std::uint32_t>(size);
  std::memcpy(into, &defaults, size);
  return BERTH_OK;
}

/// The i-th of an array whose elements are `stride` bytes long for the caller.
template <class T>
[[nodiscard]] T* element(T* first, std::size_t i, std::size_t stride) noexcept {
  using byte = std::conditional_t<std::is_const_v<T>, std::byte const, std::byte>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(first) + i * stride);
}

}  // namespace c_api
BERTH_NAMESPACE_END
