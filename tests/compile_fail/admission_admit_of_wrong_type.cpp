// expect-error: has_admit
// expect-error: admit.*return-type-requirement|type constraint .*same_as
// SPDX-License-Identifier: BSL-1.0
// An admission whose verb gives something else.
#include <berth/concepts/admission_policy.hpp>

struct mine {
  using component_role = berth::admission_role;
  int admit(berth::job_view const&, berth::tick_context const&) const noexcept { return 1; }
};
static_assert(berth::admission_policy<mine>);
