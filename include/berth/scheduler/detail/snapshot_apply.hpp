// SPDX-License-Identifier: BSL-1.0
// The second pass of restore: bytes that have been checked become the state. What follows from
// other things (states of GPUs, sums, the free index, queues) is built anew.
#pragma once

#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/model/check_job.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/snapshot_fields.hpp>
#include <berth/scheduler/detail/snapshot_write.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Nothing of the state before is left, in the working memory neither: it knows ticks by their
/// numbers.
template <class Engine>
void forget_state(Engine& e, totals_line const& totals) noexcept {
  core_state& s = e.state;
  s.now = totals.now;
  s.next_sequence = totals.next_sequence;
  s.tick_number = totals.tick_number;
  s.cluster_epoch = totals.cluster_epoch;
  s.fluid = totals.fluid;
  s.tick_wanted = totals.tick_wanted;
  s.sizing_due = totals.sizing_due;
  s.spare_due = totals.spare_due;
  s.next_sizing = totals.next_sizing;
  s.lent = totals.lent;
  s.lends = totals.lends;
  s.loans_due = totals.loans_due;
  s.borrow_after = totals.borrow_after;
  s.next_loan_change = totals.next_loan_change;
  s.next_quota_change = totals.next_quota_change;
  std::fill(s.standing.begin(), s.standing.end(), quota_standing{});
  s.leaving = 0;
  s.jobs.clear(totals.slots);
  s.books.clear();
  s.queues.clear();
  s.ready.clear();
  s.timers.clear();
  s.arrivals.clear();
  s.changed.clear();
  std::fill(s.is_changed.begin(), s.is_changed.end(), std::uint8_t{0});
  s.holders.clear();
  s.yielding.clear();
  s.reserving.clear();
  s.stops.clear();
  s.starts.clear();
  s.resizes.clear();
  s.deferred.clear();
  s.withdrawn.clear();
  std::fill(s.reason.begin(), s.reason.end(), wait_reason::none);
  std::fill(s.exchanges.begin(), s.exchanges.end(), exchange_note{});
  std::fill(s.group_next.begin(), s.group_next.end(), no_index);
  s.actions.clear();
  s.ranges.clear();
  e.work.victims_tick = 0;
  e.work.victim_order.clear();
  e.work.repriced.clear();
  std::fill(e.work.victims.begin(), e.work.victims.end(), victim_price{});
  std::fill(e.work.not_worth_it.begin(), e.work.not_worth_it.end(), std::uint64_t{0});
  e.work.starts.forget();
}

/// Calls visit(number) for a list of numbers, the last first.
template <class Visit>
void read_backwards(byte_reader& in, std::uint32_t count, Visit&& visit) noexcept {
  std::size_t const first = in.position();
  for (std::uint32_t i = count; i-- > 0;) {
    in.seek(first + i * sizeof(std::uint32_t));
    visit(in.read<std::uint32_t>());
  }
  in.seek(first + count * sizeof(std::uint32_t));
}

inline void read_bookings(byte_reader& in, core_state& s, job_line const& line,
                          booking_kind kind) noexcept {
  std::uint32_t const count = kind == booking_kind::hold ? line.holds : line.earmarks;
  std::uint32_t last = no_booking;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto const read = read_line<booking_line>(in);
    booking made;
    made.gpus = read.gpus;
    made.job = line.slot;
    made.node = read.node;
    made.kind = kind;
    last = s.books.restore_booking(made, last, read.place, read.leaving);
  }
}

/// What the host said; else what is assumed of such a job.
inline void read_ladder(byte_reader& in, core_state& s, job_line const& line) noexcept {
  job_spec const& spec = line.record.spec;
  if (s.ladders.is_empty()) {
    return;
  }
  s.ladders.assume(line.slot, spec, check(spec, s.books.type_count()).value().gpus());
  if (line.rungs > 0) {
    s.ladders.declare(line.slot, line.rungs, [&](rung& each) { each = read_line<rung>(in); });
  }
}

template <class Engine>
void read_job(byte_reader& in, Engine& e) noexcept {
  core_state& s = e.state;
  auto line = read_line<job_line>(in);
  std::uint32_t const slot = line.slot;
  job_record& record = line.record;
  std::array<role, max_roles> const rest = record.form.roles;
  pool const where = record.form.where;
  record.form = check(record.spec, s.books.type_count()).value();
  record.form.roles = rest;
  record.form.where = where;
  if constexpr (quota_admission<typename Engine::admission_type>) {
    record.form.tenant = record.spec.tenant;
  }
  s.books.open(slot, record.spec.tenant, record.spec.cpu_milli_per_gpu,
               record.spec.memory_mib_per_gpu);
  read_bookings(in, s, line, booking_kind::hold);
  read_bookings(in, s, line, booking_kind::earmark);
  record.gpus_held = s.books.job(slot).gpus_held;
  record.nodes_held = s.books.job(slot).nodes_held;
  if (line.earmark_broken) {
    s.books.restore_broken_earmark(slot);
  }
  raw_job_data(in, e.data[slot]);
  read_ladder(in, s, line);
  s.leaving += record.state == job_state::draining ? 1u : 0u;
  s.jobs.restore_used(slot, record);
  if (record.state == job_state::draining) {
    s.deferred.push_back(slot);
  }
  s.reason[slot] = line.reason;
  s.group_next[slot] = line.group_next;
  s.timers.set(slot, line.alarm);
  if (line.queued) {
    s.queues.push(s.jobs, slot);
    std::uint32_t const queue = s.queues.queue_of(slot);
    s.queues.judge(queue, line.verdict);
    s.queues[queue].checked_epoch = line.judged ? s.cluster_epoch : 0;  // "never" is judged again
  }
}

/// Precondition: the payload has passed the check.
template <class Engine>
void read_state(byte_reader in, Engine& e) noexcept {
  core_state& s = e.state;
  auto const totals = read_line<totals_line>(in);
  forget_state(e, totals);
  for (std::uint32_t n = 0; n < totals.nodes; ++n) {
    auto const line = read_line<node_line>(in);
    s.books.restore_node(line.generation, line.exists, line.spec, line.lost);
  }
  read_backwards(in, totals.unused_nodes, [&](std::uint32_t n) { s.books.restore_unused_node(n); });
  for (std::uint32_t slot = 0; slot < totals.slots; ++slot) {
    s.jobs.restore_generation(slot, read_line<slot_line>(in).generation);
  }
  read_backwards(in, totals.unused_slots, [&](std::uint32_t slot) { s.jobs.restore_unused(slot); });
  for (std::uint32_t i = 0; i < totals.jobs; ++i) {
    read_job(in, e);
  }
  s.books.finish_restore();
  for (std::uint32_t i = 0; i < totals.arrivals; ++i) {
    s.arrivals.push_back(in.read<job_id>());
  }
  for (std::uint32_t i = 0; i < totals.changed; ++i) {
    s.touch(in.read<std::uint32_t>());
  }
  for (std::uint32_t i = 0; i < totals.holders; ++i) {
    auto const slot = in.read<std::uint32_t>();
    s.holders.insert(slot);
    rank_yielding(e, slot);
  }
  for (std::uint32_t i = 0; i < totals.reserving; ++i) {
    s.reserving.push_back(in.read<std::uint32_t>());
  }
  for (std::uint32_t i = 0; i < totals.stops; ++i) {
    s.stops.push_back(read_line<stop_order>(in));
  }
  for (std::uint32_t i = 0; i < totals.parked; ++i) {
    auto const line = read_line<parked_line>(in);
    if (std::uint32_t const q = s.queues.queue_of(line.head); !s.queues.is_parked(q)) {
      s.queues.park(q, line.until);
    }
  }
  for (int i = 0; i < pool_count * max_gpu_types; ++i) {
    s.books.restore_gain(static_cast<pool>(i / max_gpu_types),
                         static_cast<gpu_type>(i % max_gpu_types),
                         totals.gains[static_cast<std::size_t>(i)]);
  }
  if constexpr (saved_admission<typename Engine::admission_type>) {
    e.parts.admission.load(in);
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
