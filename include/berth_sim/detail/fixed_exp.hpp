// SPDX-License-Identifier: BSL-1.0
// e^x in integers, for generators whose output must be the same on every platform: the last digit
// of std::exp is the library's own business, and a compiler may fuse a polynomial's
// multiplications.
#pragma once

#include <berth/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

__extension__ using wide_unsigned = unsigned __int128;

/// Largest r with r² ≤ n.
[[nodiscard]] constexpr std::uint64_t integer_root(wide_unsigned n) noexcept {
  std::uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    std::uint64_t const tried = root | (std::uint64_t{1} << bit);
    if (static_cast<wide_unsigned>(tried) * tried <= n) {
      root = tried;
    }
  }
  return root;
}

/// 2^(1/2), 2^(1/4), … with 62 bits behind the point.
inline constexpr std::array<std::uint64_t, 32> roots_of_two = [] {
  std::array<std::uint64_t, 32> roots{};
  std::uint64_t last = std::uint64_t{2} << 62;
  for (std::uint64_t& root : roots) {
    last = integer_root(static_cast<wide_unsigned>(last) << 62);
    root = last;
  }
  return roots;
}();

/// `scale` · 2^(exponent / 2^32), rounded down; `scale` below 2^31, exponent in [-31, 31] · 2^32.
[[nodiscard]] constexpr std::int64_t scaled_exp2(std::int64_t scale,
                                                 std::int64_t exponent) noexcept {
  std::int64_t const whole = exponent >> 32;  // towards minus infinity
  auto const fraction = static_cast<std::uint32_t>(exponent & 0xffffffff);
  std::uint64_t power = std::uint64_t{1} << 62;
  for (std::size_t bit = 0; bit < roots_of_two.size(); ++bit) {
    if ((fraction >> (31 - bit) & 1u) != 0) {
      power =
          static_cast<std::uint64_t>((static_cast<wide_unsigned>(power) * roots_of_two[bit]) >> 62);
    }
  }
  wide_unsigned const product =
      static_cast<wide_unsigned>(power) * static_cast<std::uint64_t>(scale);
  return static_cast<std::int64_t>(product >> (62 - whole));
}

/// log2(e) with 32 bits behind the point.
inline constexpr std::int64_t log2_of_e = 6196328019;

}  // namespace sim::detail

BERTH_NAMESPACE_END
