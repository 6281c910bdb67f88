// SPDX-License-Identifier: BSL-1.0
// Shortest remaining time first, with preemption (SRTF), blind to what a preemption costs.
#pragma once

#include <berth/concepts/scheduling_policy.hpp>
#include <berth/core/cost.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// What is compared.
enum class remaining_measure : std::uint8_t {
  time,      ///< remaining run time: SRTF
  gpu_time,  ///< remaining run time times gang size: shortest remaining service (SRSF)
};

/// Least left first, counted on the fastest type a job allows, so that nobody is displaced because
/// it sits on a slow one; a job with less left displaces one with more. Unknown lengths last.
struct shortest_remaining {
  using component_role = policy_role;
  remaining_measure measure = remaining_measure::time;

  [[nodiscard]] priority_key priority(job_view const& job, tick_context const&) const noexcept {
    duration const left = job.remaining_at_best_speed();
    std::int64_t const key =
        measure == remaining_measure::time ? left.count() : gpu_time{job.gang_gpus(), left}.count();
    return ascending(key).displacing();
  }
};

BERTH_NAMESPACE_END
