// SPDX-License-Identifier: BSL-1.0
// Preemption without a price: the pure effect of a policy, for experiments.
#pragma once

#include <berth/concepts/preemption_cost.hpp>

BERTH_NAMESPACE_BEGIN

struct free_of_charge {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = true;
  [[nodiscard]] suspension suspend(job_view const&, tick_context const&) const noexcept {
    return {};
  }
  [[nodiscard]] duration resume(job_view const&, tick_context const&) const noexcept {
    return duration{0};
  }
};

BERTH_NAMESPACE_END
