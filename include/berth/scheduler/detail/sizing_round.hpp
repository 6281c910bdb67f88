// SPDX-License-Identifier: BSL-1.0
// How many GPUs every job of the training pool gets, where the allocator sizes jobs: the problem is
// put, the rule answers, and jobs that have more than they should give GPUs up at once. Those that
// wait get the gang with which they may start; those that should grow do so after the matching, out
// of what is free then.
#pragma once

#include <berth/concepts/sizing_allocator.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/booking.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/loans.hpp>
#include <berth/scheduler/detail/resizing.hpp>
#include <berth/scheduler/detail/size_reach.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Waits and may start. Jobs that start together keep the gangs they were submitted with.
[[nodiscard]] inline bool is_sized_waiter(core_state const& s, std::uint32_t slot) noexcept {
  job_record const& job = s.jobs[slot];
  return job.state == job_state::pending && job.not_before <= s.now &&
         job.spec.group == group_id{} && job.spec.where == pool::training &&
         !(s.queues.contains(slot) && is_impossible(s.queues[s.queues.queue_of(slot)].verdict));
}
/// Runs and may be told to go on with other GPUs, or to stop.
[[nodiscard]] inline bool is_sized_holder(core_state const& s, std::uint32_t slot) noexcept {
  job_record const& job = s.jobs[slot];
  return job.state == job_state::running && job.spec.preemptible && job.spec.group == group_id{} &&
         job.spec.where == pool::training && s.view(slot).run_time() >= s.config.minimum_run;
}

/// What is left of a job at unit_rung_speed of its ladder. Of one whose end nobody knows, as much
/// as it has done: it is expected to go on for as long as it has run.
[[nodiscard]] inline duration left_at_unit(core_state const& s, std::uint32_t slot) noexcept {
  job_view const job = s.view(slot);
  duration const left = job.remaining().p50;
  duration const unknown = std::max<duration>(job.executed(), std::chrono::minutes{1});
  gpu_time const work{job.speed(), left == forever ? unknown : left};
  gpu_time const all{s.ladders.unit(slot), duration{work.count() / unit_speed}};
  return std::clamp(duration{all.count()}, duration{1}, max_duration);
}

template <class Engine>
void put_job(Engine& e, std::uint32_t slot) noexcept {
  core_state const& s = e.state;
  job_view const job = s.view(slot);
  elastic_job put;
  put.id = job.id();
  put.ladder = rungs_in_reach(s, slot);
  put.remaining = left_at_unit(s, slot);
  put.current = job.gpus_held();
  put.resize = ask_resize(e.parts.preemption, job, e.context());
  put.age = std::clamp(saturating_sub(s.now, job.submitted()), duration{0}, max_duration);
  put.restarts = s.jobs[slot].preemptions + s.jobs[slot].change;
  e.work.sizing.jobs.push_back(put);
  e.work.sizing.slots.push_back(slot);
}

/// Puts the problem. O(jobs).
template <class Engine>
[[nodiscard]] sizing_problem put_problem(Engine& e) noexcept {
  core_state const& s = e.state;
  sizing_round& round = e.work.sizing;
  round.jobs.clear();
  round.slots.clear();
  round.growers.clear();
  round.lendable = lendable(s);
  std::int64_t at_home = free_soon(s, pool::training);
  std::int64_t on_loan = round.lendable;
  for (std::uint32_t const slot : s.holders.members()) {
    if (is_sized_holder(s, slot)) {
      std::int32_t const lent = s.lends ? borrowed_by(s, slot) : 0;
      on_loan += lent;
      at_home += s.jobs[slot].gpus_held - lent;
      put_job(e, slot);
    }
  }
  for (std::uint32_t slot = 0; slot < s.jobs.ever_used(); ++slot) {
    if (s.jobs.is_used(slot) && is_sized_waiter(s, slot)) {
      // What it needs has to be in one pool, and in its own unless it may be on loan altogether.
      std::int32_t const least = s.ladders.of(slot).front().size;
      if (least <= room_at_home(s, slot, at_home) || least <= room_on_loan(s, slot, on_loan)) {
        put_job(e, slot);
      }
    }
  }
  std::int64_t const capacity = at_home + on_loan;
  return {round.jobs.view(), static_cast<std::int32_t>(capacity)};
}

/// Which GPUs a job gives up: those on loan first; then those of the node on which it has the
/// fewest, so that it spans fewer nodes; of equals, where most is free, so that nodes become whole.
/// O(nodes² of the job).
inline void shrink(core_state& s, std::uint32_t slot, std::int32_t gpus,
                   stop_reason reason) noexcept {
  std::int32_t surplus = s.jobs[slot].gpus_held - gpus;
  std::int32_t lent = borrowed_by(s, slot);
  std::int32_t const per_member = s.jobs[slot].form.roles[0].gpus;
  while (surplus > 0) {
    booking chosen;
    int fewest = std::numeric_limits<int>::max();
    int freest = -1;
    s.books.for_each_hold(slot, [&](booking const& held) {
      int const kept = gpu_count(held.gpus & ~s.books.leaving(held));
      int const empty = gpu_count(s.books.node(held.node).offered());
      if (lent > 0 && s.books.node(held.node).spec.owner != pool::inference) {
        return;
      }
      if (kept > 0 && (kept < fewest || (kept == fewest && empty > freest))) {
        fewest = kept;
        freest = empty;
        chosen = held;
      }
    });
    int const left = std::max(per_member, std::min(fewest, surplus) / per_member * per_member);
    gpu_mask gone = chosen.gpus & ~s.books.leaving(chosen);
    for (int keep = fewest - left; keep > 0; --keep) {
      gone &= gone - 1;
    }
    s.books.leave(slot, chosen.node, gone);
    surplus -= left;
    lent -= lent > 0 ? left : 0;
  }
  order_resize(s, slot, gpus, reason);
}

/// All its GPUs go to others. It saves what it can, as its preemption cost says; false if that
/// forbids a stop.
template <class Engine>
bool stop_for_others(Engine& e, std::uint32_t slot, stop_reason reason) noexcept {
  core_state& s = e.state;
  suspension const how = e.parts.preemption.suspend(s.view(slot), e.context());
  if (!how.allowed) {
    return false;
  }
  order_stop(s, slot, reason, job_id{}, how);
  step(s, slot, job_event::preempt);
  ++s.jobs[slot].preemptions;
  s.jobs[slot].saves_at = s.stops.view().back().saves_at;
  s.jobs[slot].target = 0;
  return true;
}

/// A job that waits enters the queue of its gang, or none.
inline void size_waiter(core_state& s, sizing_round& round, std::uint32_t slot,
                        std::int32_t target) noexcept {
  job_record& job = s.jobs[slot];
  auto const [gpus, where] = target > 0 ? place_of_waiter(s, round, slot, target) : waiter_place{};
  bool const queued = s.queues.contains(slot);
  job.target = target;
  if (queued && gpus == job.form.gpus() && where == job.form.where) {
    return;
  }
  if (queued) {
    s.queues.erase(s.jobs, slot);
  }
  if (gpus == 0) {
    s.reason[slot] = wait_reason::outbid;
    return;
  }
  set_gang(s, slot, gpus);
  job.form.where = where;
  s.reason[slot] = wait_reason::not_decided;
  s.queues.push(s.jobs, slot);
  offer(s, s.queues.queue_of(slot));
}

/// Carries the answer out as far as it gives GPUs up.
template <class Engine>
void apply_sizes(Engine& e, std::span<std::int32_t const> sizes) noexcept {
  core_state& s = e.state;
  sizing_round& round = e.work.sizing;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::uint32_t const slot = round.slots[i];
    std::int32_t const held = s.jobs[slot].gpus_held;
    if (round.jobs[i].current == 0) {
      continue;
    }
    s.jobs[slot].target = sizes[i];
    if (sizes[i] == 0) {
      stop_for_others(e, slot, stop_reason::outbid);
    } else if (sizes[i] < held) {
      shrink(s, slot, sizes[i], stop_reason::outbid);
    } else if (sizes[i] > held) {
      round.growers.push_back(slot);
    }
  }
  round.free_at_home = free_soon(s, pool::training);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (round.jobs[i].current == 0) {
      size_waiter(s, round, round.slots[i], sizes[i]);
    }
  }
}

/// Replicas come and go all the time: it concerns training only where their GPUs may be lent.
template <class Engine>
[[nodiscard]] bool is_sizing_due(Engine const& e) noexcept {
  core_state const& s = e.state;
  return sizing_allocator<typename Engine::allocator_type> &&
         (s.sizing_due || s.next_sizing <= s.now || (s.spare_due && lendable(s) > 0));
}

/// Begins stage 6 where the allocator sizes jobs. Without an answer of the rule nothing changes.
/// O(jobs) beside the rule, if anything happened that may change sizes.
template <class Engine>
void size_jobs(Engine& e) noexcept {
  if constexpr (sizing_allocator<typename Engine::allocator_type>) {
    core_state& s = e.state;
    sizing_round& round = e.work.sizing;
    bool const due = is_sizing_due(e) && !round.has_recalled;
    s.spare_due = false;
    if (!due) {
      return;
    }
    s.sizing_due = false;
    sizing_problem const problem = put_problem(e);
    bool const asks_again = s.jobs.size() > 0 && e.parts.allocator.period() != forever;
    s.next_sizing = asks_again ? saturating_add(s.now, e.parts.allocator.period()) : never;
    auto const answer = e.parts.allocator.size(problem, round.memory);
    BERTH_ASSERT(answer.has_value(), "the problem is well formed and fits the workspace");
    if (answer) {
      apply_sizes(e, answer.value().sizes);
    }
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
