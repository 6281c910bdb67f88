// SPDX-License-Identifier: BSL-1.0
// The seam that says who goes first.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>

#include <concepts>

BERTH_NAMESPACE_BEGIN

// A scheduling_policy orders jobs.
//
//   Given  p: P const&, j: job_view, t: tick_context const&, d: P::job_data& (if there is one)
//   p.priority(j, t)          -> priority_key   noexcept, O(1), no allocation, no I/O
//   p.priority(j, d, t)       instead, for a policy with job_data; d may be updated
//   p.next_change(j, t)       -> time_point     optional: when the answer changes by itself
//   p.next_change(j, d, t)    instead, for a policy with job_data
//
// Semantics  1. Equal (j, d, t) give equal keys within a tick.
//            2. Smaller keys run first; equal keys run in submit order, so a policy need not be
//            total.
//            3. A level marked displacing() lets a waiting job stop a running one that compares
//            greater
//               there, if the preemption cost allows it.
//            4. The key of a waiting job is asked when it starts to wait and at next_change; that
//            of a
//               running job whenever somebody wants its place.
// Models     fifo, priority_class, shortest_job, shortest_remaining, least_attained_service, then,
// any_policy
template <class P>
concept has_priority = requires(P const& p, job_view const& j, tick_context const& t) {
  { p.priority(j, t) } -> std::same_as<priority_key>;
};
template <class P>
concept has_noexcept_priority = requires(P const& p, job_view const& j, tick_context const& t) {
  { p.priority(j, t) } noexcept;
};
template <class P>
concept has_priority_with_job_data =
    has_job_data<P> &&
    requires(P const& p, job_view const& j, job_data_of<P>& d, tick_context const& t) {
      { p.priority(j, d, t) } noexcept -> std::same_as<priority_key>;
    };

template <class P>
concept scheduling_policy =
    component<P, policy_role> &&
    (has_priority_with_job_data<P> || (has_priority<P> && has_noexcept_priority<P>));

/// Refinement: the key of a job changes by itself at a known time.
template <class P>
concept timed_policy =
    scheduling_policy<P> &&
    (
        requires(P const& p, job_view const& j, tick_context const& t) {
          { p.next_change(j, t) } noexcept -> std::same_as<time_point>;
        } ||
        requires(P const& p, job_view const& j, job_data_of<P>& d, tick_context const& t) {
          { p.next_change(j, d, t) } noexcept -> std::same_as<time_point>;
        });

/// One way to ask, whatever the policy carries.
template <scheduling_policy P>
[[nodiscard]] priority_key ask_priority(P const& p, job_view const& j, job_data_of<P>& d,
                                        tick_context const& t) noexcept {
  if constexpr (has_priority_with_job_data<P>) {
    return p.priority(j, d, t);
  } else {
    return p.priority(j, t);
  }
}
template <scheduling_policy P>
[[nodiscard]] time_point ask_next_change(P const& p, job_view const& j, job_data_of<P>& d,
                                         tick_context const& t) noexcept {
  if constexpr (!timed_policy<P>) {
    return never;
  } else if constexpr (requires { p.next_change(j, d, t); }) {
    return p.next_change(j, d, t);
  } else {
    return p.next_change(j, t);
  }
}

BERTH_NAMESPACE_END
