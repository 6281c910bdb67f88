// expect-error: has_priority
// expect-error: priority.*return-type-requirement|type constraint .*same_as
// SPDX-License-Identifier: BSL-1.0
// A policy whose verb gives something else.
#include <berth/concepts/scheduling_policy.hpp>

struct mine {
  using component_role = berth::policy_role;
  int priority(berth::job_view const&, berth::tick_context const&) const noexcept { return 0; }
};
static_assert(berth::scheduling_policy<mine>);
