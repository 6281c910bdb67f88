// expect-error: has_on_action
// expect-error: on_action.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// An observer that wants to change what it sees.
#include <berth/concepts/observer.hpp>

struct mine {
  using component_role = berth::observer_role;
  void on_action(berth::action&, berth::tick_context const&) noexcept {}
};
static_assert(berth::decision_observer<mine>);
