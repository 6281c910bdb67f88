// SPDX-License-Identifier: BSL-1.0
// Tiresias (Gu et al., NSDI'19) without knowledge of job lengths: discretised 2D least attained
// service, skip-over, consolidated placement, preemption whenever a lower queue wants the place.
#pragma once

#include <berth/placements/consolidated.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/presets/make_scheduler.hpp>

BERTH_NAMESPACE_BEGIN
namespace presets {

template <class... More>
[[nodiscard]] auto tiresias(cluster const& nodes, scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, least_attained_service{}, consolidated{}, lost_work{},
                        std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
