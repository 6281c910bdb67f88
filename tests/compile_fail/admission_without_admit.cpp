// expect-error: admission_policy: .*admit\(
// expect-error: has_admit
// expect-error: admit.*(is invalid|would be invalid)|no member named .admit
// SPDX-License-Identifier: BSL-1.0
// An admission without its verb, given to make_scheduler.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::admission_role;
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
