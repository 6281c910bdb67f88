// SPDX-License-Identifier: BSL-1.0
// The first stages of a tick: what happened since the last one, what has run out, who may enter.
#pragma once

#include <berth/core/config.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/withdrawal.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Opens the plan of the next tick.
inline void begin_plan(core_state& s) noexcept {
  ++s.tick_number;
  s.actions.clear();
  s.ranges.clear();
  s.starts.clear();
  s.withdrawn.clear();
}

/// Would a tick decide what the last one did? Nothing was reported, no alarm rings, nobody is at
/// the door, and no allocator, preemption cost or weighing looks at the clock or the queue.
template <class Engine>
[[nodiscard]] bool is_idle(Engine const& e) noexcept {
  core_state const& s = e.state;
  return !s.tick_wanted && s.changed.empty() && s.arrivals.empty() && s.stops.empty() &&
         s.next_alarm() > s.now &&
         (s.queues.active().empty() ||
          (!looks_at_queue(e.parts.allocator) && Engine::refuses_stops_timelessly));
}

/// Stage 1. Events change the state when they are reported; here the tick gets its number and a
/// clean sheet. Orders to stop that events gave rise to (cancel, node lost) wait in state.stops.
template <class Engine>
void apply_events(Engine& e) noexcept {
  begin_plan(e.state);
  workspace& w = e.work;
  w.batch.clear();
  w.parts.clear();
  w.cursor = 0;
  w.problem = {};
  w.effort = batch_effort::together;
  w.head_blocked = false;
  w.promised_start = never;
  w.blocked_types = {};
}

/// May the earmark of this job still lead to a start? Nothing starts on a node that is not up.
[[nodiscard]] inline bool is_earmark_good(core_state const& s, std::uint32_t slot) noexcept {
  bool good = !s.books.job(slot).earmark_broken;
  s.books.for_each_earmark(slot, [&](booking const& line) {
    good = good && s.books.node(line.node).spec.health == node_health::up;
  });
  return good;
}

/// Reservations whose GPUs have all become empty are claimed, by all jobs of a group at once. Those
/// that are broken, or incomplete for too long, are dropped.
inline void settle_reservations(core_state& s) noexcept {
  for (std::size_t i = 0; i < s.reserving.size();) {
    std::uint32_t const first = s.reserving[i];
    bool good = true;
    bool complete = true;
    for_each_of_group(s, first, [&](std::uint32_t slot) {
      good = good && is_earmark_good(s, slot);
      complete = complete && !awaits_others(s, slot);
    });
    good = good && (complete || s.jobs[first].earmark_until > s.now);
    if (good && !complete) {
      ++i;
      continue;
    }
    // Its group is in the list behind it: what was before has been found to wait.
    for_each_of_group(s, first, [&](std::uint32_t slot) {
      if (good) {
        s.group_next[slot] = no_index;
        s.books.claim_earmark(slot);
        drop_reservation(s, slot);  // the earmark is empty by now; this leaves the list
        begin_launch(s, slot);
        s.starts.push_back(slot);
      } else {
        give_up_earmark(s, slot);
      }
    });
  }
}

/// Stage 2. Reservations are settled, and orders to stop that serve nobody any more are withdrawn;
/// alarms of policies and back-offs put their jobs among the changed.
template <class Engine>
void expire(Engine& e) noexcept {
  core_state& s = e.state;
  while (s.timers.next() <= s.now) {
    s.touch(s.timers.pop());
  }
  settle_reservations(s);
  withdraw_idle_orders(s);
}

/// The jobs of a complete group enter together; others alone. False: it stays outside.
template <class Engine>
bool may_enter(Engine& e, std::uint32_t first) noexcept {
  core_state& s = e.state;
  std::int32_t present = 0;
  for_each_of_group(s, first, [&](std::uint32_t) { ++present; });
  bool complete = true;
  bool admitted = true;
  for_each_of_group(s, first, [&](std::uint32_t slot) {
    complete = complete && present >= s.jobs[slot].spec.group_size;
    admitted = admitted && complete && e.parts.admission.admit(s.view(slot), e.context());
  });
  s.reason[first] = complete ? wait_reason::not_admitted : wait_reason::group_incomplete;
  return admitted;
}

/// Stage 3. Admission is asked about every job that is not in yet, in submit order.
template <class Engine>
void admit(Engine& e) noexcept {
  core_state& s = e.state;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.arrivals.size(); ++i) {
    job_id const id = s.arrivals[i];
    auto const slot = s.jobs.find(id);
    if (!slot || s.jobs[*slot].state != job_state::submitted) {
      continue;
    }
    if (!may_enter(e, *slot)) {
      s.arrivals[kept++] = id;
      continue;
    }
    for_each_of_group(s, *slot, [&](std::uint32_t entering) {
      step(s, entering, job_event::admit);
      s.reason[entering] = wait_reason::not_decided;
      s.touch(entering);
    });
  }
  s.arrivals.truncate(kept);
}

}  // namespace detail
BERTH_NAMESPACE_END
