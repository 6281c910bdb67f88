// SPDX-License-Identifier: BSL-1.0
// A duration to the power of 0, 1/4, 1/2, 3/4 or 1, in integers: the same on every platform.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/detail/option_list.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Largest r with r^2 <= n.
[[nodiscard]] constexpr std::uint64_t root_of(std::uint64_t n) noexcept {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit > 0; bit >>= 1) {
    std::uint64_t const tried = root | bit;
    root = tried * tried <= n ? tried : root;
  }
  return root;
}

/// One over `remaining` to the power of `quarters` / 4, in a unit that depends on `quarters` alone;
/// between 2^20 and 2^65, relative error below 2^-14. Less than a second counts as one: a job about
/// to end is not worth everything. Precondition: quarters <= 4, remaining <= max_duration.
[[nodiscard]] constexpr int128 urgency(duration remaining, unsigned quarters) noexcept {
  auto const time =
      static_cast<std::uint64_t>(std::max(remaining, duration{std::chrono::seconds{1}}).count());
  auto const root = [&] { return root_of(time << 20); };           // · 2^10
  auto const fourth_root = [&] { return root_of(root() << 30); };  // · 2^20
  std::uint64_t power = 1;
  switch (quarters) {
    case 0: power = std::uint64_t{1} << 20; break;
    case 1: power = fourth_root(); break;
    case 2: power = root(); break;
    case 3: power = root() * fourth_root(); break;  // < 2^60: 2^30 · 2^30
    default: power = time << 10; break;
  }
  return (int128{1} << 80) / static_cast<int128>(power);
}

}  // namespace detail
BERTH_NAMESPACE_END
