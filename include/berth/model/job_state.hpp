// SPDX-License-Identifier: BSL-1.0
// The life of a job as a table. docs/design/state_machines.md shows it as a picture.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

enum class job_state : std::uint8_t {
  submitted,   ///< not admitted yet, or its group is not complete
  pending,     ///< waits for GPUs
  reserving,   ///< GPUs are earmarked for it and still drain
  launching,   ///< holds its GPUs; the host has not confirmed the start
  running,     ///< the host confirmed the start
  draining,    ///< told to stop, will be pending again; may go on until it saves
  cancelling,  ///< told to stop, will not come back
  resizing,    ///< told to go on with other GPUs; the host has not confirmed
  finished,
  failed,
  cancelled,
};
inline constexpr int job_state_count = 11;

enum class job_event : std::uint8_t {
  admit,          ///< admission lets it enter
  reserve,        ///< a plan earmarks GPUs that others must leave first
  unreserve,      ///< the earmark expired or broke
  launch,         ///< a plan starts it
  started,        ///< host: it runs
  launch_failed,  ///< host: it could not be started
  preempt,        ///< a plan stops it, or it lost part of its gang
  stopped,        ///< host: it has left its GPUs
  cancel,         ///< its owner no longer wants it
  complete,       ///< host: it ended well
  run_failed,     ///< host: it crashed and may be tried again
  give_up,        ///< host: it failed for good, or its failures reached the limit
  gang_lost,      ///< every GPU it held went down
  revive,         ///< a plan withdraws the order to stop; it runs
  revive_launch,  ///< a plan withdraws the order to stop; the host has not confirmed the start
  resize,         ///< a plan gives it more GPUs, or fewer
  resized,        ///< host: it goes on with those, and has left the others
};
inline constexpr int job_event_count = 17;

namespace detail {
inline constexpr std::uint8_t illegal_job = 0xff;

[[nodiscard]] constexpr std::uint8_t job_transition(job_state from, job_event event) noexcept {
  using enum job_state;
  auto const to = [](job_state state) { return static_cast<std::uint8_t>(state); };
  bool const on_gpus = from == launching || from == running || from == draining ||
                       from == cancelling || from == resizing;
  bool const ended = from == finished || from == failed || from == cancelled;
  if (ended) {
    return illegal_job;
  }
  switch (event) {
    case job_event::admit: return from == submitted ? to(pending) : illegal_job;
    case job_event::reserve: return from == pending ? to(reserving) : illegal_job;
    case job_event::unreserve: return from == reserving ? to(pending) : illegal_job;
    case job_event::launch:
      return from == pending || from == reserving ? to(launching) : illegal_job;
    case job_event::started:  // also when the order to stop has crossed it; it stops all the same
      return from == launching ? to(running) : from == draining ? to(draining) : illegal_job;
    case job_event::launch_failed:  // also when the order to stop has crossed it
      return from == launching || from == draining ? to(pending)
             : from == cancelling                  ? to(cancelled)
                                                   : illegal_job;
    case job_event::preempt:
      return from == launching || from == running || from == resizing ? to(draining) : illegal_job;
    case job_event::stopped:  // also when the withdrawal of the order has crossed it
      return from == cancelling ? to(cancelled) : on_gpus ? to(pending) : illegal_job;
    case job_event::cancel:
      return from == cancelling ? illegal_job : on_gpus ? to(cancelling) : to(cancelled);
    case job_event::complete: return to(finished);
    case job_event::run_failed:
      return from == cancelling ? to(cancelled) : on_gpus ? to(pending) : illegal_job;
    case job_event::give_up: return to(failed);
    case job_event::gang_lost:
      return from == cancelling ? to(cancelled) : on_gpus ? to(pending) : illegal_job;
    case job_event::revive: return from == draining ? to(running) : illegal_job;
    case job_event::revive_launch: return from == draining ? to(launching) : illegal_job;
    case job_event::resize: return from == running ? to(resizing) : illegal_job;
    case job_event::resized: return from == resizing ? to(running) : illegal_job;
  }
  return illegal_job;
}
}  // namespace detail

[[nodiscard]] constexpr bool is_legal(job_state from, job_event event) noexcept {
  return detail::job_transition(from, event) != detail::illegal_job;
}
/// Precondition: is_legal(from, event).
[[nodiscard]] constexpr job_state next(job_state from, job_event event) noexcept {
  return static_cast<job_state>(detail::job_transition(from, event));
}

/// The job may not change any more; its id is stale.
[[nodiscard]] constexpr bool has_ended(job_state state) noexcept {
  return state == job_state::finished || state == job_state::failed ||
         state == job_state::cancelled;
}
/// The host has, or may have, processes of it on GPUs.
[[nodiscard]] constexpr bool holds_gpus(job_state state) noexcept {
  return state == job_state::launching || state == job_state::running ||
         state == job_state::draining || state == job_state::cancelling ||
         state == job_state::resizing;
}

[[nodiscard]] constexpr char const* to_string(job_state state) noexcept {
  switch (state) {
    case job_state::submitted: return "submitted";
    case job_state::pending: return "pending";
    case job_state::reserving: return "reserving";
    case job_state::launching: return "launching";
    case job_state::running: return "running";
    case job_state::draining: return "draining";
    case job_state::cancelling: return "cancelling";
    case job_state::resizing: return "resizing";
    case job_state::finished: return "finished";
    case job_state::failed: return "failed";
    case job_state::cancelled: return "cancelled";
  }
  return "?";
}

BERTH_NAMESPACE_END
