// expect-error: has_reserves_for_head
// expect-error: reserves_for_head.*(is invalid|would be invalid)|no member named .reserves_for_head
// SPDX-License-Identifier: BSL-1.0
// An allocator that does not say whether the head gets a promise.
#include <berth/concepts/gang_allocator.hpp>

struct mine {
  using component_role = berth::allocator_role;
  berth::grant allocate(berth::job_view const&, berth::queue_state const&,
                        berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::gang_allocator<mine>);
