// expect-error: decision_observer: .*on_action\(
// expect-error: has_on_action
// expect-error: on_action.*(is invalid|would be invalid)|no member named .on_action
// SPDX-License-Identifier: BSL-1.0
// An observer without its verb, given to make_scheduler.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::observer_role;
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
