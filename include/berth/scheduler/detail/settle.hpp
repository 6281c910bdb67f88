// SPDX-License-Identifier: BSL-1.0
// The end of a batch: candidates whose parts all found a place are committed, the others undone
// whole.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/exchange_price.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/promise.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>
#include <berth/scheduler/detail/tenants.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Why a job that found no place waits, from the counters as they are now. A queue only remembers
/// that it found none: while it is parked the rest may change.
[[nodiscard]] inline wait_reason why_blocked(core_state const& s, std::uint32_t slot) noexcept {
  shape const& form = s.jobs[slot].form;
  std::int64_t offered = 0;
  for (int t = 0; t < s.books.type_count(); ++t) {
    auto const type = static_cast<gpu_type>(t);
    offered += form.allows(type) ? s.books.offered(form.where, type) : 0;
  }
  if (offered >= form.gpus()) {
    if (s.tick_wanted) {
      return wait_reason::not_decided;  // they became free since the last tick
    }
    return form.cpu_milli_per_gpu > 0 || form.memory_mib_per_gpu > 0 ? wait_reason::cpu_or_memory
                                                                     : wait_reason::fragmented;
  }
  return offered + s.books.total(gpu_state::reserved) >= form.gpus() ? wait_reason::reserved
                                                                     : wait_reason::no_gpus;
}

/// The dominant reason of one job: its own, or that of the queue in which it, or one of its group
/// for all, waits. O(jobs of its group).
[[nodiscard]] inline wait_reason why_waiting(core_state const& s, std::uint32_t slot) noexcept {
  wait_reason answer = s.reason[slot];
  for_each_of_group(s, slot, [&](std::uint32_t at) {
    if (s.queues.contains(at)) {
      wait_reason const verdict = s.queues[s.queues.queue_of(at)].verdict;
      bool const outranks = is_impossible(verdict) || answer == wait_reason::not_decided;
      answer = outranks ? verdict : answer;
    }
  });
  return answer == wait_reason::no_gpus ? why_blocked(s, slot) : answer;
}

/// Whoever was told to stop for this job drains from now on.
inline void commit_stops(core_state& s, std::uint32_t slot) noexcept {
  for (stop_order const& order : s.stops) {
    if (order.beneficiary == s.jobs[slot].id) {
      std::uint32_t const victim = order.job.slot();
      if (s.jobs[victim].state != job_state::draining) {
        step(s, victim, job_event::preempt);
        ++s.jobs[victim].preemptions;
        s.exchanges[victim] = s.exchanges[slot];
        s.jobs[victim].saves_at = order.saves_at;
        if (order.saves_at > s.now) {
          s.deferred.push_back(victim);
        }
      }
    }
  }
}

/// When the last of those that are to leave GPUs to a job begins to save. O(bookings on its nodes).
[[nodiscard]] inline time_point last_save_for(core_state const& s, std::uint32_t slot) noexcept {
  time_point last = s.now;
  for_each_in_the_way(s, slot, [&](std::uint32_t other) {
    time_point const saves_at = s.jobs[other].saves_at;
    last = saves_at != never ? std::max(last, saves_at) : last;
  });
  return last;
}

/// Holds become a launch. Where others must leave first, all earmarks of the group become
/// reservations: its jobs start together.
inline void commit(core_state& s, std::uint32_t leader) noexcept {
  bool must_wait = false;
  time_point last_save = s.now;
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    commit_stops(s, slot);
    must_wait = must_wait || awaits_others(s, slot);
    last_save = std::max(last_save, last_save_for(s, slot));
  });
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    if (!must_wait) {
      s.group_next[slot] = no_index;
      s.books.claim_earmark(slot);
      begin_launch(s, slot);
      s.starts.push_back(slot);
      return;
    }
    step(s, slot, job_event::reserve);
    s.jobs[slot].earmark_until = saturating_add(last_save, s.config.earmark_expiry);
    s.reason[slot] = wait_reason::draining_others;
    s.reserving.push_back(slot);
    s.touch(slot);
  });
}

/// Nothing has been told to the host yet: holds, earmarks and orders to stop vanish without a
/// trace. All earmarks of a group go before any victim is revived: one may profit from another's
/// victim.
inline void roll_back(core_state& s, workspace& w, std::uint32_t leader) noexcept {
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    s.books.for_each_hold(slot, [&](booking const& held) {
      for (promised_node& promise : w.promised) {
        bool const took = w.restricted && promise.node == held.node;
        promise.spare += took ? gpu_count(held.gpus) : 0;
      }
    });
    s.books.release_all(slot);
    s.books.drop_earmark(slot);
  });
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    s.exchanges[slot].made = false;
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
  });
}

/// Nothing in this queue finds a place in this tick. The first of all candidates may be promised
/// one.
template <class Engine>
void refuse(Engine& e, std::uint32_t slot, std::uint32_t queue, wait_reason why) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  if (weighs_exchanges<Engine> && w.not_worth_it[slot] == s.tick_number) {
    why = wait_reason::stops_do_not_pay;
  }
  s.queues[queue].blocked_in_tick = s.tick_number;
  s.queues.judge(queue, why);
  park(e, queue);
  shape const& form = s.jobs[slot].form;
  w.blocked_types[static_cast<std::size_t>(form.where)] |= form.types;
  if (!w.head_blocked) {
    w.head_blocked = true;
    if (e.parts.allocator.reserves_for_head()) {
      make_promise(e, slot);
    }
  }
}

/// What to try after a batch that placed nobody; `together` if nothing is left but to refuse its
/// only candidate.
[[nodiscard]] inline batch_effort next_effort(workspace const& w) noexcept {
  if (w.batch.size() > 1) {
    return batch_effort::alone;
  }
  if (w.evicting || w.effort == batch_effort::by_force) {
    return batch_effort::together;
  }
  if (w.effort != batch_effort::tightest && w.parts.size() > 1) {
    return batch_effort::tightest;
  }
  return w.restricted ? batch_effort::together : batch_effort::by_force;
}

/// Commits or undoes every candidate of the batch. Those that were undone are tried again: together
/// if others of the batch took their place, else with more effort; when none is left, the queue of
/// the only candidate is out for this tick.
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
  keep_stop_limit(e);
  bool placed_any = false;
  for (candidate const& c : w.batch) {
    placed_any = placed_any || c.complete;
  }
  batch_effort const effort =
      placed_any || w.batch.empty() ? batch_effort::together : next_effort(w);
  bool gave_back = false;
  for (candidate const& c : w.batch) {
    if (c.complete) {
      note_stops(e, c.job);
      commit(s, c.job);
      continue;
    }
    roll_back(s, w, c.job);
    put_back_quota(e, c.job);
    gave_back = true;
    bool const gives_up = !placed_any && effort == batch_effort::together;
    if (gives_up && w.restricted && !w.set_aside.full()) {
      // Only the promise may stand in its way; one behind it that ends sooner may still fit.
      s.reason[c.job] = wait_reason::reserved;
      w.set_aside.push_back(c.job);
      continue;
    }
    s.queues.push(s.jobs, c.job);
    std::uint32_t const queue = s.queues.queue_of(c.job);
    s.queues[queue].checked_epoch = s.cluster_epoch;
    if (gives_up) {
      refuse(e, c.job, queue, wait_reason::no_gpus);
    } else {
      offer(s, queue);
    }
  }
  w.effort = effort;
  if (has_quotas<Engine> && gave_back) {
    offer_anew(e);
  }
  w.batch.clear();
  w.parts.clear();
}

}  // namespace detail
BERTH_NAMESPACE_END
