// SPDX-License-Identifier: BSL-1.0
// Pollux's objective (Qiao et al., OSDI 2021, §4.2): the power mean with p = -1 of the speed-ups,
// those of changed sizes times the restart factor. For sizes alone the mean is a sum of terms of
// one job each, so that the search is a multiple-choice knapsack and needs no genetic algorithm.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/detail/choose.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Minimises the sum over jobs of weight / (speed × factor + unit_rung_speed / 1000), which
/// maximises the harmonic mean. A rung other than the current one of a job that runs has the factor
///
///   max(age - restarts × restart, 0) / (age + restart)
///
/// with its own restart time (resize_time::between) where Pollux has 30 s for all; a job that waits
/// has 1: at age 0 it would be worth nothing at any size, and never start.
///
/// Ties: fewest GPUs, then the larger size to the job with less left, then to the lower id.
/// Complexity as choice_knapsack_sizing.
struct power_mean {
  /// Additions that an exact answer may take, about a nanosecond each.
  std::int64_t exact_work = std::int64_t{1} << 24;

  /// Errors: of check_sizing; capacity_exceeded (max_jobs, ladder) beyond the workspace;
  /// inconsistent (job) for an id that occurs twice. Does not allocate.
  [[nodiscard]] result<sizing> size(sizing_problem const& problem,
                                    sizing_workspace& workspace) const noexcept {
    detail::sizing_memory& memory = detail::sizing_access::memory(workspace);
    if (result<void> const begun = memory.begin(problem); !begun) {
      return begun.error();
    }
    for (std::uint32_t const at : memory.ordered(problem)) {
      elastic_job const& job = problem.jobs[at];
      memory.options.add_item(at);
      memory.options.add_option(0, -slowness(0) * job.weight);
      for (rung const& each : job.ladder) {
        memory.options.add_option(each.size, -slowness(discounted_speed(job, each)) * job.weight);
      }
    }
    return detail::choose(problem, memory, exact_work);
  }

  /// The speed times the factor, in 1/unit_rung_speed, rounded down.
  [[nodiscard]] static std::int64_t discounted_speed(elastic_job const& job,
                                                     rung const& target) noexcept {
    if (target.size == job.current || job.current == 0) {
      return target.speed;
    }
    duration const restart = job.resize.between(job.current, target.size);
    detail::int128 const lost = static_cast<detail::int128>(job.restarts) * restart.count();
    detail::int128 const kept = std::max<detail::int128>(job.age.count() - lost, 0);
    std::int64_t const all = (job.age + restart).count();
    return all == 0 ? target.speed : static_cast<std::int64_t>(target.speed * kept / all);
  }

 private:
  [[nodiscard]] static detail::int128 slowness(std::int64_t speed) noexcept {
    constexpr std::int64_t least_speed = unit_rung_speed / 1000;
    return (detail::int128{1} << 90) / (speed + least_speed);
  }
};

BERTH_NAMESPACE_END
