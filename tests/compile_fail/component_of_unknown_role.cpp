// expect-error: component_role must be one of the roles of berth
// SPDX-License-Identifier: BSL-1.0
// A role that does not exist.
#include <berth/presets/make_scheduler.hpp>

struct made_up_role {};
struct mine {
  using component_role = made_up_role;
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
