// SPDX-License-Identifier: BSL-1.0
// A scheduler's state as bytes: one walk, for counting and for writing.
#pragma once

#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/model/rung.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/snapshot_fields.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <class Data>
[[nodiscard]] constexpr std::size_t raw_bytes() noexcept {
  static_assert(std::is_trivially_copyable_v<Data>);
  return std::is_empty_v<Data> ? 0 : sizeof(Data);
}
/// Bytes of the components' data per job.
template <class Engine>
[[nodiscard]] constexpr std::size_t job_data_bytes() noexcept {
  return raw_bytes<decltype(Engine::job_data::policy)>() +
         raw_bytes<decltype(Engine::job_data::predictor)>();
}
/// One component's data after the other's, without the gap that may lie between them.
template <class Archive, class Data>
void raw_job_data(Archive& a, Data& data) noexcept {
  a.raw(&data.policy, raw_bytes<decltype(data.policy)>());
  a.raw(&data.predictor, raw_bytes<decltype(data.predictor)>());
}

template <class Visitable>
[[nodiscard]] std::uint32_t count_of(Visitable const& members) noexcept {
  return static_cast<std::uint32_t>(members.size());
}

/// Calls visit(parked_line) for the queues that wait for an event, by the slot of the job at their
/// head. Those that only another cluster can help are judged again instead.
template <class Visit>
void for_each_parked(core_state const& s, Visit&& visit) {
  for (std::uint32_t slot = 0; slot < s.jobs.ever_used(); ++slot) {
    if (!s.jobs.is_used(slot) || !s.queues.contains(slot)) {
      continue;
    }
    std::uint32_t const q = s.queues.queue_of(slot);
    shape_queue const& queue = s.queues[q];
    if (queue.root == slot && s.queues.is_parked(q) &&
        queue.parked_in != shape_queues::until_cluster_changes) {
      visit(parked_line{slot, queue.parked_in});
    }
  }
}

template <class Engine>
[[nodiscard]] totals_line totals_of(Engine const& e) noexcept {
  core_state const& s = e.state;
  totals_line totals;
  totals.now = s.now;
  totals.next_sequence = s.next_sequence;
  totals.tick_number = s.tick_number;
  totals.cluster_epoch = s.cluster_epoch;
  totals.fluid = s.fluid;
  totals.tick_wanted = s.tick_wanted;
  totals.sizing_due = s.sizing_due;
  totals.spare_due = s.spare_due;
  totals.next_sizing = s.next_sizing;
  totals.lent = s.lent;
  totals.lends = s.lends;
  totals.loans_due = s.loans_due;
  totals.borrow_after = s.borrow_after;
  totals.next_loan_change = s.next_loan_change;
  totals.next_quota_change = s.next_quota_change;
  totals.type_count = static_cast<std::uint8_t>(s.books.type_count());
  totals.job_data_bytes = static_cast<std::uint32_t>(job_data_bytes<Engine>());
  totals.nodes = s.books.node_slots();
  s.books.for_each_unused_node([&](std::uint32_t) { ++totals.unused_nodes; });
  totals.slots = s.jobs.ever_used();
  totals.jobs = static_cast<std::uint32_t>(s.jobs.size());
  totals.unused_slots = totals.slots - totals.jobs;
  totals.arrivals = count_of(s.arrivals);
  totals.changed = count_of(s.changed);
  totals.holders = count_of(s.holders.members());
  totals.reserving = count_of(s.reserving);
  totals.stops = count_of(s.stops);
  for_each_parked(s, [&](parked_line const&) { ++totals.parked; });
  for (int i = 0; i < pool_count * max_gpu_types; ++i) {
    totals.gains[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(s.books.gain(
        static_cast<pool>(i / max_gpu_types), static_cast<gpu_type>(i % max_gpu_types)));
  }
  return totals;
}

template <class Archive>
void write_booking(Archive& a, ledger const& books, booking const& held) noexcept {
  bool const is_hold = held.kind == booking_kind::hold;
  booking_line const line{held.node, held.gpus, is_hold ? books.leaving(held) : 0,
                          static_cast<std::uint8_t>(books.place_on_node(held))};
  fields(a, line);
}

template <class Archive, class Engine>
void write_job(Archive& a, Engine const& e, std::uint32_t slot) noexcept {
  core_state const& s = e.state;
  job_line line;
  line.slot = slot;
  line.record = s.jobs[slot];
  line.reason = s.reason[slot];
  line.group_next = s.group_next[slot];
  line.alarm = s.timers.at(slot);
  line.queued = s.queues.contains(slot);
  if (line.queued) {
    shape_queue const& queue = s.queues[s.queues.queue_of(slot)];
    line.judged = queue.checked_epoch == s.cluster_epoch && !is_impossible(queue.verdict);
    line.verdict = queue.verdict;
  }
  line.earmark_broken = s.books.job(slot).earmark_broken;
  s.books.for_each_hold(slot, [&](booking const&) { ++line.holds; });
  s.books.for_each_earmark(slot, [&](booking const&) { ++line.earmarks; });
  auto const ladder = s.ladders.is_empty() || !s.ladders.is_declared(slot) ? std::span<rung const>{}
                                                                           : s.ladders.of(slot);
  line.rungs = static_cast<std::uint32_t>(ladder.size());
  job_line const& written = line;
  fields(a, written);
  s.books.for_each_hold(slot, [&](booking const& held) { write_booking(a, s.books, held); });
  s.books.for_each_earmark(slot, [&](booking const& held) { write_booking(a, s.books, held); });
  raw_job_data(a, e.data[slot]);
  for (rung const& each : ladder) {
    fields(a, each);
  }
}

/// Everything behind the head. O(jobs + nodes + bookings).
template <class Archive, class Engine>
void write_state(Archive& a, Engine const& e) noexcept {
  core_state const& s = e.state;
  totals_line const totals = totals_of(e);
  fields(a, totals);
  for (std::uint32_t n = 0; n < totals.nodes; ++n) {
    node_book const& node = s.books.node(n);
    node_line const line{node.generation, node.exists, node.spec, node.lost};
    fields(a, line);
  }
  s.books.for_each_unused_node([&](std::uint32_t n) { a(n); });
  for (std::uint32_t slot = 0; slot < totals.slots; ++slot) {
    slot_line const line{s.jobs.generation(slot), s.jobs.is_used(slot)};
    fields(a, line);
  }
  s.jobs.for_each_unused([&](std::uint32_t slot) { a(slot); });
  for (std::uint32_t slot = 0; slot < totals.slots; ++slot) {
    if (s.jobs.is_used(slot)) {
      write_job(a, e, slot);
    }
  }
  for (job_id const id : s.arrivals) {
    a(id);
  }
  for (std::uint32_t const slot : s.changed) {
    a(slot);
  }
  for (std::uint32_t const slot : s.holders.members()) {
    a(slot);
  }
  for (std::uint32_t const slot : s.reserving) {
    a(slot);
  }
  for (stop_order const& order : s.stops) {
    fields(a, order);
  }
  for_each_parked(s, [&](parked_line const& line) { fields(a, line); });
  if constexpr (saved_admission<typename Engine::admission_type>) {
    e.parts.admission.save(a);
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
