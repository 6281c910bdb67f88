// SPDX-License-Identifier: BSL-1.0
// Estimates and ranks of the jobs that changed, and the candidates of this tick.
#pragma once

#include <berth/core/config.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/feasibility.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/tenants.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Whatever a predictor answers, an estimate is at least a millisecond, and what is beyond
/// max_duration is unknown.
[[nodiscard]] constexpr estimate in_range(estimate const& answer) noexcept {
  auto const bounded = [](duration value) {
    return value > max_duration ? forever : std::max(duration{1}, value);
  };
  return {bounded(answer.p10), bounded(answer.p50), bounded(answer.p90)};
}

/// Keeps what the predictor knows of the job's epochs.
template <class Engine>
void keep_epochs(Engine& e, std::uint32_t slot) noexcept {
  if constexpr (epoch_predictor<typename Engine::predictor_type>) {
    core_state& s = e.state;
    epoch_clock const said =
        e.parts.predictor.epochs(s.view(slot), e.data[slot].predictor, e.context());
    bool const known = said.period > duration{0} && said.period <= max_duration;
    bool const dated =
        known && said.began <= s.now && said.began.time_since_epoch() >= -max_instant;
    s.jobs[slot].measured_epoch = known ? said.period : duration{0};
    s.jobs[slot].epoch_began = dated ? said.began : never;
  }
}

/// Stage 4. The predictor is asked about the jobs that changed. O(changed).
template <class Engine>
void predict(Engine& e) noexcept {
  core_state& s = e.state;
  for (std::uint32_t const slot : s.changed) {
    if (s.jobs.is_used(slot)) {
      bool const is_new = s.jobs[slot].estimated_at == never;
      s.jobs[slot].remaining = in_range(
          ask_remaining(e.parts.predictor, s.view(slot), e.data[slot].predictor, e.context()));
      if (is_new && s.jobs[slot].remaining.p50 != forever &&
          can_ever_run(s, e.work, s.jobs[slot].form)) {
        s.fluid.arrive(gpu_time{s.jobs[slot].form.gpus(), s.jobs[slot].remaining.p50},
                       s.books.gpu_total(), s.now);
      }
      s.jobs[slot].estimated_at = s.now;
      keep_epochs(e, slot);
    }
  }
}

/// Of the jobs of a group that has not started, one stands in the queue for all.
[[nodiscard]] inline bool leads_its_group(core_state const& s, std::uint32_t slot) noexcept {
  if (s.group_next[slot] == no_index) {
    return true;
  }
  for (std::uint32_t at = s.group_next[slot]; at != slot; at = s.group_next[at]) {
    if (s.jobs[at].sequence < s.jobs[slot].sequence) {
      return false;
    }
  }
  return true;
}

/// Gives the queue's first job to the merge, unless the queue is out for this tick. An entry of a
/// job that is no longer the first becomes stale, and is recognised when it comes up.
inline void offer(core_state& s, std::uint32_t queue) noexcept {
  shape_queue& q = s.queues[queue];
  bool const out = q.blocked_in_tick == s.tick_number || s.queues.is_parked(queue);
  if (q.size == 0 || out || q.offered == q.root || s.ready.full()) {
    return;
  }
  q.offered = q.root;
  s.ready.push(s.jobs, q.rank, queue, q.root);
}

/// When something about this job changes by itself: its rank, its earmark, its back-off, its
/// protection from preemption.
template <class Engine>
void set_alarm(Engine& e, std::uint32_t slot) noexcept {
  core_state& s = e.state;
  job_record const& job = s.jobs[slot];
  time_point alarm =
      ask_next_change(e.parts.policy, s.view(slot), e.data[slot].policy, e.context());
  if (alarm <= s.now) {
    alarm = s.now + duration{1};  // a policy that answers "now" again is asked again, not for ever
  }
  if (job.state == job_state::reserving) {
    alarm = std::min(alarm, job.earmark_until);
  }
  if (job.state == job_state::pending && job.not_before > s.now) {
    alarm = std::min(alarm, job.not_before);
  }
  if (s.config.minimum_run > duration{0} && job.run_since != never) {
    time_point const protected_until = saturating_add(job.run_since, s.config.minimum_run);
    alarm = protected_until > s.now ? std::min(alarm, protected_until) : alarm;
  }
  s.timers.set(slot, alarm);
}

/// Puts a holder where it stands in the order of yielding, or takes it out of it.
template <class Engine>
void rank_yielding(Engine& e, std::uint32_t slot) noexcept {
  if constexpr (allows_preemption<typename Engine::preemption_type>) {
    core_state& s = e.state;
    job_record const& job = s.jobs[slot];
    bool const on_gpus = job.state == job_state::launching || job.state == job_state::running;
    if (on_gpus && job.spec.preemptible) {
      s.rank_holder(slot);
    } else {
      s.yielding.erase(slot);
    }
  }
}

/// GPUs of one member, or of a part that must be on one node: what a node must have free at least
/// to be of use to this shape.
[[nodiscard]] inline int least_useful(shape const& form) noexcept {
  int least = max_gpus_per_node;
  for_each_part(form, 0, 0, any_type,
                [&](gang_part const& part) noexcept { least = std::min(least, part.gpus); });
  return std::max(1, least);
}

/// Nothing in the queue finds a place. Where others do not decide about it, it is parked until
/// something happens that may help it; else it is out for this tick.
template <class Engine>
void park(Engine& e, std::uint32_t queue) noexcept {
  core_state& s = e.state;
  shape_queue const& q = s.queues[queue];
  // What helps a group depends on all its jobs.
  if (looks_at_queue(e.parts.allocator) || q.form.group != group_id{}) {
    return;
  }
  using cost = typename Engine::preemption_type;
  bool const displaces = allows_preemption<cost> && can_displace_at_all(e, q.root);
  if (displaces && !Engine::refuses_stops_timelessly) {
    return;
  }
  s.queues.park(queue, displaces ? shape_queues::until_others_change
                                 : shape_queues::until_free(q.form.where, least_useful(q.form),
                                                            q.form.gpus()));
}

/// Wakes the queues that GPUs, CPU or memory which became free in this pool may help; false if none
/// did. O(types + GPUs per node + queues that wait for so much at least).
inline bool wake_where_freed(core_state& s, pool where) noexcept {
  int const types = s.books.type_count();
  std::int64_t all = 0;
  int most = 0;
  for (int t = 0; t < types; ++t) {
    auto const type = static_cast<gpu_type>(t);
    most = std::max(most, s.books.gain(where, type));
    all += s.books.offered(where, type);
  }
  auto const may_help = [&](shape_queue const& q, int least) {
    std::int64_t sum = 0;
    bool helped = false;
    for (int t = 0; t < types; ++t) {
      auto const type = static_cast<gpu_type>(t);
      bool const allowed = q.form.allows(type);
      sum += allowed ? s.books.offered(where, type) : 0;
      helped = helped || (allowed && s.books.gain(where, type) >= least);
    }
    return helped && sum >= q.form.gpus();
  };
  for (int least = 1; least <= most; ++least) {
    std::uint32_t const last = shape_queues::until_free(where, least, all);
    for (std::uint32_t until = shape_queues::until_free(where, least, 1); until <= last; ++until) {
      s.queues.wake_parked(until, [&](shape_queue const& q) { return may_help(q, least); });
    }
  }
  return most > 0;
}

/// Wakes whom the events since the last tick may help.
inline void wake_queues(core_state& s) noexcept {
  bool freed = false;
  for (int p = 0; p < pool_count; ++p) {
    freed = wake_where_freed(s, static_cast<pool>(p)) || freed;
  }
  // Whom a job may displace, and what drains, changes in more ways than free GPUs do: where
  // anything happened, it looks again.
  if (freed || s.tick_wanted || !s.changed.empty()) {
    s.queues.wake_parked(shape_queues::until_others_change,
                         [](shape_queue const&) { return true; });
  }
}

/// What was given back improves the places of tenants: all candidates are put in order anew.
/// O(queues awake).
template <class Engine>
void offer_anew(Engine& e) noexcept {
  core_state& s = e.state;
  s.ready.clear();
  for (std::uint32_t const queue : s.queues.awake()) {
    s.queues[queue].offered = no_index;
    rank_tenant(e, queue);
    offer(s, queue);
  }
}

/// Stage 5. Jobs that changed are ranked anew; then the first job of every queue that is not parked
/// becomes a candidate. O(changed × log waiting + woken + candidates × log candidates).
template <class Engine>
void rank(Engine& e) noexcept {
  core_state& s = e.state;
  wake_queues(s);
  if (s.next_quota_change <= s.now) {
    s.queues.wake_all();
  }
  for (std::uint32_t const slot : s.changed) {
    s.is_changed[slot] = 0;
    if (!s.jobs.is_used(slot)) {
      continue;
    }
    job_record& job = s.jobs[slot];
    if (s.queues.contains(slot)) {
      s.queues.erase(s.jobs, slot);
    }
    job.key = e.key_of(slot);
    rank_yielding(e, slot);
    set_alarm(e, slot);
    if (job.state == job_state::pending && job.not_before <= s.now) {
      if (s.reason[slot] == wait_reason::back_off) {
        s.reason[slot] = wait_reason::not_decided;
      }
      (job.spec.where == pool::training ? s.sizing_due : s.loans_due) = true;
      if (job.target != 0 && leads_its_group(s, slot)) {
        s.queues.push(s.jobs, slot);
      }
    }
  }
  s.changed.clear();
  count_tenants(e);
  s.ready.clear();
  for (std::size_t i = 0; i < s.queues.awake().size();) {
    std::uint32_t const queue = s.queues.awake()[i];
    check_feasibility(s, e.work, queue);
    if (is_impossible(s.queues[queue].verdict)) {
      s.queues.park(queue, shape_queues::until_cluster_changes);
      continue;  // another queue is in its place now
    }
    s.queues[queue].offered = no_index;
    rank_tenant(e, queue);
    offer(s, queue);
    ++i;
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
