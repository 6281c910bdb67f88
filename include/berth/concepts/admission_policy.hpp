// SPDX-License-Identifier: BSL-1.0
// The seam that says who may enter.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/model/job.hpp>

#include <concepts>

BERTH_NAMESPACE_BEGIN

// An admission_policy lets jobs into the queue.
//
//   Given  a: A const&, j: job_view, t: tick_context const&
//   a.admit(j, t) -> bool   noexcept, O(1); false: it stays `submitted` and is asked again next
//   tick
//
// Models     accept_all
template <class A>
concept has_admit = requires(A const& a, job_view const& j, tick_context const& t) {
  { a.admit(j, t) } noexcept -> std::same_as<bool>;
};
template <class A>
concept admission_policy = component<A, admission_role> && has_admit<A>;

BERTH_NAMESPACE_END
