// SPDX-License-Identifier: BSL-1.0
// The seam that says what stopping a job destroys.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>
#include <berth/model/suspension.hpp>

#include <concepts>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// What happens when a job is told to stop now.
struct suspension {
  bool allowed = true;
  suspension_mode mode = suspension_mode::kill;
  duration drain{0};  ///< until it reaches a point where it may stop; useful work goes on meanwhile
  duration save{0};   ///< writing its state; its GPUs do nothing else
  duration rollback{0};  ///< work that is thrown away
};

// A preemption_cost prices a stop.
//
//   Given  c: C const&, j: job_view, t: tick_context const&
//   c.suspend(j, t) -> suspension   noexcept, O(1), no allocation
//   C::allows_timelessly -> bool    constant, optional: does `allowed` depend on j alone, not on t?
//   c.resume(j, t)  -> duration     noexcept, O(1): from "GPUs granted" to the first useful step
//   c.price(j, s, t) -> gpu_time    optional, noexcept, O(1): what stopping j, as s says, counts as
//
// Semantics  1. j holds GPUs. A job that is not preemptible is never asked.
//            2. The price of the stop is gpus_held * (save + rollback + resume), in GPU-time; for a
//               component with price(), it is that: rules that choose victims by something else
//               than by what is destroyed. Prices below zero count as zero.
//            3. Who may stop whom is the policy's business, not this seam's.
//            4. Where `allowed` may change with time alone, who waits to displace others is looked
//            at in every tick: say allows_timelessly = true where it does not.
// Models     never_preempt, free_of_charge, lost_work, epoch_boundary
template <class C>
concept has_suspend = requires(C const& c, job_view const& j, tick_context const& t) {
  { c.suspend(j, t) } noexcept -> std::same_as<suspension>;
};
template <class C>
concept has_resume = requires(C const& c, job_view const& j, tick_context const& t) {
  { c.resume(j, t) } noexcept -> std::same_as<duration>;
};
template <class C>
concept preemption_cost = component<C, preemption_role> && has_suspend<C> && has_resume<C>;

/// Does C ever allow a stop? False lets the scheduler skip the search for victims.
template <class C>
inline constexpr bool allows_preemption = true;
template <class C>
  requires requires { C::allows_preemption; }
inline constexpr bool allows_preemption<C> = C::allows_preemption;

/// Does it depend on the job alone, and not on the instant, whether C allows a stop? Its price may
/// change all the same. True lets the scheduler leave alone who found no victims until one changes.
template <class C>
inline constexpr bool allows_timelessly = !allows_preemption<C>;
template <class C>
  requires requires { C::allows_timelessly; }
inline constexpr bool allows_timelessly<C> = C::allows_timelessly;

/// Refinement: says itself what a stop counts as.
template <class C>
concept has_price = preemption_cost<C> && requires(C const& c, job_view const& j,
                                                   suspension const& s, tick_context const& t) {
  { c.price(j, s, t) } noexcept -> std::same_as<gpu_time>;
};

/// GPU-time that stopping `j` now destroys; forbidden if it may not be stopped.
template <preemption_cost C>
[[nodiscard]] gpu_time price_of_stopping(C const& c, job_view const& j,
                                         tick_context const& t) noexcept {
  suspension const s = c.suspend(j, t);
  if (!s.allowed) {
    return gpu_time::forbidden();
  }
  if constexpr (has_price<C>) {
    return c.price(j, s, t);
  }
  std::int64_t const gpus = j.gpus_held();
  return gpu_time{gpus, s.save} + gpu_time{gpus, s.rollback} + gpu_time{gpus, c.resume(j, t)};
}

BERTH_NAMESPACE_END
