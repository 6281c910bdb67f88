// SPDX-License-Identifier: BSL-1.0
// No preemption, whatever the policy wants.
#pragma once

#include <berth/concepts/preemption_cost.hpp>

BERTH_NAMESPACE_BEGIN

struct never_preempt {
  using component_role = preemption_role;
  static constexpr bool allows_preemption = false;
  [[nodiscard]] suspension suspend(job_view const&, tick_context const&) const noexcept {
    return {.allowed = false};
  }
  [[nodiscard]] duration resume(job_view const&, tick_context const&) const noexcept {
    return duration{0};
  }
};

BERTH_NAMESPACE_END
