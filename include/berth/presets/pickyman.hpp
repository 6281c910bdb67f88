// SPDX-License-Identifier: BSL-1.0
// After PickyMan's published ideas (IPCCC 2022): preempt only where it pays, by predicting what a
// suspension and a resumption cost. The paper is public in outline only: what is ours is marked in
// docs/components/pickyman.md.
#pragma once

#include <berth/allocators/ordered_division.hpp>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/policies/patient.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/predictors/calibrated.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/preemption/epoch_boundary.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>

#include <cstdint>
#include <utility>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// With another predictor than what jobs declare: `history`, for one. `patience` is that of
/// `patient`, in per cent: nobody waits much longer than so much of the longest wait under first
/// come, first served; 0 is without end, and lets the average be the least.
template <throughput_predictor Predictor, class... More>
[[nodiscard]] auto pickyman_with(Predictor predictor, std::int64_t patience, cluster const& nodes,
                                 scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, patient{berth::shortest_remaining{}, patience},
                        consolidated{}, epoch_boundary{}, ordered_division{}, std::move(predictor),
                        std::move(more)...);
}

/// Errors as make_scheduler's.
template <class... More>
[[nodiscard]] auto pickyman(cluster const& nodes, scheduler_config const& config, More... more) {
  return pickyman_with(calibrated<declared>{}, 0, nodes, config, std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
