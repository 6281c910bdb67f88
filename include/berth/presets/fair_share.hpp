// SPDX-License-Identifier: BSL-1.0
// Tenants with quotas: each gets its own, borrows what others leave, and gives it back when asked.
#pragma once

#include <berth/admission/tenant_quota.hpp>
#include <berth/allocators/easy_backfill.hpp>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>

#include <utility>

BERTH_NAMESPACE_BEGIN
namespace presets {

/// Within quota first, then the least share for its weight, then priority and submit order; EASY
/// backfilling. What is borrowed is reclaimed from the lowest priority first, then where the least
/// is lost.
template <class... More>
[[nodiscard]] auto fair_share(cluster const& nodes, scheduler_config const& config,
                              tenant_quota tenants, More... more) {
  return make_scheduler(nodes, config, priority_class{}, consolidated{}, lost_work{},
                        berth::easy_backfill{}, std::move(tenants), std::move(more)...);
}

}  // namespace presets
BERTH_NAMESPACE_END
