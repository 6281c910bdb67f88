// expect-error: at most one policy
// SPDX-License-Identifier: BSL-1.0
// Two components of one role.
#include <berth/policies/priority_class.hpp>
#include <berth/presets/make_scheduler.hpp>

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, berth::fifo{}, berth::priority_class{});
}
