// SPDX-License-Identifier: BSL-1.0
// The steps of a job's life: each moves the job's state, its books and its accounts together.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/detail/state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN
namespace detail {

inline void step(core_state& s, std::uint32_t slot, job_event event) noexcept {
  job_record& job = s.jobs[slot];
  BERTH_ASSERT(is_legal(job.state, event), "a job cannot make this step from where it is");
  s.leaving -= job.state == job_state::draining ? 1u : 0u;
  job.state = next(job.state, event);
  s.leaving += job.state == job_state::draining ? 1u : 0u;
  if (job.state != job_state::draining) {
    job.saves_at = never;
  }
  bool const leaves = job.state == job_state::draining || job.state == job_state::cancelling;
  if (leaves) {
    s.touch(slot);  // it is nobody's victim any more, and what it leaves may help somebody
  }
}

/// Copies what the ledger says into the record that components see.
inline void mirror_books(core_state& s, std::uint32_t slot) noexcept {
  s.jobs[slot].gpus_held = s.books.job(slot).gpus_held;
  s.jobs[slot].nodes_held = s.books.job(slot).nodes_held;
  if (s.jobs[slot].gpus_held > 0) {
    s.holders.insert(slot);
    if (s.yielding.contains(slot)) {
      yielding_holder same = s.yielding.at(slot);
      same.gpus = s.jobs[slot].gpus_held;
      s.yielding.set(same);
    }
  } else {
    s.holders.erase(slot);
    s.yielding.erase(slot);
  }
}

/// Counts service and run time up to now. Before every change of the GPUs held.
inline void count_service(core_state& s, std::uint32_t slot) noexcept {
  job_record& job = s.jobs[slot];
  if (job.counted_since == never) {
    return;
  }
  job_view const view = s.view(slot);
  gpu_time const served = view.attained_service();
  duration const executed = view.executed();
  job.served = served;
  job.executed = executed;
  job.counted_since = s.now;
}

inline void begin_wait(core_state& s, std::uint32_t slot) noexcept {
  s.jobs[slot].waiting_since = s.now;
  s.reason[slot] = wait_reason::not_decided;
  s.touch(slot);
}

/// It holds its GPUs from now on; the host is told in this plan.
inline void begin_launch(core_state& s, std::uint32_t slot) noexcept {
  job_record& job = s.jobs[slot];
  step(s, slot, job_event::launch);
  job.waited += std::max(duration{0}, saturating_sub(s.now, job.waiting_since));
  job.waiting_since = never;
  job.run = static_cast<run_number>(static_cast<std::uint32_t>(job.run) + 1);
  job.first_start = std::min(job.first_start, s.now);
  job.earmark_until = never;
  job.stop_withdrawn = false;
  job.launched_in_tick = s.tick_number;
  s.reason[slot] = wait_reason::none;
  mirror_books(s, slot);
  // A gang waits for its slowest member.
  std::int32_t slowest = std::numeric_limits<std::int32_t>::max();
  s.books.for_each_hold(slot, [&](booking const& held) {
    gpu_type const type = s.books.node(held.node).spec.type;
    std::int32_t const speed = job.form.speed[static_cast<std::size_t>(type)];
    if (speed < slowest) {
      slowest = speed;
      job.type = type;
    }
  });
  if (!s.ladders.is_empty()) {
    job.rung_speed = s.ladders.speed_on(slot, job.gpus_held);
  }
  s.touch(slot);
}

/// The host says that the gang runs. If it was told to stop meanwhile, it still has to.
inline void begin_run(core_state& s, std::uint32_t slot) noexcept {
  job_record& job = s.jobs[slot];
  step(s, slot, job_event::started);
  job.run_since = s.now;
  job.counted_since = s.now;
  job.done_at = s.now;
  job.safe_at = never;
  job.launch_failures = 0;
  s.sizing_due = s.sizing_due || job.target > job.form.gpus();  // it began with what there was
  std::uint32_t lowest = no_index;
  s.books.for_each_hold(
      slot, [&](booking const& held) noexcept { lowest = std::min(lowest, held.node); });
  job.last_node = s.books.id_of(lowest);
  s.touch(slot);
}

/// It runs no more; `saved` survives, by default what is known to be safe. Its GPUs are still
/// booked.
inline void end_run(core_state& s, std::uint32_t slot, duration saved) noexcept {
  job_record& job = s.jobs[slot];
  count_service(s, slot);
  job_view const view = s.view(slot);
  duration const kept = saved >= duration{0} ? std::min(saved, job.spec.work) : view.safe();
  duration const thrown_away = std::max(duration{0}, view.done() - kept);
  duration const run_again{gpu_time{unit_speed, thrown_away}.count() / view.speed()};
  job.destroyed =
      run_again < job.executed - job.destroyed ? job.destroyed + run_again : job.executed;
  job.done = kept;
  job.safe = kept;
  job.done_at = never;
  job.safe_at = never;
  job.rung_speed = unit_rung_speed;
  job.asleep_since = never;
  job.run_since = never;
  job.counted_since = never;
}

/// Every GPU it holds is empty now.
inline void leave_gpus(core_state& s, std::uint32_t slot) noexcept {
  count_service(s, slot);
  if (s.jobs[slot].gpus_held > 0) {
    (s.jobs[slot].spec.where == pool::training ? s.sizing_due : s.spare_due) = true;
  }
  s.books.release_all(slot);
  mirror_books(s, slot);
}

/// Drops the earmark; the job waits for another place.
inline void drop_reservation(core_state& s, std::uint32_t slot) noexcept {
  s.books.drop_earmark(slot);
  s.jobs[slot].earmark_until = never;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.reserving.size(); ++i) {
    if (s.reserving[i] != slot) {
      s.reserving[kept++] = s.reserving[i];
    }
  }
  s.reserving.truncate(kept);
}

/// The earmark came to nothing: it is pending again.
inline void give_up_earmark(core_state& s, std::uint32_t slot) noexcept {
  drop_reservation(s, slot);
  step(s, slot, job_event::unreserve);
  s.reason[slot] = wait_reason::not_decided;
  s.touch(slot);
}

/// Must others still leave GPUs, or CPU or memory beside them, before its earmark is all its own?
[[nodiscard]] inline bool awaits_others(core_state const& s, std::uint32_t slot) noexcept {
  job_book const& book = s.books.job(slot);
  bool waits = book.gpus_promised > 0;
  s.books.for_each_earmark(slot, [&](booking const& line) {
    node_book const& node = s.books.node(line.node);
    waits = waits || (book.cpu_milli_per_gpu > 0 && node.cpu_booked > node.spec.cpu_milli) ||
            (book.memory_mib_per_gpu > 0 && node.memory_booked > node.spec.memory_mib);
  });
  return waits;
}

/// Calls visit(slot) for those that hold GPUs of a job's earmark, and where it asks for CPU or
/// memory for all that hold something on its nodes. O(bookings on its nodes).
template <class Visit>
void for_each_in_the_way(core_state const& s, std::uint32_t slot, Visit&& visit) {
  job_book const& book = s.books.job(slot);
  bool const needs_room = book.cpu_milli_per_gpu > 0 || book.memory_mib_per_gpu > 0;
  s.books.for_each_earmark(slot, [&](booking const& line) {
    s.books.for_each_booking(line.node, [&](booking const& other) {
      if (other.kind == booking_kind::hold && (needs_room || (other.gpus & line.gpus) != 0)) {
        visit(other.job);
      }
    });
  });
}

/// Orders a launching or running job to stop, at once unless `how` says otherwise; the plan tells
/// the host.
inline void order_stop(core_state& s, std::uint32_t slot, stop_reason reason, job_id beneficiary,
                       suspension const& how = {}) noexcept {
  duration const drain = std::clamp(how.drain, duration{0}, max_duration);
  s.books.drain(slot);
  s.stops.push_back({s.jobs[slot].id, reason, beneficiary, how.mode, saturating_add(s.now, drain)});
}

/// Calls visit(slot) for a job and those that start with it; visit may take them out of their
/// chain.
template <class Visit>
void for_each_of_group(core_state const& s, std::uint32_t slot, Visit&& visit) {
  std::uint32_t at = slot;
  do {
    std::uint32_t const following = s.group_next[at] == no_index ? slot : s.group_next[at];
    visit(at);
    at = following;
  } while (at != slot);
}

/// Takes a job out of its group's chain; the others go on without it.
inline void leave_group(core_state& s, std::uint32_t slot) noexcept {
  if (s.group_next[slot] == no_index) {
    return;
  }
  std::uint32_t previous = slot;
  while (s.group_next[previous] != slot) {
    previous = s.group_next[previous];
  }
  std::uint32_t const following = s.group_next[slot];
  s.group_next[slot] = no_index;
  if (following == slot) {
    return;
  }
  s.group_next[previous] = following;
  for (std::uint32_t at = following;; at = s.group_next[at]) {
    if (s.queues.contains(at)) {
      s.queues.erase(s.jobs, at);
    }
    s.touch(at);
    if (at == previous) {
      break;
    }
  }
}

/// The job is over: nothing of it stays but its id's generation. `event` says how.
inline void end_job(core_state& s, std::uint32_t slot, job_event event) noexcept {
  if (s.queues.contains(slot)) {
    s.queues.erase(s.jobs, slot);
  }
  leave_group(s, slot);
  if (s.jobs[slot].state == job_state::reserving) {
    drop_reservation(s, slot);
  }
  leave_gpus(s, slot);
  step(s, slot, event);
  s.timers.set(slot, never);
  s.reason[slot] = wait_reason::none;
  s.books.close(slot);
  s.jobs.remove(slot);
}

/// Back to the queue after its GPUs are empty.
inline void requeue(core_state& s, std::uint32_t slot, job_event event) noexcept {
  leave_gpus(s, slot);
  step(s, slot, event);
  begin_wait(s, slot);
}

/// Back to the queue, but not at once: the delay doubles with every attempt in a row.
inline void requeue_later(core_state& s, std::uint32_t slot, job_event event,
                          std::uint32_t attempt) noexcept {
  requeue(s, slot, event);
  s.jobs[slot].not_before = saturating_add(s.now, s.config.retry.delay(attempt));
  s.reason[slot] = wait_reason::back_off;
}

}  // namespace detail
BERTH_NAMESPACE_END
