// SPDX-License-Identifier: BSL-1.0
// Sees nothing, costs nothing.
#pragma once

#include <berth/concepts/observer.hpp>

BERTH_NAMESPACE_BEGIN

struct null_observer {
  using component_role = observer_role;
  void on_action(action const&, tick_context const&) noexcept {}
};

BERTH_NAMESPACE_END
