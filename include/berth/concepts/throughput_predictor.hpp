// SPDX-License-Identifier: BSL-1.0
// The seam that says how long.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/estimate.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job.hpp>

#include <concepts>

BERTH_NAMESPACE_BEGIN

// A throughput_predictor estimates how long a job still runs.
//
//   Given  p: P const&, j: job_view, t: tick_context const&, d: P::job_data& (if there is one)
//   p.remaining(j, t)        -> estimate   noexcept, O(1): run time left, on the GPUs it holds,
//                                          or on its whole gang at its best speed while it waits
//   p.remaining(j, d, t)     instead, for a predictor with job_data
//   p.epochs(j, d, t)        -> epoch_clock   optional, with job_data: noexcept, O(1)
//   p.observe(j, d, e)       optional, with job_data: the host reported progress e or bytes_read
//                            e; j is as before it
//   q.learn(j, d, took)      optional, for q: P& with job_data: the job ended well after `took` of
//                            run time, what stops destroyed left out; j is as it was on its GPUs.
//                            noexcept, bounded, no allocation
//
// Semantics  1. Asked at submit, start, stop, progress and checkpoint; in between, a running job's
//               estimate is counted down.
//            2. `forever` is "unknown".
//            3. What a predictor learns is its own: it is in no snapshot and in no state_digest().
//               A host keeps it by scheduler::predictor().
// Models     declared, observed_rate, calibrated
template <class P>
concept has_remaining = requires(P const& p, job_view const& j, tick_context const& t) {
  { p.remaining(j, t) } noexcept -> std::same_as<estimate>;
};
template <class P>
concept has_remaining_with_job_data =
    has_job_data<P> &&
    requires(P const& p, job_view const& j, job_data_of<P>& d, tick_context const& t) {
      { p.remaining(j, d, t) } noexcept -> std::same_as<estimate>;
    };
template <class P>
concept throughput_predictor =
    component<P, predictor_role> && (has_remaining<P> || has_remaining_with_job_data<P>);

/// Refinement: learns from reported progress.
template <class P>
concept observing_predictor =
    throughput_predictor<P> && has_job_data<P> &&
    requires(P const& p, job_view const& j, job_data_of<P>& d, progress const& e) {
      { p.observe(j, d, e) } noexcept;
    };

/// Refinement: learns from what a job reads from storage.
template <class P>
concept reading_predictor =
    throughput_predictor<P> && has_job_data<P> &&
    requires(P const& p, job_view const& j, job_data_of<P>& d, bytes_read const& e) {
      { p.observe(j, d, e) } noexcept;
    };

/// Where a running job is among its epochs, as far as a predictor can tell.
struct epoch_clock {
  duration period{0};        ///< between ends of epochs; 0 = unknown
  time_point began = never;  ///< the last end, at most now; never = unknown
};

/// Refinement: measures epochs. Asked when `remaining` is; job_view::epoch_period() and epoch_age()
/// pass it on.
template <class P>
concept epoch_predictor =
    throughput_predictor<P> && has_job_data<P> &&
    requires(P const& p, job_view const& j, job_data_of<P> const& d, tick_context const& t) {
      { p.epochs(j, d, t) } noexcept -> std::same_as<epoch_clock>;
    };

/// Refinement: learns from jobs that ended well. The only verb of a predictor that changes it.
template <class P>
concept learning_predictor = throughput_predictor<P> && has_job_data<P> &&
                             requires(P& p, job_view const& j, job_data_of<P>& d, duration took) {
                               { p.learn(j, d, took) } noexcept;
                             };

template <throughput_predictor P>
[[nodiscard]] estimate ask_remaining(P const& p, job_view const& j, job_data_of<P>& d,
                                     tick_context const& t) noexcept {
  if constexpr (has_remaining_with_job_data<P>) {
    return p.remaining(j, d, t);
  } else {
    return p.remaining(j, t);
  }
}

BERTH_NAMESPACE_END
