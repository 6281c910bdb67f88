// SPDX-License-Identifier: BSL-1.0
// The seam that only sees.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/model/action.hpp>

#include <concepts>

BERTH_NAMESPACE_BEGIN

// A decision_observer is told of every action, in the order of the plan, and cannot change one.
//
//   Given  o: O&, a: action const&, t: tick_context const&
//   o.on_action(a, t)   noexcept
//
// Models     null_observer, digest_observer
template <class O>
concept has_on_action = requires(O& o, action const& a, tick_context const& t) {
  { o.on_action(a, t) } noexcept;
};
template <class O>
concept decision_observer = component<O, observer_role> && has_on_action<O>;

BERTH_NAMESPACE_END
