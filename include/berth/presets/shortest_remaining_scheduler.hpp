// SPDX-License-Identifier: BSL-1.0
// Shortest remaining time first with preemption, as if lengths were known and stopping were free.
#pragma once

#include <berth/policies/shortest_remaining.hpp>
#include <berth/presets/make_scheduler.hpp>

BERTH_NAMESPACE_BEGIN
namespace presets {

template <class... More>
[[nodiscard]] auto shortest_remaining(cluster const& nodes, scheduler_config const& config,
                                      More... more) {
  return make_scheduler(nodes, config, berth::shortest_remaining{}, lost_work{},
                        std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
