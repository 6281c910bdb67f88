// SPDX-License-Identifier: BSL-1.0
// Optional power of an allocator: it says how many GPUs all jobs get, at once. And of a preemption
// cost: it prices a change of size.
#pragma once

#include <berth/concepts/gang_allocator.hpp>
#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_rule.hpp>

#include <concepts>

BERTH_NAMESPACE_BEGIN

// A sizing_allocator is a gang_allocator that is also a sizing rule.
//
//   Given  a: A const&
//   a.size(problem, workspace) -> result<sizing>  noexcept, no allocation (sizing/sizing_rule.hpp)
//   a.period()                 -> duration        noexcept: sizes are looked at again after so long
//   even if nothing happens; `forever`: only when something does
//
// Semantics  1. The problem has the jobs of the training pool that run or may start, but those that
//               may not be stopped, start together with others, or are changing just now; its
//               capacity is the GPUs that these hold, that are free, or that are being left.
//            2. A job that waits and is given nothing is not offered to allocate().
// Models     elastic
template <class A>
concept has_period = requires(A const& a) {
  { a.period() } noexcept -> std::same_as<duration>;
};
template <class A>
concept sizing_allocator = gang_allocator<A> && sizing_rule<A> && has_period<A>;

// A resize_pricing preemption_cost says how long a job makes no progress when its GPUs change.
//
//   Given  c: C const&, j: job_view, t: tick_context const&
//   c.resize(j, t) -> resize_time   noexcept, O(1)
//
// Models     auto_fast_elastic
template <class C>
concept resize_pricing = requires(C const& c, job_view const& j, tick_context const& t) {
  { c.resize(j, t) } noexcept -> std::same_as<resize_time>;
};

/// One way to ask: without resize(), every change costs a start.
template <preemption_cost C>
[[nodiscard]] resize_time ask_resize(C const& c, job_view const& j,
                                     tick_context const& t) noexcept {
  if constexpr (resize_pricing<C>) {
    return c.resize(j, t);
  } else {
    duration const start = c.resume(j, t);
    return {start, start};
  }
}

BERTH_NAMESPACE_END
