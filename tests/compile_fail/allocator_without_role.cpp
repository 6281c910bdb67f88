// expect-error: has_component_role
// expect-error: component_role.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// An allocator that does not say which seam it fits.
#include <berth/concepts/gang_allocator.hpp>

struct mine {
  berth::grant allocate(berth::job_view const&, berth::queue_state const&,
                        berth::tick_context const&) const noexcept {
    return {};
  }
  bool reserves_for_head() const noexcept { return false; }
};
static_assert(berth::gang_allocator<mine>);
