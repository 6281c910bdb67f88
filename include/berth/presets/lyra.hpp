// SPDX-License-Identifier: BSL-1.0
// Lyra, before Aryl (Li et al., EuroSys'23): base demands first, the shortest job first; what is
// left goes to extra workers by a knapsack over the time that they save. Who gives way is priced by
// the servers that it spans.
#pragma once

#include <berth/allocators/elastic.hpp>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/preemption/servers_spanned.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/sizing/two_phase.hpp>

#include <utility>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// Errors as make_scheduler's.
template <class... More>
[[nodiscard]] auto lyra(cluster const& nodes, scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, elastic<two_phase>{}, servers_spanned<>{},
                        std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
