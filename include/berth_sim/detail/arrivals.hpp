// SPDX-License-Identifier: BSL-1.0
// Submission times with a daily and weekly cycle. Given how many jobs arrive in a span, the
// arrivals of a Poisson process are independent draws from its rate, so drawing them so is exact,
// needs no logarithm, and lets the span be chosen to give exactly the load that was asked for.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/workload.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

inline constexpr std::int64_t hour_in_ms = 3'600'000;

/// Relative rate of each hour of the day and day of the week, in per cent: Philly's own, rounded.
inline constexpr std::array<std::uint64_t, 24> philly_hours{127, 98,  112, 110, 70,  115, 167, 209,
                                                            111, 101, 102, 87,  75,  70,  64,  65,
                                                            88,  67,  80,  73,  102, 92,  113, 101};
inline constexpr std::array<std::uint64_t, 7> philly_days{86, 107, 114, 129, 144, 61, 59};

/// Span over which `trace` offers `load_percent` of `gpus`, at least one millisecond a job.
[[nodiscard]] inline std::int64_t span_for_load(workload const& trace, std::int64_t gpus,
                                                std::int64_t load_percent) noexcept {
  __extension__ using wide = __int128;
  wide const work = static_cast<wide>(total_work(trace).count()) * 100;
  auto const span = static_cast<std::int64_t>(work / (static_cast<wide>(gpus) * load_percent));
  return std::clamp<std::int64_t>(span, static_cast<std::int64_t>(trace.jobs.size()),
                                  max_instant.count() / 2);
}

/// Spreads the jobs over [0, span) ms, in the order they are in: evenly, or in Philly's cycle
/// starting on a Monday at midnight. The first is submitted at 0. O(n log n + hours).
inline void place_arrivals(workload& trace, random_source& random, std::int64_t span, bool cycle) {
  std::vector<std::int64_t> instants;
  instants.reserve(trace.jobs.size());
  // A span of more than 30 years has no use for a cycle, and its table would not fit.
  if (!cycle || span > max_duration.count()) {
    for (std::size_t drawn = 0; drawn < trace.jobs.size(); ++drawn) {
      instants.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(span))));
    }
  } else {
    std::vector<std::uint64_t> until;  // weight × milliseconds of all hours up to and with this one
    std::uint64_t sum = 0;
    for (std::int64_t start = 0; start < span; start += hour_in_ms) {
      auto const hour = static_cast<std::size_t>(start / hour_in_ms);
      std::uint64_t const weight = philly_hours[hour % 24] * philly_days[hour / 24 % 7];
      sum += weight * static_cast<std::uint64_t>(std::min(hour_in_ms, span - start));
      until.push_back(sum);
    }
    for (std::size_t drawn = 0; drawn < trace.jobs.size(); ++drawn) {
      std::uint64_t const at = random.below(sum);
      auto const hour = static_cast<std::size_t>(std::upper_bound(until.begin(), until.end(), at) -
                                                 until.begin());
      std::uint64_t const before = hour == 0 ? 0 : until[hour - 1];
      std::uint64_t const weight = philly_hours[hour % 24] * philly_days[hour / 24 % 7];
      instants.push_back(static_cast<std::int64_t>(hour) * hour_in_ms +
                         static_cast<std::int64_t>((at - before) / weight));
    }
  }
  std::sort(instants.begin(), instants.end());
  for (std::size_t at = 0; at < instants.size(); ++at) {
    trace.jobs[at].submit = time_point{duration{instants[at] - instants.front()}};
  }
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
