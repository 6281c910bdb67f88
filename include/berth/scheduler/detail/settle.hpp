// SPDX-License-Identifier: BSL-1.0
// The end of a batch: candidates whose parts all found a place are committed, the others undone whole.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/promise.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Why a job that found no place waits, from the counters alone.
[[nodiscard]] inline wait_reason why_blocked(core_state const& s, std::uint32_t slot) noexcept {
  shape const& form = s.jobs[slot].form;
  std::int64_t offered = 0;
  for (int t = 0; t < s.books.type_count(); ++t) {
    auto const type = static_cast<gpu_type>(t);
    for (int f = 1; form.allows(type) && f <= max_gpus_per_node; ++f) {
      offered += std::int64_t{f} * s.books.free_nodes().count(form.where, type, f);
    }
  }
  if (offered >= form.gpus()) {
    return form.cpu_milli_per_gpu > 0 || form.memory_mib_per_gpu > 0 ? wait_reason::cpu_or_memory
                                                                     : wait_reason::fragmented;
  }
  return offered + s.books.total(gpu_state::reserved) >= form.gpus() ? wait_reason::reserved
                                                                     : wait_reason::no_gpus;
}

/// The dominant reason of one job: its own, or its queue's. O(1).
[[nodiscard]] inline wait_reason why_waiting(core_state const& s, std::uint32_t slot) noexcept {
  wait_reason const own = s.reason[slot];
  if (own != wait_reason::not_decided || !s.queues.contains(slot)) {
    return own;
  }
  return s.queues[s.queues.queue_of(slot)].verdict;
}

/// Calls visit(slot) for a candidate's job and those that start with it.
template <class Visit>
void for_each_of_group(core_state const& s, std::uint32_t slot, Visit&& visit) {
  std::uint32_t at = slot;
  do {
    std::uint32_t const following = s.group_next[at] == no_index ? slot : s.group_next[at];
    visit(at);
    at = following;
  } while (at != slot);
}

/// Holds become a launch; an earmark that others must leave first becomes a reservation.
inline void commit(core_state& s, std::uint32_t slot) noexcept {
  s.group_next[slot] = no_index;
  if (s.books.job(slot).gpus_earmarked == 0) {
    begin_launch(s, slot);
    s.starts.push_back(slot);
    return;
  }
  for (stop_order const& order : s.stops) {
    if (order.beneficiary == s.jobs[slot].id) {
      std::uint32_t const victim = order.job.slot();
      if (s.jobs[victim].state != job_state::draining) {
        step(s, victim, job_event::preempt);
        ++s.jobs[victim].preemptions;
      }
    }
  }
  if (s.books.job(slot).gpus_promised == 0) {
    s.books.claim_earmark(slot);
    begin_launch(s, slot);
    s.starts.push_back(slot);
    return;
  }
  step(s, slot, job_event::reserve);
  s.jobs[slot].earmark_until = saturating_add(s.now, s.config.earmark_expiry);
  s.reason[slot] = wait_reason::draining_others;
  s.reserving.push_back(slot);
  s.touch(slot);
}

/// Nothing has been told to the host yet: holds, earmarks and orders to stop vanish without a trace.
inline void roll_back(core_state& s, workspace& w, std::uint32_t slot) noexcept {
  s.books.release_all(slot);
  s.books.drop_earmark(slot);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.stops.size(); ++i) {
    stop_order const order = s.stops[i];
    if (order.beneficiary == s.jobs[slot].id) {
      s.books.revive(order.job.slot());
      w.victims[order.job.slot()].doomed = false;
    } else {
      s.stops[kept++] = order;
    }
  }
  s.stops.truncate(kept);
}

/// Nothing in this queue finds a place in this tick. The first of all candidates may be promised one.
template <class Engine>
void refuse(Engine& e, std::uint32_t slot, std::uint32_t queue, wait_reason why) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  s.queues[queue].blocked_in_tick = s.tick_number;
  s.queues[queue].verdict = why;
  w.blocked_types |= s.jobs[slot].form.types;
  if (!w.head_blocked) {
    w.head_blocked = true;
    if (e.parts.allocator.reserves_for_head()) {
      make_promise(e, slot);
    }
  }
}

/// Commits or undoes every candidate of the batch. One that was undone gets a second try, alone, if others
/// of its batch took its place; else its queue is out for this tick.
template <class Engine>
void settle(Engine& e) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  for (candidate& c : w.batch) {
    c.complete = true;
  }
  for (gang_part const& part : w.parts) {
    w.batch[part.order].complete = w.batch[part.order].complete && part.placed;
  }
  for (candidate const& c : w.batch) {
    if (c.complete) {
      for_each_of_group(s, c.job, [&](std::uint32_t slot) { commit(s, slot); });
      continue;
    }
    for_each_of_group(s, c.job, [&](std::uint32_t slot) { roll_back(s, w, slot); });
    s.queues.push(s.jobs, c.job);
    std::uint32_t const queue = s.queues.queue_of(c.job);
    s.queues[queue].checked_epoch = s.cluster_epoch;
    bool const alone = w.batch.size() == 1;
    if (alone) {
      refuse(e, c.job, queue, why_blocked(s, c.job));
    } else {
      offer(s, queue);
    }
  }
  w.batch.clear();
  w.parts.clear();
}

}  // namespace detail
BERTH_NAMESPACE_END
