// expect-error: preemption_cost: .*suspend\(
// expect-error: has_suspend
// expect-error: suspend.*(is invalid|would be invalid)|no member named .suspend
// SPDX-License-Identifier: BSL-1.0
// A preemption_cost without its verb, given to make_scheduler.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::preemption_role;
  berth::duration resume(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
