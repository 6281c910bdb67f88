// expect-error: has_component_role
// expect-error: component_role.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// An admission that does not say which seam it fits.
#include <berth/concepts/admission_policy.hpp>

struct mine {
  bool admit(berth::job_view const&, berth::tick_context const&) const noexcept { return true; }
};
static_assert(berth::admission_policy<mine>);
