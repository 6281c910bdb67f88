// SPDX-License-Identifier: BSL-1.0
// The scheduler object: submit, tick, complete, and the facts that a host reports in between.
//
// Threads  1. Distinct objects are independent: there are no globals but the violation handler
//             (core/assert.hpp), which is the whole program's and may be set from any thread.
//          2. Calls on one object must not overlap, except const members with each other.
//          3. Components are called inside a call, on its thread, and must not call back.
//          4. A plan and a job_view are valid until the next non-const call.
//          5. Threaded hosts push into an `inbox` and drain it on the thread that ticks.
//          6. `now` never decreases; equal is allowed.
// Memory   Everything is allocated by the constructor. No other member allocates.
// Errors   Every call that returns an error has changed nothing.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/exchange_note.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/scheduler/detail/audit.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/loans.hpp>
#include <berth/scheduler/detail/node_events.hpp>
#include <berth/scheduler/detail/recall.hpp>
#include <berth/scheduler/detail/reports.hpp>
#include <berth/scheduler/detail/resize_reports.hpp>
#include <berth/scheduler/detail/sizing_round.hpp>
#include <berth/scheduler/detail/stage_emit.hpp>
#include <berth/scheduler/detail/stage_events.hpp>
#include <berth/scheduler/detail/stage_match.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>
#include <berth/scheduler/detail/stage_size.hpp>
#include <berth/scheduler/snapshot.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

BERTH_NAMESPACE_BEGIN

/// Use make_scheduler (presets/make_scheduler.hpp): it takes components in any order and defaults
/// the rest.
template <class Policy, class Placement, class Preemption, class Allocator, class Predictor,
          class Admission, class Observer>
class scheduler {
 public:
  using components_type =
      detail::components<Policy, Placement, Preemption, Allocator, Predictor, Admission, Observer>;

  /// Errors: bad_config, and what a node may be refused for (see add_node). Throws std::bad_alloc.
  [[nodiscard]] static result<scheduler> create(cluster const& nodes,
                                                scheduler_config const& config,
                                                components_type parts) {
    if (auto const fine = config.validate(); !fine) {
      return fine.error();
    }
    scheduler made{nodes.type_count(), config, std::move(parts)};
    for (node_spec const& node : nodes.nodes()) {
      if (auto const fine = detail::check_new_node(made.engine_.state, node); !fine) {
        return fine.error();
      }
      made.engine_.state.books.add_node(node);
    }
    return result<scheduler>{std::move(made)};
  }

  // ---- jobs ----

  /// Errors: what check(job_spec) refuses, unknown_tenant, capacity_exceeded, gang_never_fits (if
  /// so configured), time_went_back. O(1); O(nodes) where impossible gangs are refused, and
  /// O(arrivals) for a member of a group.
  result<job_id> submit(job_spec const& job, time_point now) noexcept {
    return detail::submit(engine_, job, now);
  }
  /// The job has ended, and its GPUs are empty. Errors: unknown_job, stale_job (also: a second
  /// time).
  result<void> complete(job_id job, time_point now, outcome how = outcome::finished) noexcept {
    return detail::complete(
        engine_, job, how == outcome::finished ? job_event::complete : job_event::give_up, now);
  }
  /// Its owner no longer wants it. On GPUs it is told to stop and keeps them until `stopped`.
  result<void> cancel(job_id job, time_point now) noexcept {
    return detail::cancel(engine_.state, job, now);
  }
  // What the host sees of a run. Errors: unknown_job, stale_job, stale_run, wrong_state,
  // bad_number, not_held, time_went_back. O(nodes of the job).
  result<void> report(job_id job, started const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  result<void> report(job_id job, launch_failed const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  result<void> report(job_id job, progress const& said, time_point now) noexcept {
    return detail::report(engine_, job, said, now);
  }
  result<void> report(job_id job, bytes_read const& said, time_point now) noexcept {
    return detail::report(engine_, job, said, now);
  }
  result<void> report(job_id job, checkpointed const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  result<void> report(job_id job, stopped const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  result<void> report(job_id job, member_finished const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  result<void> report(job_id job, run_failed const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }

  result<void> report(job_id job, vacated const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  result<void> report(job_id job, resized const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  // Of replicas (pool::inference). Errors beside those above: wrong_state for others, and if it
  // does not run or was told to stop.
  result<void> report(job_id job, sleeps const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  result<void> report(job_id job, wakes const& said, time_point now) noexcept {
    return detail::report(engine_.state, job, said, now);
  }
  /// On which numbers of GPUs a job can run, and how fast, in place of what was known before: sizes
  /// ascending, none above the gang; the largest alone for a rigid job. Speeds are relative to the
  /// one at which job_spec::work is counted. Errors: unknown_job, stale_job, time_went_back;
  /// capacity_exceeded (ladder) beyond config().max_rungs, which is 0 where the allocator does not
  /// size jobs; zero_or_negative, bad_number or inconsistent (ladder, speed). O(rungs).
  result<void> set_ladder(job_id job, std::span<rung const> ladder, time_point now) noexcept {
    return detail::set_ladder(engine_.state, job, ladder, now);
  }

  /// Inference lends so many of its GPUs to training from now on, in place of what it lent before.
  /// What training has beyond that, or beyond `until`, or while jobs of the inference pool wait for
  /// it, is recalled by the next tick: its jobs shrink or stop. Only where the allocator sizes
  /// jobs. Errors: time_went_back, zero_or_negative (gpus), bad_number (deadline). O(1).
  result<void> lend(loan const& lent, time_point now) noexcept {
    return detail::lend(engine_.state, lent, now);
  }
  /// GPUs of the inference pool that training has and is not leaving. O(jobs that hold GPUs).
  [[nodiscard]] std::int64_t gpus_on_loan() const noexcept {
    return detail::borrowed(engine_.state);
  }

  /// Changes the admission while it runs, as by `[&](auto& tenants) { return
  /// tenants.set_queue(queue, spec); }`; the next tick decides with what it is then. Errors:
  /// time_went_back, and what `change` returns, which then must have changed nothing. O(queues of
  /// waiting jobs).
  template <class Change>
  result<void> reconfigure(Change&& change, time_point now) noexcept {
    if (auto const time = detail::check_time(engine_.state, now); !time) {
      return time.error();
    }
    if (result<void> const done = change(engine_.parts.admission); !done) {
      return done.error();
    }
    engine_.state.accept(now);
    engine_.state.queues.wake_all();
    return {};
  }

  // ---- nodes ----

  /// Errors: bad_number, unknown_gpu_type, duplicate_node, capacity_exceeded, time_went_back.
  result<node_id> add_node(node_spec const& node, time_point now) noexcept {
    return detail::add_node(engine_.state, node, now);
  }
  /// Errors: unknown_node, stale_node, node_in_use (set it down first).
  result<void> remove_node(node_id node, time_point now) noexcept {
    return detail::remove_node(engine_.state, node, now);
  }
  /// `down` takes its jobs with it: a gang that has GPUs elsewhere is told to stop, others wait
  /// again.
  result<void> set_node(node_id node, node_health health, time_point now) noexcept {
    return detail::set_health(engine_.state, node, health, now);
  }
  /// Exactly these GPUs are withdrawn. Those in use stay booked until their job leaves them.
  result<void> set_lost_gpus(node_id node, gpu_mask lost, time_point now) noexcept {
    return detail::set_lost_gpus(engine_.state, node, lost, now);
  }
  /// Only so many GPUs are left; free ones go first.
  result<void> set_capacity(node_id node, std::int32_t gpus, time_point now) noexcept {
    return detail::set_capacity(engine_.state, node, gpus, now);
  }

  // ---- deciding ----

  /// What to do now. Refused, with nothing decided, only if time went back. O(1) where nothing has
  /// happened since the last tick (plan::is_idle()), else see docs/design/tick.md.
  [[nodiscard]] plan tick(time_point now) noexcept {
    if (auto const time = detail::check_time(engine_.state, now); !time) {
      return time.error();
    }
    engine_.state.now = now;
    if (detail::is_idle(engine_)) {
      detail::begin_plan(engine_.state);
      return plan::of_idle_tick();
    }
    apply_events(engine_);
    expire(engine_);
    admit(engine_);
    predict(engine_);
    rank(engine_);
    find_moves(engine_.state, engine_.work);
    recall_loans(engine_);
    size_jobs(engine_);
    while (size(engine_)) {
      price(engine_);
      match(engine_);
      bind(engine_);
    }
    emit(engine_);
    return std::span<action const>{engine_.state.actions.view()};
  }

  /// When the next tick is worth while: now(), if something was reported since the last one; else
  /// when a rank, an earmark or a back-off changes by itself; `never` if nothing does.
  [[nodiscard]] time_point next_wakeup() const noexcept {
    return engine_.state.tick_wanted ? engine_.state.now : engine_.state.next_alarm();
  }

  // ---- saving ----

  /// Bytes that snapshot() needs now. O(jobs + nodes).
  [[nodiscard]] std::size_t snapshot_size() const noexcept {
    return detail::snapshot_size(engine_);
  }
  /// Writes everything that later decisions depend on, but the configuration and the components
  /// themselves (docs/snapshot.md); returns the bytes written. Errors: capacity_exceeded, with
  /// nothing written. O(jobs + nodes).
  result<std::size_t> snapshot(std::span<std::byte> into) const noexcept {
    return detail::write_snapshot(engine_, into);
  }
  /// Replaces everything that the scheduler knows. `from` is exactly what snapshot() wrote, by a
  /// scheduler with the same components and GPU types. Errors: bad_data with the field that is
  /// impossible (field::message: truncated, changed, or of another format), capacity_exceeded with
  /// the limit of this configuration that is too small. O(max_jobs + max_nodes + max_gpus + jobs ×
  /// log jobs).
  result<void> restore(std::span<std::byte const> from) noexcept {
    return detail::restore_snapshot(engine_, scratch_, from);
  }

  // ---- looking ----

  [[nodiscard]] time_point now() const noexcept { return engine_.state.now; }
  [[nodiscard]] scheduler_config const& config() const noexcept { return engine_.state.config; }
  /// Living jobs.
  [[nodiscard]] std::size_t job_count() const noexcept { return engine_.state.jobs.size(); }
  /// Jobs that hold GPUs.
  [[nodiscard]] std::size_t holder_count() const noexcept {
    return engine_.state.holders.members().size();
  }
  /// Errors: unknown_job, stale_job.
  [[nodiscard]] result<job_view> view(job_id job) const noexcept {
    auto const slot = engine_.state.jobs.find(job);
    if (!slot) {
      return slot.error();
    }
    return engine_.state.view(*slot);
  }
  /// Calls visit(gpu_range) for what the job holds, in the order in which it was given.
  template <class Visit>
  result<void> for_each_gpu(job_id job, Visit&& visit) const {
    auto const slot = engine_.state.jobs.find(job);
    if (!slot) {
      return slot.error();
    }
    engine_.state.books.for_each_hold(*slot, [&](booking const& held) {
      visit(gpu_range{engine_.state.books.id_of(held.node), held.gpus});
    });
    return {};
  }
  /// Calls visit(job_view) for every living job, by slot.
  template <class Visit>
  void for_each_job(Visit&& visit) const {
    for (std::uint32_t slot = 0; slot < engine_.state.jobs.capacity(); ++slot) {
      if (engine_.state.jobs.is_used(slot)) {
        visit(engine_.state.view(slot));
      }
    }
  }
  /// Why it waits: what the last tick found about it, and where GPUs are what it lacks, whether
  /// they are too few, scattered or kept for others, by what is free at the time of asking;
  /// not_decided if enough became free since that tick. O(jobs of its group + GPU types).
  [[nodiscard]] result<wait_reason> why_waiting(job_id job) const noexcept {
    auto const slot = engine_.state.jobs.find(job);
    if (!slot) {
      return slot.error();
    }
    return detail::why_waiting(engine_.state, *slot);
  }
  /// The last exchange that was weighed for this job, or in which it was told to stop: who gained,
  /// what it cost, and what the next best place would have cost. Kept until the next one; not in
  /// snapshots. Errors: unknown_job, stale_job. O(1).
  [[nodiscard]] result<exchange_note> last_exchange(job_id job) const noexcept {
    auto const slot = engine_.state.jobs.find(job);
    if (!slot) {
      return slot.error();
    }
    return engine_.state.exchanges[*slot];
  }
  /// When its GPUs are expected back, at most config().horizon; `never` if unknown.
  [[nodiscard]] result<time_point> forecast_end(job_id job) const noexcept {
    auto const found = view(job);
    if (!found) {
      return found.error();
    }
    return std::min(found->forecast_end(), config().horizon);
  }
  /// Who holds which GPU.
  [[nodiscard]] ledger const& books() const noexcept { return engine_.state.books; }
  /// What it has learned is in no snapshot; a host that wants it after a restart keeps it itself.
  [[nodiscard]] Predictor const& predictor() const noexcept { return engine_.parts.predictor; }
  [[nodiscard]] Admission const& admission() const noexcept { return engine_.parts.admission; }
  [[nodiscard]] Observer const& observer() const noexcept { return engine_.parts.observer; }

  /// nullptr, or what is broken: a bug of berth. O(jobs + GPUs).
  [[nodiscard]] char const* check_invariants() const noexcept {
    return detail::audit(engine_.state);
  }
  /// One number for everything that later decisions depend on: exactly what snapshot() writes.
  /// O(jobs + nodes).
  [[nodiscard]] std::uint64_t state_digest() const noexcept {
    return detail::state_digest(engine_);
  }

 private:
  scheduler(int type_count, scheduler_config const& config, components_type parts)
      : engine_{config, type_count, std::move(parts)}, scratch_{config} {}

  detail::engine<components_type> engine_;
  detail::snapshot_scratch scratch_;
};

BERTH_NAMESPACE_END
