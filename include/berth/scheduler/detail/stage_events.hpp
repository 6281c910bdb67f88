// SPDX-License-Identifier: BSL-1.0
// The first stages of a tick: what happened since the last one, what has run out, who may enter.
#pragma once

#include <berth/core/config.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Stage 1. Events change the state when they are reported; here the tick gets its number and a clean
/// sheet. Orders to stop that events gave rise to (cancel, node lost) wait in state.stops.
template <class Engine>
void apply_events(Engine& e) noexcept {
  ++e.state.tick_number;
  e.state.actions.clear();
  e.state.ranges.clear();
  e.state.starts.clear();
  workspace& w = e.work;
  w.batch.clear();
  w.parts.clear();
  w.cursor = 0;
  w.problem = {};
  w.head_blocked = false;
  w.promised_start = never;
  w.blocked_types = 0;
}

/// GPUs that were earmarked for it have become empty: it takes them.
inline void claim_reservation(core_state& s, std::uint32_t slot) noexcept {
  s.books.claim_earmark(slot);
  drop_reservation(s, slot);  // the earmark is empty by now; this leaves the list
  begin_launch(s, slot);
  s.starts.push_back(slot);
}

/// Stage 2. Earmarks that are complete are claimed, those that are broken or too old dropped; alarms of
/// policies and back-offs put their jobs among the changed.
template <class Engine>
void expire(Engine& e) noexcept {
  core_state& s = e.state;
  while (s.timers.next() <= s.now) {
    s.touch(s.timers.pop());
  }
  for (std::size_t i = 0; i < s.reserving.size();) {
    std::uint32_t const slot = s.reserving[i];
    job_book const& book = s.books.job(slot);
    bool const dead = book.earmark_broken || s.jobs[slot].earmark_until <= s.now;
    if (!dead && book.gpus_promised > 0) {
      ++i;
    } else if (dead) {
      drop_reservation(s, slot);
      step(s, slot, job_event::unreserve);
      s.reason[slot] = wait_reason::not_decided;
      s.touch(slot);
    } else {
      claim_reservation(s, slot);
    }
  }
}

/// The jobs of a complete group enter together; others alone. False: it stays outside.
template <class Engine>
bool may_enter(Engine& e, std::uint32_t slot) noexcept {
  core_state& s = e.state;
  if (s.group_next[slot] != no_index) {
    std::int32_t present = 1;
    for (std::uint32_t at = s.group_next[slot]; at != slot; at = s.group_next[at]) {
      ++present;
    }
    if (present < s.jobs[slot].spec.group_size) {
      s.reason[slot] = wait_reason::group_incomplete;
      return false;
    }
  }
  if (!e.parts.admission.admit(s.view(slot), e.context())) {
    s.reason[slot] = wait_reason::not_admitted;
    return false;
  }
  return true;
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
    step(s, *slot, job_event::admit);
    s.reason[*slot] = wait_reason::not_decided;
    s.touch(*slot);
  }
  s.arrivals.truncate(kept);
}

}  // namespace detail
BERTH_NAMESPACE_END
