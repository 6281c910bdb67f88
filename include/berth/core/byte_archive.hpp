// SPDX-License-Identifier: BSL-1.0
// Numbers to bytes and back: fixed width, little-endian, the same on every platform. Counting,
// writing, reading and digesting share one interface, so that one list of members serves all four.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/digest.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <class T>
inline constexpr bool is_id = false;
template <class Tag>
inline constexpr bool is_id<id<Tag>> = true;

/// Bytes of a number on the wire: those of its type, or eight.
template <class T>
[[nodiscard]] constexpr std::size_t wire_bytes() noexcept {
  if constexpr (std::is_enum_v<T>) {
    return sizeof(std::underlying_type_t<T>);
  } else if constexpr (std::same_as<T, bool>) {
    return 1;
  } else if constexpr (std::integral<T>) {
    return sizeof(T);
  } else {
    return 8;
  }
}

template <class T>
[[nodiscard]] constexpr std::uint64_t to_word(T const& value) noexcept {
  if constexpr (std::is_enum_v<T>) {
    return to_word(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::same_as<T, bool>) {
    return value ? 1 : 0;
  } else if constexpr (std::integral<T>) {
    return static_cast<std::make_unsigned_t<T>>(value);
  } else if constexpr (std::same_as<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::same_as<T, time_point>) {
    return to_word(value.time_since_epoch().count());
  } else if constexpr (is_id<T>) {
    return value.value();
  } else {
    return to_word(value.count());
  }
}

/// Words that no value has come back as another value: to_word shows it.
template <class T>
[[nodiscard]] constexpr T from_word(std::uint64_t word) noexcept {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(from_word<std::underlying_type_t<T>>(word));
  } else if constexpr (std::same_as<T, bool>) {
    return word != 0;
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(word);
  } else if constexpr (std::same_as<T, double>) {
    return std::bit_cast<double>(word);
  } else if constexpr (std::same_as<T, time_point>) {
    return time_point{duration{static_cast<std::int64_t>(word)}};
  } else if constexpr (is_id<T>) {
    return T::from_value(word);
  } else {
    return T{static_cast<std::int64_t>(word)};
  }
}

class byte_counter {
 public:
  template <class T>
  void operator()(T const&) noexcept {
    bytes_ += wire_bytes<T>();
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N> const& values) noexcept {
    for (T const& value : values) {
      (*this)(value);
    }
  }
  void raw(void const*, std::size_t bytes) noexcept { bytes_ += bytes; }
  void require(bool) noexcept {}
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// Precondition of all: there is room.
class byte_writer {
 public:
  explicit byte_writer(std::span<std::byte> into) noexcept : into_{into} {}

  template <class T>
  void operator()(T const& value) noexcept {
    std::uint64_t word = to_word(value);
    for (std::size_t i = 0; i < wire_bytes<T>(); ++i) {
      into_[at_++] = static_cast<std::byte>(word & 0xffu);
      word >>= 8;
    }
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N> const& values) noexcept {
    for (T const& value : values) {
      (*this)(value);
    }
  }
  void raw(void const* from, std::size_t bytes) noexcept {
    if (bytes > 0) {
      std::memcpy(into_.data() + at_, from, bytes);
    }
    at_ += bytes;
  }
  void require(bool) noexcept {}

 private:
  std::span<std::byte> into_;
  std::size_t at_ = 0;
};

/// One number for what a writer would write.
class byte_digester {
 public:
  template <class T>
  void operator()(T const& value) noexcept {
    digest_.add_word(to_word(value));
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N> const& values) noexcept {
    for (T const& value : values) {
      (*this)(value);
    }
  }
  void raw(void const* from, std::size_t bytes) noexcept {
    auto const* const first = static_cast<std::byte const*>(from);
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, first + at, std::min(bytes - at, sizeof word));
      digest_.add_word(word);
    }
  }
  void require(bool) noexcept {}
  [[nodiscard]] std::uint64_t value() const noexcept { return digest_.value(); }

 private:
  digest digest_;
};

/// Beyond the end it reads zeros; ok() tells.
class byte_reader {
 public:
  explicit byte_reader(std::span<std::byte const> from) noexcept : from_{from} {}

  template <class T>
  void operator()(T& value) noexcept {
    std::uint64_t word = 0;
    if (wire_bytes<T>() > from_.size() - at_) {
      ok_ = false;
    } else {
      for (std::size_t i = wire_bytes<T>(); i-- > 0;) {
        word = (word << 8) | std::to_integer<std::uint64_t>(from_[at_ + i]);
      }
      at_ += wire_bytes<T>();
    }
    value = from_word<T>(word);
    ok_ = ok_ && to_word(value) == word;
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N>& values) noexcept {
    for (T& value : values) {
      (*this)(value);
    }
  }
  void raw(void* into, std::size_t bytes) noexcept {
    if (bytes > from_.size() - at_) {
      ok_ = false;
      return;
    }
    if (bytes > 0) {
      std::memcpy(into, from_.data() + at_, bytes);
    }
    at_ += bytes;
  }
  void skip(std::size_t bytes) noexcept {
    ok_ = ok_ && bytes <= from_.size() - at_;
    at_ += bytes <= from_.size() - at_ ? bytes : 0;
  }
  /// What does not hold makes the bytes bad.
  void require(bool holds) noexcept { ok_ = ok_ && holds; }
  template <class T>
  [[nodiscard]] T read() noexcept {
    T value{};
    (*this)(value);
    return value;
  }

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] bool at_end() const noexcept { return at_ == from_.size(); }
  [[nodiscard]] std::size_t position() const noexcept { return at_; }
  /// Precondition: position <= size of the bytes.
  void seek(std::size_t position) noexcept { at_ = position; }

 private:
  std::span<std::byte const> from_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// Every step of the digest is a bijection, so that a change within one word is always found.
[[nodiscard]] inline std::uint64_t checksum(std::span<std::byte const> bytes) noexcept {
  digest d;
  d.add_word(bytes.size());
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * (i % 8));
    if (i % 8 == 7 || i + 1 == bytes.size()) {
      d.add_word(word);
      word = 0;
    }
  }
  return d.value();
}

}  // namespace detail
BERTH_NAMESPACE_END
