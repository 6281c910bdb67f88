// expect-error: has_component_role
// expect-error: component_role.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// A preemption_cost that does not say which seam it fits.
#include <berth/concepts/preemption_cost.hpp>

struct mine {
  berth::suspension suspend(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
  berth::duration resume(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::preemption_cost<mine>);
