// expect-error: component: moves and is destroyed without exceptions
// SPDX-License-Identifier: BSL-1.0
// A component is moved into the scheduler by a noexcept constructor.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::policy_role;
  mine() = default;
  mine(mine const&) {}
  berth::priority_key priority(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
