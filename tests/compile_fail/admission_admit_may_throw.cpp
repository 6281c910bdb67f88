// expect-error: has_admit
// expect-error: admit.*(is not .noexcept|may throw)
// SPDX-License-Identifier: BSL-1.0
// An admission whose verb may throw.
#include <berth/concepts/admission_policy.hpp>

struct mine {
  using component_role = berth::admission_role;
  bool admit(berth::job_view const&, berth::tick_context const&) const { return true; }
};
static_assert(berth::admission_policy<mine>);
