// expect-error: has_resume
// expect-error: resume.*(is invalid|would be invalid)|no member named .resume
// SPDX-License-Identifier: BSL-1.0
// A preemption cost that knows no way back.
#include <berth/concepts/preemption_cost.hpp>

struct mine {
  using component_role = berth::preemption_role;
  berth::suspension suspend(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::preemption_cost<mine>);
