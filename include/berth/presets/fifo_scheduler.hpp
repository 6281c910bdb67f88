// SPDX-License-Identifier: BSL-1.0
// What a classic cluster does: strict submit order, no preemption.
#pragma once

#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/make_scheduler.hpp>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// First in, first out; a job that does not fit blocks those behind it on the GPU types it could
/// use.
template <class... More>
[[nodiscard]] auto fifo(cluster const& nodes, scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, berth::fifo{}, rigid{queue_order::strict}, never_preempt{},
                        std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
