// SPDX-License-Identifier: BSL-1.0
// Adaptive task scaling for training (ATS-T), after DeepBoot (Chen et al., IEEE TPDS 34(9), 2023):
// how many GPUs each elastic job gets is a multiple-choice knapsack. The paper adds up speed-ups;
// what a speed-up is worth to the average completion time depends on how much is left, and a change
// of size costs what it costs this job, not a constant.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/detail/choose.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/detail/urgency.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Maximises the sum over jobs of
///
///   weight / remaining^p × effective speed,   effective = speed × (1 - restart / H),
///
/// with H the time for which a size is kept: until the job ends or `horizon`, whichever is sooner;
/// restart is what the change costs (elastic_job::change_to). Stopping a job that runs is worth
/// minus the start that it will need again. Nothing changes: nothing is charged.
///
/// Ties: fewest GPUs, then the larger size to the job with less left, then to the lower id.
/// O(options × log jobs) where no speed rises faster than before and nobody runs; else options ×
/// capacity up to `exact_work`, beyond which the majorants are climbed and `bound` says how far the
/// answer may be from the best.
struct choice_knapsack_sizing {
  /// p in quarters, 0 to 4. 0 is the plain sum of DeepBoot; 2 is the root.
  unsigned power_quarters = 2;
  /// Sizes change often: a restart has to pay within this time. > 0.
  duration horizon = std::chrono::minutes{5};
  /// Additions that an exact answer may take, about a nanosecond each.
  std::int64_t exact_work = std::int64_t{1} << 24;

  /// Errors: of check_sizing; capacity_exceeded (max_jobs, ladder) beyond the workspace;
  /// inconsistent (job) for an id that occurs twice; bad_config (horizon; remaining for its power).
  /// Does not allocate.
  [[nodiscard]] result<sizing> size(sizing_problem const& problem,
                                    sizing_workspace& workspace) const noexcept {
    if (power_quarters > 4) {
      return error{errc::bad_config, field::remaining};
    }
    if (horizon <= duration{0} || horizon > max_duration) {
      return error{errc::bad_config, field::horizon};
    }
    detail::sizing_memory& memory = detail::sizing_access::memory(workspace);
    if (result<void> const begun = memory.begin(problem); !begun) {
      return begun.error();
    }
    for (std::uint32_t const at : memory.ordered(problem)) {
      elastic_job const& job = problem.jobs[at];
      detail::int128 const worth = job.weight * detail::urgency(job.remaining, power_quarters);
      memory.options.add_item(at);
      memory.options.add_option(0, -worth * lost_by_stopping(job));
      for (rung const& each : job.ladder) {
        memory.options.add_option(each.size, worth * effective_speed(job, each));
      }
    }
    return detail::choose(problem, memory, exact_work);
  }

  /// Of a job that is on that rung from now on, in 1/unit_rung_speed; 0 if the change takes as long
  /// as the size is kept.
  [[nodiscard]] std::int64_t effective_speed(elastic_job const& job,
                                             rung const& target) const noexcept {
    return target.speed - lost_speed(job, target.speed, job.change_to(target.size));
  }
  /// What the next start takes, at the speed that it has now.
  [[nodiscard]] std::int64_t lost_by_stopping(elastic_job const& job) const noexcept {
    return lost_speed(job, job.speed_on(job.current), job.change_to(0));
  }

 private:
  /// speed × restart / H, rounded up.
  [[nodiscard]] std::int64_t lost_speed(elastic_job const& job, std::int64_t speed,
                                        duration restart) const noexcept {
    if (speed == 0 || restart == duration{0}) {
      return 0;
    }
    // No product of a speed, at most 2^36, and such a time overflows, and a division of 64 bits
    // takes a fraction of one of 128.
    std::int64_t const kept = std::min(horizon, restart + job.time_at(speed)).count();
    std::int64_t const lost = std::min(restart.count(), kept);
    if (kept < (std::int64_t{1} << 27)) {
      return (speed * lost + kept - 1) / kept;
    }
    detail::int128 const product = static_cast<detail::int128>(speed) * lost;
    return static_cast<std::int64_t>((product + kept - 1) / kept);
  }
};

BERTH_NAMESPACE_END
