// SPDX-License-Identifier: BSL-1.0
// A refinement of gang allocators: whether it pays that somebody starts because others stop.
#pragma once

#include <berth/concepts/gang_allocator.hpp>
#include <berth/concepts/preemption_cost.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>

#include <concepts>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// How the victims of one node are chosen among those that would do.
enum class cover_rule : std::uint8_t {
  exact,      ///< the cheapest (cover_knapsack)
  set_aside,  ///< at most twice as dear (cover_greedy)
};

// A weighing_allocator decides about each exchange: a job starts earlier, its victims end later.
// Both are counted in job time, the time that some job waits, so that they can be compared.
//
//   Given  a: A const&, v, j: job_view, how: suspension, t: tick_context const&
//   a.loss(v, how, resume, t)   -> duration   noexcept, O(1): the job time that stopping v as `how`
//                                             says costs whoever gains by it; forever: not v
//   a.stay(j, t)                -> duration   noexcept, O(1): for how long j keeps each victim out
//   a.returns_sooner(less, t)   -> duration   noexcept, O(1): what counts against a victim that has
//                                             so much less left to run than the longest: it is
//                                             back, and wants GPUs again, so much sooner
//   a.worth(gpu_time, t)        -> duration   noexcept, O(1): the job time that so much GPU-time is
//                                             worth
//   a.pays(j, wait, cost, t)    -> bool       noexcept, O(1): j would wait for `wait` if nobody
//                                             stopped for it; starting it now costs `cost`
//   a.counts_queue()            -> bool       noexcept: is `wait` told with those before j in the
//                                             queue, or as if j were alone?
//   a.covers_by()               -> cover_rule noexcept, optional: exact where it is not there
//
// Semantics  1. cost = until the last victim has left + the sum of loss and stay over the victims
//               + worth(what the place costs, and GPUs that are empty before the last one is gone).
//            2. Who may displace whom is still the policy's business. Of those, the victims are
//               they whose loss, stay and returns_sooner together are the least, whatever their
//               levels; returns_sooner is no part of the cost.
//            3. Answers may depend on the instant: a tick asks again.
// Models     ordered_division
template <class A>
concept weighing_allocator =
    gang_allocator<A> && requires(A const& a, job_view const& j, suspension const& how, duration d,
                                  gpu_time lost, tick_context const& t) {
      { a.loss(j, how, d, t) } noexcept -> std::same_as<duration>;
      { a.returns_sooner(d, t) } noexcept -> std::same_as<duration>;
      { a.stay(j, t) } noexcept -> std::same_as<duration>;
      { a.worth(lost, t) } noexcept -> std::same_as<duration>;
      { a.pays(j, d, d, t) } noexcept -> std::same_as<bool>;
      { a.counts_queue() } noexcept -> std::same_as<bool>;
    };

/// One way to ask, whatever the allocator says.
template <gang_allocator A>
[[nodiscard]] constexpr cover_rule ask_cover(A const& a) noexcept {
  if constexpr (requires {
                  { a.covers_by() } noexcept -> std::same_as<cover_rule>;
                }) {
    return a.covers_by();
  } else {
    return cover_rule::exact;
  }
}

BERTH_NAMESPACE_END
