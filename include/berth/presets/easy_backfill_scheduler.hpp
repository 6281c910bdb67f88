// SPDX-License-Identifier: BSL-1.0
// What most batch systems do: submit order, and EASY backfilling by declared run times (Lifka,
// JSSPP'95).
#pragma once

#include <berth/allocators/easy_backfill.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/make_scheduler.hpp>

BERTH_NAMESPACE_BEGIN
namespace presets {

template <class... More>
[[nodiscard]] auto easy_backfill(cluster const& nodes, scheduler_config const& config,
                                 More... more) {
  return make_scheduler(nodes, config, berth::fifo{}, berth::easy_backfill{}, never_preempt{},
                        std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
