// SPDX-License-Identifier: BSL-1.0
// Who may have how many GPUs now: candidates are taken in rank order into a batch as long as the
// batch fits, then the batch is cut into matching problems, the largest gangs first.
#pragma once

#include <berth/core/config.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/exchange_price.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/growing.hpp>
#include <berth/scheduler/detail/moves.hpp>
#include <berth/scheduler/detail/promise.hpp>
#include <berth/scheduler/detail/settle.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>
#include <berth/scheduler/detail/tenants.hpp>
#include <berth/scheduler/detail/victims.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Counts of what the batch may use.
inline void begin_packing(core_state const& s, workspace& w) noexcept {
  w.counts.load(s.books);
  if (w.restricted) {
    for (promised_node const& kept : w.promised) {
      node_book const& node = s.books.node(kept.node);
      int const free_gpus = gpu_count(node.offered());
      w.counts.move_node(node.spec.owner, node.spec.type, free_gpus,
                         std::min(free_gpus, kept.spare));
    }
  }
  w.pack.begin(w.counts);
}

/// Parts of a candidate: of its job, and of the jobs that start with it. False if there is no room.
inline bool append_parts(core_state const& s, workspace& w, std::uint32_t slot,
                         type_mask types) noexcept {
  auto const order = static_cast<std::uint32_t>(w.batch.size());
  bool room = true;
  std::uint32_t at = slot;
  do {
    for_each_part(s.jobs[at].form, at, order, types,
                  [&](gang_part const& part) { room = w.parts.push_back(part) && room; });
    at = s.group_next[at] == no_index ? slot : s.group_next[at];
  } while (at != slot);
  return room;
}

/// Could GPUs that drain, and displacing others, give this job its GPUs, by number alone? It needs
/// no victim yet to claim what drains: whoever started there meanwhile would be displaced by it.
/// O(victims needed).
template <class Engine>
bool could_displace(Engine& e, std::uint32_t slot) noexcept {
  if constexpr (!allows_preemption<typename Engine::preemption_type>) {
    return false;
  } else {
    core_state const& s = e.state;
    if (!can_displace_at_all(e, slot)) {
      return false;
    }
    if constexpr (has_quotas<Engine>) {
      if (stops_left(e) <= 0) {
        return false;
      }
    }
    // GPUs that drain may be had without anybody stopping.
    if (s.books.total(gpu_state::draining) == 0 && !may_pay(e, slot, gpu_time::zero())) {
      return false;
    }
    price_victims(e);
    std::int64_t const missing =
        s.jobs[slot].form.gpus() - s.books.offered() - s.books.total(gpu_state::draining);
    std::int64_t left = missing;
    do {
      left = missing;
      for (std::size_t i = 0; i < e.work.victim_order.size() && left > 0; ++i) {
        std::uint32_t const victim = e.work.victim_order[i];
        left -= is_victim_of(e, slot, victim) ? s.jobs[victim].gpus_held : 0;
      }
      // Whether the rest could suffice is cheaper to know than who they are.
    } while (left > 0 && may_find_more(s, e.work, slot) &&
             s.yielding.gpus_behind(s.waiter_key(slot)) >= missing && widen_victims(e, slot));
    return left <= 0;
  }
}

/// Takes the candidate out of its queue; the next one of the queue becomes a candidate.
inline void accept(core_state& s, workspace& w, std::uint32_t slot, std::uint32_t queue) noexcept {
  w.batch.push_back({slot, queue, false});
  s.reason[slot] = wait_reason::not_decided;
  s.ready.pop();
  s.queues[queue].offered = no_index;
  bool const last = s.queues[queue].size == 1;
  s.queues.erase(s.jobs, slot);
  if (!last) {
    offer(s, queue);
  }
}

/// The candidate found no place, so none behind it in its queue does.
template <class Engine>
void block(Engine& e, std::uint32_t slot, std::uint32_t queue, wait_reason why) noexcept {
  e.state.ready.pop();
  e.state.queues[queue].offered = no_index;
  refuse(e, slot, queue, why);
  if (e.parts.allocator.reserves_for_head()) {
    begin_packing(e.state, e.work);  // the promise was made with the same tools
  }
}

/// Is the candidate's tenant still the one to be served, and does its quota cover it? If not, the
/// queue goes back to its new place, or is out for this tick; it blocks nobody, and is promised
/// nothing.
template <class Engine>
[[nodiscard]] bool may_use_quota(Engine& e, std::uint32_t slot, std::uint32_t queue,
                                 tenant_rank const& rank) noexcept {
  if constexpr (has_quotas<Engine>) {
    core_state& s = e.state;
    rank_tenant(e, queue);
    if (s.queues[queue].rank != rank) {  // its tenant has been given GPUs since it was offered
      s.ready.pop();
      s.queues[queue].offered = no_index;
      offer(s, queue);
      return false;
    }
    if (quota_answer const said = ask_quota(e, slot); said != quota_answer::yes) {
      s.ready.pop();
      s.queues[queue].offered = no_index;
      s.queues[queue].blocked_in_tick = s.tick_number;
      s.queues.judge(queue, reason_of(said));
      return false;
    }
  }
  return true;
}

/// The candidate would fit but for the promise: one behind it, which ends sooner, may still.
inline void pass_over(core_state& s, workspace& w, std::uint32_t slot,
                      std::uint32_t queue) noexcept {
  s.ready.pop();
  s.queues[queue].offered = no_index;
  if (w.set_aside.full()) {
    s.queues[queue].blocked_in_tick = s.tick_number;
    s.queues.judge(queue, wait_reason::reserved);
    return;
  }
  s.reason[slot] = wait_reason::reserved;
  w.set_aside.push_back(slot);
  bool const last = s.queues[queue].size == 1;
  s.queues.erase(s.jobs, slot);
  if (!last) {
    offer(s, queue);
  }
}

/// The promise is all that stands in this job's way.
inline bool would_fit_without_promise(core_state const& s, workspace& w, std::uint32_t slot,
                                      type_mask types) noexcept {
  w.restricted = false;
  begin_packing(s, w);
  append_parts(s, w, slot, types);
  bool const fits = w.pack.fits(w.parts.view(), 0, w.part_order);
  w.parts.clear();
  w.restricted = true;
  begin_packing(s, w);
  return fits;
}

/// Makes a batch of the reserving job that may move next, if it would fit by number. The GPUs that
/// it has already are among those that it may use.
template <class Engine>
bool begin_move(Engine& e) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  std::uint32_t const leader = w.moves.back();
  w.moves.pop_back();
  shape const& form = s.jobs[leader].form;
  queue_state const before{w.blocked_types[static_cast<std::size_t>(form.where)],
                           w.promised_start != never, w.promised_start};
  grant const allowed = e.parts.allocator.allocate(s.view(leader), before, e.context());
  if (allowed.gpus < form.gpus()) {
    return false;
  }
  bool const was_restricted = w.restricted;
  w.restricted = w.promised_start != never && !allowed.may_use_promised_gpus;
  lift_earmarks(s, w, leader);
  begin_packing(s, w);
  w.moving =
      append_parts(s, w, leader, allowed.types) && w.pack.fits(w.parts.view(), 0, w.part_order);
  if (w.moving) {
    w.batch.push_back({leader, no_index, false});
    return true;
  }
  w.parts.clear();
  put_back_earmarks(s, w);
  w.restricted = was_restricted;
  begin_packing(s, w);
  return false;
}

/// Fills the batch with the next candidates in rank order that fit together; or, where the next one
/// does not fit, with those of its size that may displace others. False if no candidate is left.
template <class Engine>
bool collect_batch(Engine& e) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  w.batch.clear();
  w.parts.clear();
  w.evicting = false;
  w.restricted = false;
  begin_packing(s, w);
  while ((!s.ready.empty() || !w.moves.empty()) && !w.batch.full()) {
    if (is_move_next(s, w)) {
      if (!w.batch.empty() || begin_move(e)) {
        return true;
      }
      continue;
    }
    auto const [key, sequence, queue, job, rank] = s.ready.top();
    shape_queue& q = s.queues[queue];
    if (q.size == 0 || q.root != job || q.offered != job) {  // stale
      s.ready.pop();
      offer(s, queue);
      continue;
    }
    if (!may_use_quota(e, job, queue, rank)) {
      continue;
    }
    queue_state const before{w.blocked_types[static_cast<std::size_t>(q.form.where)],
                             w.promised_start != never, w.promised_start};
    grant const allowed = e.parts.allocator.allocate(s.view(job), before, e.context());
    if (allowed.gpus < s.jobs[job].form.gpus()) {
      if (!w.batch.empty()) {
        return true;
      }
      block(e, job, queue, wait_reason::behind_others);
      continue;
    }
    bool const restricted = w.promised_start != never && !allowed.may_use_promised_gpus;
    if (restricted != w.restricted) {
      if (!w.batch.empty()) {
        return true;
      }
      w.restricted = restricted;
      begin_packing(s, w);
    }
    std::size_t const first_new = w.parts.size();
    bool const room = append_parts(s, w, job, allowed.types);
    if (!w.batch.empty() && w.batch.back().queue != queue && room &&
        (w.parts[first_new].asks_for_cpu_or_memory() || w.parts[0].asks_for_cpu_or_memory())) {
      w.parts.truncate(first_new);
      return true;  // whoever asks for CPU or memory is settled before another shape is looked at
    }
    bool const evicting = w.evicting;
    bool const only_one = w.effort != batch_effort::together;
    if (room && w.effort != batch_effort::by_force &&
        w.pack.fits(w.parts.view(), first_new, w.part_order)) {
      if (evicting) {
        w.parts.truncate(first_new);
        return true;  // it needs nobody's place: the next batch
      }
      accept(s, w, job, queue);
      take_quota(e, job);
      if (only_one) {
        return true;
      }
      continue;
    }
    bool const matches =
        w.batch.empty() ||
        (evicting && w.batch.size() < workspace::max_evicting && w.parts.size() == first_new + 1 &&
         w.parts[0].matches_with(w.parts[first_new]) && first_new == w.batch.size());
    if (matches && room && !w.restricted && could_displace(e, job)) {
      w.evicting = true;
      accept(s, w, job, queue);
      take_quota(e, job);
      if (only_one) {
        return true;
      }
      continue;
    }
    w.parts.truncate(first_new);
    if (!w.batch.empty()) {
      return true;
    }
    w.effort = batch_effort::together;
    if (w.restricted && would_fit_without_promise(s, w, job, allowed.types)) {
      pass_over(s, w, job, queue);
    } else {
      block(e, job, queue, wait_reason::no_gpus);
    }
  }
  return !w.batch.empty();
}

/// Unplaced parts of the problem go behind the placed ones, in rank order. Returns the first of
/// them.
inline std::size_t gather_unplaced(workspace& w, matching_problem const& problem) noexcept {
  auto const parts = w.parts.view().subspan(problem.first, problem.end - problem.first);
  std::sort(parts.begin(), parts.end(), [](gang_part const& a, gang_part const& b) noexcept {
    if (a.placed != b.placed) {
      return a.placed;
    }
    return a.order != b.order ? a.order < b.order : a.job < b.job;
  });
  auto const placed = std::count_if(parts.begin(), parts.end(),
                                    [](gang_part const& part) noexcept { return part.placed; });
  return problem.first + static_cast<std::size_t>(placed);
}

/// Problem rows that one matching takes.
[[nodiscard]] inline std::size_t rows_of(workspace const& w, matching_kind kind) noexcept {
  return kind == matching_kind::several_nodes_evict  ? 1
         : kind == matching_kind::several_nodes_free ? workspace::max_evicting
                                                     : w.parts.size();
}

/// The next problem of the batch: what is left of the last one, spread over nodes, or the next
/// size.
inline bool next_problem(core_state const& s, workspace& w) noexcept {
  matching_problem& problem = w.problem;
  if (problem.end > problem.first) {
    std::size_t const before = problem.first;
    std::size_t const first = gather_unplaced(w, problem);
    bool const several = problem.kind == matching_kind::several_nodes_free ||
                         problem.kind == matching_kind::several_nodes_evict;
    bool const again =
        first < problem.end && (several ? first > before : !w.parts[first].needs_one_node());
    if (again) {
      problem.first = first;
      problem.kind =
          w.evicting ? matching_kind::several_nodes_evict : matching_kind::several_nodes_free;
      problem.end = std::min(problem.end, first + rows_of(w, problem.kind));
      return true;
    }
    w.cursor = problem.end;
    problem = {};
  }
  if (w.cursor >= w.parts.size()) {
    return false;
  }
  gang_part const& first = w.parts[w.cursor];
  bool const one_node =
      first.total() <= s.books.largest_node() && first.layout != spread::one_per_node;
  if (w.evicting) {
    problem.kind = one_node ? matching_kind::one_node_evict : matching_kind::several_nodes_evict;
  } else {
    problem.kind = one_node ? matching_kind::one_node_free : matching_kind::several_nodes_free;
  }
  problem.first = w.cursor;
  problem.end = w.cursor + 1;
  std::size_t const limit = rows_of(w, problem.kind);
  while (problem.end < w.parts.size() && problem.end - problem.first < limit &&
         w.parts[problem.end].matches_with(first)) {
    ++problem.end;
  }
  return true;
}

/// Stage 6. The next matching problem; false when every candidate has been dealt with.
template <class Engine>
bool size(Engine& e) noexcept {
  workspace& w = e.work;
  for (;;) {
    if (next_problem(e.state, w)) {
      return true;
    }
    w.moving ? settle_move(e) : settle(e);
    if (!collect_batch(e)) {
      grow_jobs(e);
      return false;
    }
    w.cursor = 0;
    w.problem = {};
    std::sort(w.parts.begin(), w.parts.end(),
              [](gang_part const& a, gang_part const& b) noexcept { return a.goes_before(b); });
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
