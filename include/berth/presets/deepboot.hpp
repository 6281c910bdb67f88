// SPDX-License-Identifier: BSL-1.0
// DeepBoot (Chen et al., IEEE TPDS 34(9), 2023): elastic training by a group knapsack over
// speed-ups (ATS-T), with fast restarts (AFE). Remaining work and each job's own restart cost enter
// its values: docs/components/deepboot.md says what is the paper's and what is ours.
#pragma once

#include <berth/allocators/elastic.hpp>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/preemption/auto_fast_elastic.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>

#include <utility>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// Jobs say what they gain by more GPUs with scheduler::set_ladder. Errors as make_scheduler's.
template <class... More>
[[nodiscard]] auto deepboot(cluster const& nodes, scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, elastic<choice_knapsack_sizing>{}, auto_fast_elastic{},
                        std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
