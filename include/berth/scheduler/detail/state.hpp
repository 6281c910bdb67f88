// SPDX-License-Identifier: BSL-1.0
// Everything a scheduler knows that does not depend on its components.
#pragma once

#include <berth/concepts/quota_admission.hpp>
#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/slot_set.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/exchange_note.hpp>
#include <berth/model/job.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/suspension.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/scheduler/detail/job_table.hpp>
#include <berth/scheduler/detail/ladder_table.hpp>
#include <berth/scheduler/detail/ready_queue.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>
#include <berth/scheduler/detail/timer_heap.hpp>
#include <berth/scheduler/detail/virtual_queue.hpp>
#include <berth/scheduler/detail/yield_order.hpp>
#include <berth/scheduler/detail/yielding_key.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// An order to go on with other GPUs that the next plan gives.
struct resize_order {
  std::uint32_t slot = 0;
  stop_reason reason = stop_reason::none;  ///< why it shrinks
};

/// An order to stop that the next plan gives.
struct stop_order {
  job_id job;
  stop_reason reason = stop_reason::none;
  job_id beneficiary;
  suspension_mode mode = suspension_mode::kill;
  time_point saves_at = never;  ///< when it leaves its last useful step
};

struct core_state {
  core_state(scheduler_config const& limits, int type_count)
      : config{limits},
        jobs{limits.max_jobs},
        books{type_count, limits.max_nodes, limits.max_gpus, limits.max_jobs, limits.max_tenants},
        queues{limits.max_jobs},
        ready{limits.max_jobs},
        timers{limits.max_jobs},
        arrivals{limits.max_jobs},
        changed{limits.max_jobs},
        is_changed(limits.max_jobs, 0),
        holders{limits.max_jobs},
        yielding{limits.max_jobs},
        reserving{limits.max_jobs},
        stops{2 * std::size_t{limits.max_jobs}},
        starts{limits.max_jobs},
        resizes{limits.max_jobs},
        deferred{limits.max_jobs},
        withdrawn{limits.max_jobs},
        reason(limits.max_jobs, wait_reason::none),
        exchanges(limits.max_jobs),
        group_next(limits.max_jobs, no_index),
        actions{4 * std::size_t{limits.max_jobs}},
        ranges{3 * std::size_t{limits.max_gpus}} {}

  scheduler_config config;
  time_point now = time_point::min();
  std::uint64_t next_sequence = 0;
  std::uint64_t tick_number = 0;
  bool tick_wanted = false;  ///< something happened that the last tick did not see
  std::uint64_t cluster_epoch =
      1;  ///< changes when an empty cluster could host other gangs than before

  virtual_queue fluid;  ///< of the work that has arrived

  // Where the allocator sizes jobs.
  ladder_table ladders;
  bool sizing_due = false;         ///< jobs or GPUs came or went since sizes were decided
  bool spare_due = false;          ///< inference left GPUs: a reason only if they may be lent
  time_point next_sizing = never;  ///< when they are looked at again in any case
  loan lent;                       ///< by inference
  bool lends = false;              ///< something is lent, or has not come back yet
  bool loans_due = false;          ///< inference may want some back
  time_point borrow_after = time_point::min();  ///< a recall is over
  time_point next_loan_change = never;          ///< when loans are looked at in any case

  // Where admission has quotas.
  std::vector<quota_standing> standing;  ///< per job slot, as counted in the last tick; else empty
  time_point next_quota_change = never;

  job_table jobs;
  ledger books;
  shape_queues queues;
  ready_queue ready;
  timer_heap timers;

  bounded_vector<job_id> arrivals;        ///< submitted, not yet admitted
  bounded_vector<std::uint32_t> changed;  ///< to be predicted and ranked anew
  std::vector<std::uint8_t> is_changed;
  slot_set holders;           ///< jobs that hold GPUs
  yield_order yielding;       ///< those that may be told to, where the composition preempts
  std::uint32_t leaving = 0;  ///< jobs in `draining`
  bounded_vector<std::uint32_t> reserving;
  bounded_vector<stop_order> stops;         ///< for the next plan
  bounded_vector<std::uint32_t> starts;     ///< launched since the last plan was emitted
  bounded_vector<resize_order> resizes;     ///< since the last plan was emitted
  bounded_vector<std::uint32_t> deferred;   ///< told to stop later; those that stop now are stale
  bounded_vector<std::uint32_t> withdrawn;  ///< they go on: the plan says so
  std::vector<wait_reason> reason;          ///< per job slot
  std::vector<exchange_note> exchanges;     ///< per job slot; to be told, not to be decided by
  std::vector<std::uint32_t> group_next;    ///< circular chain of a group's jobs until they start

  bounded_vector<action> actions;
  bounded_vector<gpu_range> ranges;

  [[nodiscard]] job_view view(std::uint32_t slot) const noexcept { return {jobs[slot], now}; }

  /// When something changes by itself.
  [[nodiscard]] time_point next_alarm() const noexcept {
    return std::min({timers.next(), next_sizing, next_loan_change, next_quota_change});
  }

  /// A call of this instant is carried out.
  void accept(time_point instant) noexcept {
    now = instant;
    tick_wanted = true;
  }

  [[nodiscard]] bool has_quotas() const noexcept { return !standing.empty(); }
  /// By what a holder yields.
  [[nodiscard]] priority_key holder_key(std::uint32_t slot) const noexcept {
    return has_quotas() ? yielding_key(jobs[slot].key, standing[slot].borrows) : jobs[slot].key;
  }
  /// Whom a waiting job may displace yields behind this key at least.
  [[nodiscard]] priority_key waiter_key(std::uint32_t slot) const noexcept {
    return has_quotas() ? yielding_key(jobs[slot].key, false) : jobs[slot].key;
  }
  /// Puts a holder where its record says that it stands in the order of yielding.
  void rank_holder(std::uint32_t slot) noexcept {
    yielding.set({holder_key(slot), jobs[slot].sequence, slot, jobs[slot].gpus_held});
  }

  /// Has the job predicted and ranked in the next tick.
  void touch(std::uint32_t slot) noexcept {
    if (is_changed[slot] == 0) {
      is_changed[slot] = 1;
      changed.push_back(slot);
    }
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
