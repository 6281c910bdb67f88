// SPDX-License-Identifier: BSL-1.0
// Pollux (Qiao et al., OSDI'21): the power mean (p = -1) of the jobs' speed-ups, each discounted by
// how often it was restarted, every 60 s. Solved exactly, without a genetic algorithm; where GPUs
// are placed is the scheduler's own matching.
#pragma once

#include <berth/allocators/elastic.hpp>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/sizing/power_mean.hpp>

#include <chrono>
#include <utility>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// A restart takes 30 s unless a job says otherwise. Errors as make_scheduler's.
template <class... More>
[[nodiscard]] auto pollux(cluster const& nodes, scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, elastic<power_mean>{},
                        lost_work{.default_startup = std::chrono::seconds{30}}, std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
