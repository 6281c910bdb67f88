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
#include <berth/scheduler/detail/resizing.hpp>
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

/// GPUs that the job could have if the cluster were empty: of one type, and together as it asks.
[[nodiscard]] inline std::int64_t most_in_reach(core_state const& s,
                                                job_record const& job) noexcept {
  shape const& form = job.form;
  std::int32_t const per_member = form.roles[0].gpus;
  std::int64_t most = 0;
  for (int t = 0; t < s.books.type_count(); ++t) {
    auto const type = static_cast<gpu_type>(t);
    std::int64_t sum = 0;
    std::int64_t largest = 0;
    std::int64_t nodes = 0;
    for (int gpus = per_member; gpus <= s.books.largest_node() && form.allows(type); ++gpus) {
      std::int64_t const count = s.books.nodes_of_size(form.where, type, gpus);
      sum += count * (gpus / per_member * per_member);
      nodes += count;
      largest = count > 0 ? gpus / per_member * per_member : largest;
    }
    most = std::max(most, form.layout == spread::same_node      ? largest
                          : form.layout == spread::one_per_node ? nodes * per_member
                                                                : sum);
  }
  return most;
}

/// Rungs that the empty cluster could host, and the least in any case.
[[nodiscard]] inline std::span<rung const> rungs_in_reach(core_state const& s,
                                                          std::uint32_t slot) noexcept {
  job_record const& job = s.jobs[slot];
  if (job.spec.min_gang == 0) {
    return s.ladders.of(slot).first(1);
  }
  std::int64_t const most =
      std::min(most_in_reach(s, job), std::int64_t{job.spec.gang} * job.spec.gpus_per_member);
  auto const all = s.ladders.of(slot);
  std::size_t count = all.size();
  while (count > 1 && all[count - 1].size > most) {
    --count;
  }
  return all.first(count);
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

/// GPUs of the training pool that are free or will be: jobs leave them for nobody in particular.
[[nodiscard]] inline std::int64_t free_for_training(core_state const& s) noexcept {
  std::int64_t sum = 0;
  for (int t = 0; t < s.books.type_count(); ++t) {
    sum += s.books.offered(pool::training, static_cast<gpu_type>(t));
  }
  for (std::uint32_t const n : s.books.draining_nodes()) {
    node_book const& node = s.books.node(n);
    bool const back = node.spec.owner == pool::training && node.spec.health == node_health::up;
    sum += back ? gpu_count(node.in(gpu_state::draining) & ~node.lost) : 0;
  }
  return sum;
}

/// Puts the problem. O(jobs).
template <class Engine>
[[nodiscard]] sizing_problem put_problem(Engine& e) noexcept {
  core_state const& s = e.state;
  sizing_round& round = e.work.sizing;
  round.jobs.clear();
  round.slots.clear();
  round.growers.clear();
  std::int64_t capacity = free_for_training(s);
  for (std::uint32_t slot = 0; slot < s.jobs.ever_used(); ++slot) {
    if (!s.jobs.is_used(slot)) {
      continue;
    }
    if (is_sized_holder(s, slot)) {
      capacity += s.jobs[slot].gpus_held;
      put_job(e, slot);
    } else if (is_sized_waiter(s, slot)) {
      put_job(e, slot);
    }
  }
  return {round.jobs.view(), static_cast<std::int32_t>(capacity)};
}

/// Which GPUs a job gives up: those of the node on which it has the fewest, so that it spans fewer
/// nodes; of equals, where most is free, so that nodes become whole. O(nodes² of the job).
inline void shrink(core_state& s, std::uint32_t slot, std::int32_t gpus) noexcept {
  std::int32_t surplus = s.jobs[slot].gpus_held - gpus;
  std::int32_t const per_member = s.jobs[slot].form.roles[0].gpus;
  while (surplus > 0) {
    booking chosen;
    int fewest = std::numeric_limits<int>::max();
    int freest = -1;
    s.books.for_each_hold(slot, [&](booking const& held) {
      int const kept = gpu_count(held.gpus & ~s.books.leaving(held));
      int const empty = gpu_count(s.books.node(held.node).offered());
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
  }
  order_resize(s, slot, gpus);
}

/// All its GPUs go to others. It saves what it can, as its preemption cost says.
template <class Engine>
void outbid(Engine& e, std::uint32_t slot) noexcept {
  core_state& s = e.state;
  suspension const how = e.parts.preemption.suspend(s.view(slot), e.context());
  if (!how.allowed) {
    return;
  }
  order_stop(s, slot, stop_reason::outbid, job_id{}, how);
  step(s, slot, job_event::preempt);
  ++s.jobs[slot].preemptions;
  s.jobs[slot].saves_at = s.stops.view().back().saves_at;
  s.jobs[slot].target = 0;
}

/// A job that waits enters the queue of its gang, or none.
inline void size_waiter(core_state& s, std::uint32_t slot, std::int32_t gpus) noexcept {
  job_record& job = s.jobs[slot];
  bool const queued = s.queues.contains(slot);
  bool const stays = queued && gpus == job.form.gpus();
  job.target = gpus;
  if (stays) {
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
  s.reason[slot] = wait_reason::not_decided;
  s.queues.push(s.jobs, slot);
}

/// Carries the answer out as far as it gives GPUs up.
template <class Engine>
void apply_sizes(Engine& e, std::span<std::int32_t const> sizes) noexcept {
  core_state& s = e.state;
  sizing_round& round = e.work.sizing;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::uint32_t const slot = round.slots[i];
    std::int32_t const held = s.jobs[slot].gpus_held;
    if (held == 0) {
      size_waiter(s, slot, sizes[i]);
      continue;
    }
    s.jobs[slot].target = sizes[i];
    if (sizes[i] == 0) {
      outbid(e, slot);
    } else if (sizes[i] < held) {
      shrink(s, slot, sizes[i]);
    } else if (sizes[i] > held) {
      round.growers.push_back(slot);
    }
  }
}

template <class Engine>
[[nodiscard]] bool is_sizing_due(Engine const& e) noexcept {
  return sizing_allocator<typename Engine::allocator_type> &&
         (e.state.sizing_due || e.state.next_sizing <= e.state.now);
}

/// Begins stage 6 where the allocator sizes jobs. Without an answer of the rule nothing changes.
/// O(jobs) beside the rule, if anything happened that may change sizes.
template <class Engine>
void size_jobs(Engine& e) noexcept {
  if constexpr (sizing_allocator<typename Engine::allocator_type>) {
    core_state& s = e.state;
    sizing_round& round = e.work.sizing;
    if (!is_sizing_due(e)) {
      return;
    }
    s.sizing_due = false;
    sizing_problem const problem = put_problem(e);
    s.next_sizing = problem.jobs.empty() || e.parts.allocator.period() == forever
                        ? never
                        : saturating_add(s.now, e.parts.allocator.period());
    auto const answer = e.parts.allocator.size(problem, round.memory);
    BERTH_ASSERT(answer.has_value(), "the problem is well formed and fits the workspace");
    if (answer) {
      apply_sizes(e, answer.value().sizes);
    }
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
