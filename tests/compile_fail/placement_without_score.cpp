// expect-error: placement_policy: .*score\(
// expect-error: has_score
// expect-error: score.*(is invalid|would be invalid)|no member named .score
// SPDX-License-Identifier: BSL-1.0
// A placement without its verb, given to make_scheduler.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::placement_role;
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
