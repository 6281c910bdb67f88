// expect-error: has_component_role
// expect-error: component_role.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// A placement that does not say which seam it fits.
#include <berth/concepts/placement_policy.hpp>

struct mine {
  berth::gpu_time score(berth::job_view const&, berth::berth_view const&,
                        berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::placement_policy<mine>);
