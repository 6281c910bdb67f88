// SPDX-License-Identifier: BSL-1.0
// Orders to stop that are withdrawn. A job that was told to stop works on until its boundary, and
// until then nothing is lost by letting it go on: it does where no earmark needs its GPUs any more.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/ledger.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Was it told to stop, and could it go on as if it had not been? Not if it saves already, and not
/// if part of its gang is gone.
[[nodiscard]] inline bool may_carry_on(core_state const& s, std::uint32_t slot) noexcept {
  job_record const& job = s.jobs[slot];
  return s.jobs.is_used(slot) && job.state == job_state::draining && s.now < job.saves_at &&
         job.gpus_held == job.form.gpus();
}

/// Would those that stay on a node, those to come, and `job` have CPU and memory together?
[[nodiscard]] inline bool has_room_beside(core_state const& s, std::uint32_t node_slot,
                                          std::uint32_t job) noexcept {
  node_book const& node = s.books.node(node_slot);
  if (node.cpu_booked <= node.spec.cpu_milli && node.memory_booked <= node.spec.memory_mib) {
    return true;
  }
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  bool awaited = false;
  s.books.for_each_booking(node_slot, [&](booking const& line) {
    bool const is_hold = line.kind == booking_kind::hold;
    job_state const state = s.jobs[line.job].state;
    bool const leaves = state == job_state::draining || state == job_state::cancelling;
    awaited = awaited || !is_hold;
    if (!is_hold || !leaves || line.job == job) {
      cpu += gpu_count(line.gpus) * s.books.job(line.job).cpu_milli_per_gpu;
      memory += gpu_count(line.gpus) * s.books.job(line.job).memory_mib_per_gpu;
    }
  });
  return !awaited || (cpu <= node.spec.cpu_milli && memory <= node.spec.memory_mib);
}

/// Does an earmark wait for GPUs of this draining job, or for CPU or memory beside them?
[[nodiscard]] inline bool is_awaited(core_state const& s, std::uint32_t slot) noexcept {
  bool awaited = false;
  s.books.for_each_hold(slot, [&](booking const& held) {
    gpu_mask const promised = s.books.node(held.node).in(gpu_state::promised);
    awaited = awaited || (held.gpus & promised) != 0 || !has_room_beside(s, held.node, slot);
  });
  return awaited;
}

/// Takes an order out of those that the next plan gives; false if an earlier one gave it.
inline bool take_back_order(core_state& s, std::uint32_t slot) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.stops.size(); ++i) {
    if (s.stops[i].job != s.jobs[slot].id) {
      s.stops[kept++] = s.stops[i];
    }
  }
  bool const was_there = kept < s.stops.size();
  s.stops.truncate(kept);
  return was_there;
}

/// Withdraws the order to stop: the run goes on, and the plan tells the host. Precondition:
/// may_carry_on() and not is_awaited().
inline void let_carry_on(core_state& s, std::uint32_t slot) noexcept {
  job_record& job = s.jobs[slot];
  s.books.revive(slot);
  step(s, slot, job.run_since == never ? job_event::revive_launch : job_event::revive);
  --job.preemptions;
  s.touch(slot);
  if (!take_back_order(s, slot)) {
    job.stop_withdrawn = true;
    s.withdrawn.push_back(slot);
  }
}

/// Every job that was told to stop, that nobody waits for any more, and that does not save yet goes
/// on. The oldest first: the room of one may be in another's way. O(such jobs × their nodes).
inline void withdraw_idle_orders(core_state& s) noexcept {
  std::sort(s.deferred.begin(), s.deferred.end(), [&](std::uint32_t a, std::uint32_t b) noexcept {
    return s.jobs[a].sequence != s.jobs[b].sequence ? s.jobs[a].sequence < s.jobs[b].sequence
                                                    : a < b;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.deferred.size(); ++i) {
    std::uint32_t const slot = s.deferred[i];
    if (!may_carry_on(s, slot)) {
      continue;
    }
    if (is_awaited(s, slot)) {
      s.deferred[kept++] = slot;
    } else {
      let_carry_on(s, slot);
    }
  }
  s.deferred.truncate(kept);
}

/// Does a job of this group wait for somebody who could go on yet? O(bookings on its nodes).
[[nodiscard]] inline bool awaits_deferred(core_state const& s, std::uint32_t leader) noexcept {
  bool any = false;
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    for_each_in_the_way(s, slot, [&](std::uint32_t other) { any = any || may_carry_on(s, other); });
  });
  return any;
}

/// A job, and those that start with it, wait for their earmarks no longer: they are pending again,
/// with the ranks that they have, and whoever was to leave for them alone and does not save yet
/// goes on. Before `rank`, so that this tick looks at all of them anew. Precondition: it is
/// reserving.
inline void withdraw(core_state& s, std::uint32_t beneficiary) noexcept {
  for_each_of_group(s, beneficiary, [&](std::uint32_t slot) { give_up_earmark(s, slot); });
  withdraw_idle_orders(s);
}

}  // namespace detail
BERTH_NAMESPACE_END
