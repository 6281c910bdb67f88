// expect-error: has_allocate
// expect-error: allocate.*(is not .noexcept|may throw)
// SPDX-License-Identifier: BSL-1.0
// An allocator whose verb may throw.
#include <berth/concepts/gang_allocator.hpp>

struct mine {
  using component_role = berth::allocator_role;
  berth::grant allocate(berth::job_view const&, berth::queue_state const&,
                        berth::tick_context const&) const {
    return {};
  }
  bool reserves_for_head() const noexcept { return false; }
};
static_assert(berth::gang_allocator<mine>);
