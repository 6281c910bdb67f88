// expect-error: has_noexcept_priority
// expect-error: priority.*(is not .noexcept|may throw)
// SPDX-License-Identifier: BSL-1.0
// A policy whose verb may throw.
#include <berth/concepts/scheduling_policy.hpp>

struct mine {
  using component_role = berth::policy_role;
  berth::priority_key priority(berth::job_view const&, berth::tick_context const&) const {
    return {};
  }
};
static_assert(berth::scheduling_policy<mine>);
