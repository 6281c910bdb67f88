// expect-error: scheduling_policy: .*priority\(
// expect-error: has_priority
// expect-error: priority.*(is invalid|would be invalid)|no member named .priority
// SPDX-License-Identifier: BSL-1.0
// A policy without its verb, given to make_scheduler.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::policy_role;
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
