// SPDX-License-Identifier: BSL-1.0
// Optimus (Peng et al., EuroSys'18): every job gets its least, then the GPU that saves most of the
// remaining time, one after the other, every ten minutes. The workers and parameter servers of the
// paper are GPUs alike here.
#pragma once

#include <berth/allocators/elastic.hpp>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/sizing/marginal_gain.hpp>

#include <chrono>
#include <utility>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// Errors as make_scheduler's.
template <class... More>
[[nodiscard]] auto optimus(cluster const& nodes, scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, elastic<marginal_gain>{.interval = std::chrono::minutes{10}},
                        lost_work{}, std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
