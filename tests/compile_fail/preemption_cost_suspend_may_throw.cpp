// expect-error: has_suspend
// expect-error: suspend.*(is not .noexcept|may throw)
// SPDX-License-Identifier: BSL-1.0
// A preemption_cost whose verb may throw.
#include <berth/concepts/preemption_cost.hpp>

struct mine {
  using component_role = berth::preemption_role;
  berth::suspension suspend(berth::job_view const&, berth::tick_context const&) const { return {}; }
  berth::duration resume(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::preemption_cost<mine>);
