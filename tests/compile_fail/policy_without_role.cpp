// expect-error: has_component_role
// expect-error: component_role.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// A policy that does not say which seam it fits.
#include <berth/concepts/scheduling_policy.hpp>

struct mine {
  berth::priority_key priority(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::scheduling_policy<mine>);
