// SPDX-License-Identifier: BSL-1.0
// The forecast of starts, made once in a tick in which an exchange is weighed.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/booking.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/detail/promise.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>
#include <berth/scheduler/detail/start_forecast.hpp>
#include <berth/scheduler/detail/state.hpp>
#include <berth/scheduler/detail/workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// How long a stop takes until the GPUs are empty.
[[nodiscard]] inline duration leaves_in(suspension const& how) noexcept {
  return std::min(how.drain, max_duration) + std::min(how.save, max_duration);
}

/// When a job that was told to stop has left.
template <class Engine>
[[nodiscard]] time_point leaves_at(Engine const& e, std::uint32_t slot) noexcept {
  suspension const how = e.parts.preemption.suspend(e.state.view(slot), e.context());
  return saturating_add(e.state.now, leaves_in(how));
}

/// GPUs that are expected back: of those who run, who leave, and who wait for others to leave.
template <class Engine>
void expect_releases(Engine& e) noexcept {
  core_state const& s = e.state;
  start_forecast& starts = e.work.starts;
  for (std::uint32_t const slot : s.holders.members()) {
    job_state const state = s.jobs[slot].state;
    bool const leaving = state == job_state::draining || state == job_state::cancelling;
    time_point const back =
        leaving ? leaves_at(e, slot) : saturating_add(s.now, s.view(slot).remaining().p50);
    s.books.for_each_hold(slot, [&](booking const& held) {
      starts.expect(s.books, held.node, returns(s.books.node(held.node), held), back);
    });
  }
  for (std::uint32_t const slot : s.reserving) {
    duration const run = s.view(slot).remaining().p50;
    s.books.for_each_earmark(slot, [&](booking const& line) {
      time_point begins = s.now;
      s.books.for_each_booking(line.node, [&](booking const& held) {
        if (held.kind == booking_kind::hold && (held.gpus & line.gpus) != 0) {
          begins = std::max(begins, leaves_at(e, held.job));
        }
      });
      starts.expect(s.books, line.node, gpu_count(line.gpus), saturating_add(begins, run));
    });
  }
}

/// Plays the queue forward from now, for the first `most_jobs` in rank order. O(nodes + releases +
/// waiting shapes, and log for each job played).
template <class Engine>
void foresee_starts(Engine& e) noexcept {
  core_state const& s = e.state;
  start_forecast& starts = e.work.starts;
  if (starts.is_made_in(s.tick_number)) {
    return;
  }
  starts.begin(s.books, s.now, s.tick_number);
  expect_releases(e);
  auto& frontier = starts.frontier;
  auto const later = [&](std::uint32_t a, std::uint32_t b) noexcept {
    return shape_queues::goes_before(s.jobs, b, a);
  };
  auto const add = [&](std::uint32_t job) {
    frontier.push_back(job);
    std::push_heap(frontier.begin(), frontier.end(), later);
  };
  frontier.clear();
  for (candidate const& each : e.work.batch) {
    add(each.job);
  }
  for (std::uint32_t const queue : s.queues.active()) {
    if (!is_impossible(s.queues[queue].verdict)) {
      add(s.queues[queue].root);
    }
  }
  for (std::size_t played = 0;
       played < start_forecast::most_jobs && starts.goes_on() && !frontier.empty(); ++played) {
    std::pop_heap(frontier.begin(), frontier.end(), later);
    std::uint32_t const job = frontier.back();
    frontier.pop_back();
    if (e.parts.allocator.counts_queue()) {
      starts.start(job, s.jobs[job].form, s.view(job).remaining().p50);
    } else {
      starts.start_alone(job, s.jobs[job].form);
    }
    if (s.queues.contains(job)) {
      s.queues.for_each_behind(job, add);
    }
  }
}

/// For how long `job` would wait if nobody stopped for it.
template <class Engine>
[[nodiscard]] duration wait_without_exchange(Engine& e, std::uint32_t job) noexcept {
  foresee_starts(e);
  time_point const start = e.work.starts.start_of(job);
  return start == never ? forever : saturating_sub(start, e.state.now);
}

}  // namespace detail
BERTH_NAMESPACE_END
