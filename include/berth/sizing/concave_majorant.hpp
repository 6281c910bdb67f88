// SPDX-License-Identifier: BSL-1.0
// The least concave function that is nowhere below a ladder: what a rule may climb step by step
// without standing still before a step that gains little and leads to one that gains much. Exact:
// only its vertices are told, which are rungs, and slopes are compared as fractions.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// A step of a ladder.
struct ladder_step {
  std::int64_t gain = 0;  ///< within ±2^41
  std::int64_t size = 1;  ///< > 0, <= 2^20

  [[nodiscard]] static constexpr ladder_step between(std::int64_t low, std::int64_t low_size,
                                                     std::int64_t high,
                                                     std::int64_t high_size) noexcept {
    return {high - low, high_size - low_size};
  }
  /// Gains less per GPU.
  [[nodiscard]] friend constexpr bool is_flatter(ladder_step a, ladder_step b) noexcept {
    return a.gain * b.size < b.gain * a.size;
  }
};

/// Numbers of the points, in the order of their sizes, that lie on their concave majorant; the
/// first and the last always do. Points on a straight edge are kept: they are smaller steps. Writes
/// to `vertices`, which has room for `count`; returns how many. O(count).
template <class SizeOf, class ValueOf>
[[nodiscard]] constexpr std::size_t upper_hull(std::uint32_t count, SizeOf size_of,
                                               ValueOf value_of, std::uint32_t* vertices) noexcept {
  auto const from = [&](std::uint32_t low, std::uint32_t high) {
    return ladder_step::between(value_of(low), size_of(low), value_of(high), size_of(high));
  };
  std::size_t kept = 0;
  for (std::uint32_t point = 0; point < count; ++point) {
    while (kept >= 2 && is_flatter(from(vertices[kept - 2], vertices[kept - 1]),
                                   from(vertices[kept - 1], point))) {
      --kept;
    }
    vertices[kept++] = point;
  }
  return kept;
}

}  // namespace detail

/// The rungs, by number, that lie on the concave majorant of the speeds, from the first rung to the
/// last; those on a straight edge included. Preconditions: check_elastic_job holds, `vertices` has
/// room for all rungs. Andrew's monotone chain (Information Processing Letters 9, 1979). O(rungs).
[[nodiscard]] constexpr std::span<std::uint32_t const> concave_majorant(
    std::span<rung const> ladder, std::span<std::uint32_t> vertices) noexcept {
  BERTH_ASSERT(vertices.size() >= ladder.size(), "room for every rung");
  auto const count = static_cast<std::uint32_t>(ladder.size());
  std::size_t const kept = detail::upper_hull(
      count, [&](std::uint32_t at) { return std::int64_t{ladder[at].size}; },
      [&](std::uint32_t at) { return ladder[at].speed; }, vertices.data());
  return vertices.first(kept);
}

BERTH_NAMESPACE_END
