// expect-error: at most one observer
// SPDX-License-Identifier: BSL-1.0
// Two components of one role, at the ends of the list.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  using component_role = berth::observer_role;
  void on_action(berth::action const&, berth::tick_context const&) noexcept {}
};
auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, berth::null_observer{}, berth::fifo{}, mine{});
}
