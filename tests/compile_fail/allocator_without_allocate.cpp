// expect-error: gang_allocator: .*allocate\(
// expect-error: has_allocate
// expect-error: allocate.*(is invalid|would be invalid)|no member named .allocate
// SPDX-License-Identifier: BSL-1.0
// An allocator without its verb, given to make_scheduler.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::allocator_role;
  bool reserves_for_head() const noexcept { return false; }
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
