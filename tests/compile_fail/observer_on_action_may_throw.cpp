// expect-error: has_on_action
// expect-error: on_action.*(is not .noexcept|may throw)
// SPDX-License-Identifier: BSL-1.0
// An observer whose verb may throw.
#include <berth/concepts/observer.hpp>

struct mine {
  using component_role = berth::observer_role;
  void on_action(berth::action const&, berth::tick_context const&) {}
};
static_assert(berth::decision_observer<mine>);
