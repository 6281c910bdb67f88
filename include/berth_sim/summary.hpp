// SPDX-License-Identifier: BSL-1.0
// A run in a dozen numbers. Averages are over finished jobs, rounded to the nearest millisecond;
// sums are 128-bit, so that nothing is lost on the way; only `utilisation` is a floating value.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/metrics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct summary {
  std::string scheduler;
  std::int64_t jobs = 0;
  std::int64_t finished = 0;
  duration avg_jct{};  ///< meaningless when nothing finished, as the five below
  duration p50_jct{};
  duration p99_jct{};
  duration avg_wait{};  ///< waiting = time without GPUs between submit and finish
  duration p99_wait{};
  duration makespan{};     ///< last finish − first submit
  double utilisation = 0;  ///< busy GPU-time ÷ (GPUs × makespan), in [0, 1]
  std::int64_t preemptions = 0;
  gpu_time lost;
  std::int64_t ticks = 0;
  std::int64_t tick_p50 = 0;  ///< nanoseconds of wall time; 0 = not measured
  std::int64_t tick_p99 = 0;
  std::uint64_t digest = 0;
};

/// Nearest-rank percentile: the smallest value such that at least `percent` % of all values are no
/// larger; no interpolation, so the answer is always one of the values. `sorted` ascending, not
/// empty; `percent` in [0, 100], where 0 gives the minimum. O(1).
template <class T>
[[nodiscard]] T nearest_rank(std::vector<T> const& sorted, std::uint32_t percent) noexcept {
  std::size_t const rank = (sorted.size() * percent + 99) / 100;
  return sorted[rank == 0 ? 0 : rank - 1];
}

namespace detail {
__extension__ using wide_int = __int128;

[[nodiscard]] inline duration rounded_mean(std::vector<duration> const& values) noexcept {
  if (values.empty()) {
    return {};
  }
  wide_int sum = 0;
  for (duration const value : values) {
    sum += value.count();
  }
  auto const count = static_cast<wide_int>(values.size());
  return duration{static_cast<std::int64_t>((sum + count / 2) / count)};
}
}  // namespace detail

/// Busy GPU·milliseconds in [from, to) of the step function `load`. O(samples).
[[nodiscard]] inline gpu_time busy_time(std::vector<load_sample> const& load, time_point from,
                                        time_point to) noexcept {
  gpu_time sum;
  for (std::size_t at = 0; at < load.size(); ++at) {
    time_point const start = std::max(from, load[at].at);
    time_point const end = at + 1 < load.size() ? std::min(to, load[at + 1].at) : to;
    if (start < end) {
      sum += gpu_time{load[at].busy_gpus, end - start};
    }
  }
  return sum;
}

/// O(n log n) in jobs and ticks.
[[nodiscard]] inline summary summarise(run_result const& run) {
  summary out;
  out.scheduler = run.scheduler;
  out.jobs = static_cast<std::int64_t>(run.jobs.size());
  out.ticks = run.ticks;
  out.digest = run.digest;

  std::vector<duration> completions;
  std::vector<duration> waits;
  time_point first_submit = never;
  time_point last_finish = time_point::min();
  for (job_record const& job : run.jobs) {
    first_submit = std::min(first_submit, job.submit);
    out.preemptions += job.preemptions;
    out.lost += job.lost;
    if (job.is_finished()) {
      last_finish = std::max(last_finish, job.finish);
      completions.push_back(job.completion_time());
      waits.push_back(job.waiting);
    }
  }
  out.finished = static_cast<std::int64_t>(completions.size());
  if (!completions.empty()) {
    out.avg_jct = detail::rounded_mean(completions);
    out.avg_wait = detail::rounded_mean(waits);
    std::sort(completions.begin(), completions.end());
    std::sort(waits.begin(), waits.end());
    out.p50_jct = nearest_rank(completions, 50);
    out.p99_jct = nearest_rank(completions, 99);
    out.p99_wait = nearest_rank(waits, 99);
    out.makespan = last_finish - first_submit;
    gpu_time const offered{run.gpu_count(), out.makespan};
    if (offered > gpu_time::zero()) {
      out.utilisation =
          static_cast<double>(busy_time(run.load, first_submit, last_finish).count()) /
          static_cast<double>(offered.count());
    }
  }
  if (!run.tick_nanoseconds.empty()) {
    std::vector<std::int64_t> latencies = run.tick_nanoseconds;
    std::sort(latencies.begin(), latencies.end());
    out.tick_p50 = nearest_rank(latencies, 50);
    out.tick_p99 = nearest_rank(latencies, 99);
  }
  return out;
}

}  // namespace sim

BERTH_NAMESPACE_END
