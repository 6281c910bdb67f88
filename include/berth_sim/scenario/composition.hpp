// SPDX-License-Identifier: BSL-1.0
// The schedulers that a case may name, behind one type: the policy and the allocator are chosen at
// run time; consolidated placement, lost_work and tenants are what every case has.
#pragma once

#include <berth/admission/tenant_quota.hpp>
#include <berth/allocators/easy_backfill.hpp>
#include <berth/allocators/rigid.hpp>
#include <berth/concepts/gang_allocator.hpp>
#include <berth/core/config.hpp>
#include <berth/policies/any_policy.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/policies/shortest_job.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <berth_sim/scenario/situation.hpp>

#include <optional>
#include <string>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

/// rigid or easy_backfill, as the case says.
struct chosen_allocator {
  using component_role = allocator_role;
  bool backfills = true;
  rigid without{};

  [[nodiscard]] grant allocate(job_view const& job, queue_state const& queue,
                               tick_context const& tick) const noexcept {
    return backfills ? easy_backfill{}.allocate(job, queue, tick)
                     : without.allocate(job, queue, tick);
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return backfills; }
};

struct composition {
  any_policy policy = priority_class{};
  chosen_allocator allocator{};
};

using scheduler_type = scheduler_of<any_policy, chosen_allocator, tenant_quota>;

/// What the settings name; nothing if berth has no such policy or preset.
[[nodiscard]] inline std::optional<composition> composition_of(settings const& config) {
  constexpr chosen_allocator backfill{};
  constexpr chosen_allocator strict{false, {queue_order::strict}};
  constexpr chosen_allocator skip{false, {queue_order::skip}};
  if (!config.preset.empty()) {
    std::string const& preset = config.preset;
    if (preset == "fifo") {
      return composition{fifo{}, strict};
    }
    if (preset == "easy_backfill") {
      return composition{fifo{}, backfill};
    }
    if (preset == "shortest_remaining") {
      return composition{shortest_remaining{}, skip};
    }
    if (preset == "tiresias") {
      return composition{least_attained_service{}, skip};
    }
    return std::nullopt;
  }
  std::string const& policy = config.policy;
  if (policy.empty() || policy == "priority") {
    return composition{};
  }
  if (policy == "fifo_strict") {
    return composition{fifo{}, strict};
  }
  if (policy == "fifo") {
    return composition{fifo{}, backfill};
  }
  if (policy == "shortest_job") {
    return composition{shortest_job{}, backfill};
  }
  if (policy == "shortest_remaining") {
    return composition{shortest_remaining{}, backfill};
  }
  if (policy == "least_attained_service") {
    return composition{least_attained_service{}, backfill};
  }
  return std::nullopt;
}

[[nodiscard]] inline bool is_known_composition(settings const& config) {
  return composition_of(config).has_value();
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
