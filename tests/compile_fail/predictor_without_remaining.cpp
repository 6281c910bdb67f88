// expect-error: throughput_predictor: .*remaining\(
// expect-error: has_remaining
// expect-error: remaining.*(is invalid|would be invalid)|no member named .remaining
// SPDX-License-Identifier: BSL-1.0
// A predictor without its verb, given to make_scheduler.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::predictor_role;
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
