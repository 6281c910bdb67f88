// SPDX-License-Identifier: BSL-1.0
// AFS, elastic resource sharing (Hwang et al., NSDI'21): between two jobs, the next GPU goes to the
// longer one if that shortens the average more than giving it to the shorter one.
#pragma once

#include <berth/allocators/elastic.hpp>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/sizing/pairwise.hpp>

#include <utility>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// Errors as make_scheduler's.
template <class... More>
[[nodiscard]] auto afs(cluster const& nodes, scheduler_config const& config, More... more) {
  return make_scheduler(nodes, config, elastic<pairwise>{}, lost_work{}, std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
