// expect-error: has_allocate
// expect-error: allocate.*return-type-requirement|type constraint .*same_as
// SPDX-License-Identifier: BSL-1.0
// An allocator whose verb gives something else.
#include <berth/concepts/gang_allocator.hpp>

struct mine {
  using component_role = berth::allocator_role;
  int allocate(berth::job_view const&, berth::queue_state const&,
               berth::tick_context const&) const noexcept {
    return 1;
  }
  bool reserves_for_head() const noexcept { return false; }
};
static_assert(berth::gang_allocator<mine>);
