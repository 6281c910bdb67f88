// SPDX-License-Identifier: BSL-1.0
// The plan: what the host is told, in order. What is withdrawn comes first, starts come last.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/action.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/promise.hpp>
#include <berth/scheduler/detail/resizing.hpp>
#include <berth/scheduler/detail/stage_events.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>
#include <berth/scheduler/detail/victims.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Adds an order about a job; `decided` says which.
template <class Engine>
void emit_action(Engine& e, std::uint32_t slot, action decided) noexcept {
  core_state& s = e.state;
  std::size_t const first = s.ranges.size();
  bool const resizes = decided.kind == action_kind::resize;
  s.books.for_each_hold(slot, [&](booking const& held) {
    gpu_mask const gpus = resizes ? held.gpus & ~s.books.leaving(held) : held.gpus;
    if (gpus != 0) {
      s.ranges.push_back({s.books.id_of(held.node), gpus});
    }
  });
  decided.job = s.jobs[slot].id;
  decided.run = s.jobs[slot].run;
  decided.tag = s.jobs[slot].spec.tag;
  decided.gpus = std::span<gpu_range const>{s.ranges.view()}.subspan(first);
  s.actions.push_back(decided);
  e.parts.observer.on_action(decided, e.context());
}

/// Where the host does not acknowledge, an order to stop is as good as a stop.
inline void stop_at_once(core_state& s, std::uint32_t slot) noexcept {
  end_run(s, slot, s.view(slot).done());
  if (s.jobs[slot].state == job_state::cancelling) {
    end_job(s, slot, job_event::stopped);
  } else {
    requeue(s, slot, job_event::stopped);
  }
}

/// Stage 10. Orders that are withdrawn, orders to stop, to change size, and to start. A job that
/// has left in the meantime needs no order.
template <class Engine>
void emit(Engine& e) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  keep_repriced(s, w);
  s.books.forget_gains();  // what was bound and undone again helps nobody
  bool const implicit = s.config.acknowledge == acknowledgement::implicit;
  bool freed = false;
  for (std::uint32_t const slot : s.withdrawn) {
    action carry_on;
    carry_on.kind = action_kind::carry_on;
    emit_action(e, slot, carry_on);
  }
  for (stop_order const& order : s.stops) {
    auto const slot = s.jobs.find(order.job);
    if (!slot || (s.jobs[*slot].state != job_state::draining &&
                  s.jobs[*slot].state != job_state::cancelling)) {
      continue;
    }
    action stop;
    stop.kind = action_kind::stop;
    stop.reason = order.reason;
    stop.beneficiary = order.beneficiary;
    stop.mode = order.mode;
    stop.saves_at = order.saves_at;
    emit_action(e, *slot, stop);
    if (implicit) {
      stop_at_once(s, *slot);
      freed = true;  // also where the job is over, and not among the changed
    }
  }
  s.stops.clear();
  for (auto const& [slot, reason] : s.resizes) {
    action resize;
    resize.reason = reason;
    resize.kind = action_kind::resize;
    resize.change = s.jobs[slot].change;
    emit_action(e, slot, resize);
    if (implicit) {
      finish_resize(s, slot);
      freed = true;
    }
  }
  s.resizes.clear();
  if (implicit) {
    settle_reservations(s);
  }
  for (std::uint32_t const slot : s.starts) {
    emit_action(e, slot, {});
    s.touch(slot);  // from the next tick on it may be somebody's victim
    if (implicit) {
      begin_run(s, slot);
    }
  }
  for (std::uint32_t const slot : w.set_aside) {
    s.queues.push(s.jobs, slot);
    s.queues[s.queues.queue_of(slot)].checked_epoch = s.cluster_epoch;
  }
  w.set_aside.clear();
  forget_promise(w);
  for (std::uint32_t const slot :
       s.changed) {  // so that next_wakeup() knows what this plan entails
    if (s.jobs.is_used(slot)) {
      set_alarm(e, slot);
    }
  }
  if constexpr (has_quotas<Engine>) {
    s.next_quota_change = s.queues.size() == 0 ? never : e.parts.admission.next_change(s.now);
  }
  // GPUs that this plan freed at once are the next tick's to give away.
  s.tick_wanted = implicit && (freed || !s.changed.empty()) && s.books.offered() > 0;
  if (w.has_moved && s.books.offered() > 0) {  // so are those that a reservation moved away from
    s.queues.wake_all();
    s.tick_wanted = true;
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
