// expect-error: has_component_role
// expect-error: component_role.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// An observer that does not say which seam it fits.
#include <berth/concepts/observer.hpp>

struct mine {
  void on_action(berth::action const&, berth::tick_context const&) noexcept {}
};
static_assert(berth::decision_observer<mine>);
