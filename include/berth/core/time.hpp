// SPDX-License-Identifier: BSL-1.0
// Time is a number that the host passes in: int64 milliseconds on a clock of its own. berth never
// reads a clock, so a simulator and a live host drive the same code.
#pragma once

#include <berth/core/config.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

using duration = std::chrono::duration<std::int64_t, std::milli>;

/// The host's clock: only its type matters, it has no now().
struct host_clock {
  using rep = std::int64_t;
  using period = std::milli;
  using duration = berth::duration;
  using time_point = std::chrono::time_point<host_clock, duration>;
  static constexpr bool is_steady = true;
};
using time_point = host_clock::time_point;

/// Longest duration a host may declare, about 34 years; longer means `forever`.
inline constexpr duration max_duration{std::int64_t{1} << 40};
/// Farthest instant from the clock's zero that a host may pass, about 35,000 years.
inline constexpr duration max_instant{std::int64_t{1} << 50};

/// "Unknown" or "without end", for durations and instants. Ordered after every other.
inline constexpr duration forever = duration::max();
inline constexpr time_point never = time_point::max();

/// Sum that stays at `never` instead of wrapping; `forever` after any instant is `never`.
[[nodiscard]] constexpr time_point saturating_add(time_point at, duration after) noexcept {
  if (after == forever) {
    return never;
  }
  std::int64_t sum = 0;
  if (__builtin_add_overflow(at.time_since_epoch().count(), after.count(), &sum)) {
    return after.count() > 0 ? never : time_point::min();
  }
  return time_point{duration{sum}};
}

/// Difference that stays within the range of duration instead of wrapping.
[[nodiscard]] constexpr duration saturating_sub(time_point later, time_point earlier) noexcept {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(later.time_since_epoch().count(), earlier.time_since_epoch().count(),
                             &difference)) {
    return later > earlier ? forever : duration::min();
  }
  return duration{difference};
}

BERTH_NAMESPACE_END
