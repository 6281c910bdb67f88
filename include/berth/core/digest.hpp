// SPDX-License-Identifier: BSL-1.0
// An order-sensitive 64-bit digest: equal streams of decisions give equal numbers on every
// platform.
#pragma once

#include <berth/core/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// Not a cryptographic hash: it finds accidents, not attacks.
class digest {
 public:
  constexpr void add_word(std::uint64_t word) noexcept {
    value_ ^= mix(word + 0x9e3779b97f4a7c15u * ++length_);
    value_ = ((value_ << 27) | (value_ >> 37)) * 0x3c79ac492ba7b653u + 0x1c69b3f74ac4ae35u;
  }
  template <std::integral T>
  constexpr void add(T number) noexcept {
    add_word(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
  }
  template <class T>
    requires std::is_enum_v<T>
  constexpr void add(T value) noexcept {
    add(static_cast<std::underlying_type_t<T>>(value));
  }

  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return mix(value_ + length_); }

 private:
  [[nodiscard]] static constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdu;
    z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53u;
    return z ^ (z >> 33);
  }
  std::uint64_t value_ = 0;
  std::uint64_t length_ = 0;
};

BERTH_NAMESPACE_END
