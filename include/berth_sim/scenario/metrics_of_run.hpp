// SPDX-License-Identifier: BSL-1.0
// The numbers that `metrics` may claim.
#pragma once

#include <berth/core/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

/// Totals over all jobs so far.
struct run_metrics {
  std::int64_t submitted = 0;
  std::int64_t finished = 0;
  std::int64_t failed = 0;
  std::int64_t cancelled = 0;
  std::int64_t starts = 0;       ///< of gangs
  std::int64_t preemptions = 0;  ///< stop orders in favour of another job
  std::int64_t refusals = 0;     ///< launches that the host refused
  std::int64_t ticks = 0;
};

inline constexpr std::array<std::string_view, 8> metric_words{
    "submitted", "finished", "failed", "cancelled", "starts", "preemptions", "refusals", "ticks"};

[[nodiscard]] constexpr bool is_metric(std::string_view word) noexcept {
  for (std::string_view const known : metric_words) {
    if (word == known) {
      return true;
    }
  }
  return false;
}

/// Precondition: is_metric(word).
[[nodiscard]] constexpr std::int64_t metric_of(run_metrics const& run,
                                               std::string_view word) noexcept {
  std::array<std::int64_t, 8> const values{run.submitted, run.finished, run.failed,
                                           run.cancelled, run.starts,   run.preemptions,
                                           run.refusals,  run.ticks};
  for (std::size_t i = 0; i < metric_words.size(); ++i) {
    if (word == metric_words[i]) {
      return values[i];
    }
  }
  return 0;
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
