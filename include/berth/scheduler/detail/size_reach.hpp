// SPDX-License-Identifier: BSL-1.0
// Which sizes of a job the cluster could host, and where a job that waits may begin.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>
#include <berth/scheduler/detail/state.hpp>
#include <berth/scheduler/detail/workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// GPUs that the job could have if these pools were empty: of one type, and together as it asks.
/// O(types × GPUs of a node).
[[nodiscard]] inline std::int64_t most_in_reach(core_state const& s, job_record const& job,
                                                bool training, bool inference) noexcept {
  shape const& form = job.form;
  std::int32_t const per_member = form.role_count() == 1 ? form.roles[0].gpus : 1;
  std::int64_t most = 0;
  for (int t = 0; t < s.books.type_count(); ++t) {
    auto const type = static_cast<gpu_type>(t);
    std::int64_t sum = 0;
    std::int64_t largest = 0;
    std::int64_t nodes = 0;
    for (int gpus = per_member; gpus <= s.books.largest_node() && form.allows(type); ++gpus) {
      std::int64_t const count =
          (training ? s.books.nodes_of_size(pool::training, type, gpus) : 0) +
          (inference ? s.books.nodes_of_size(pool::inference, type, gpus) : 0);
      std::int64_t const members = gpus / per_member;
      sum += count * members * per_member;
      nodes += count;
      largest = count > 0 ? members * per_member : largest;
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
  auto const all = s.ladders.of(slot);
  if (job.spec.min_gang == 0) {
    return all.first(1);
  }
  bool const borrows = job.spec.borrows != borrowing::none;
  std::int64_t const most = std::min(most_in_reach(s, job, true, borrows),
                                     std::int64_t{job.spec.gang} * job.spec.gpus_per_member);
  std::size_t count = all.size();
  while (count > 1 && all[count - 1].size > most) {
    --count;
  }
  return all.first(count);
}

/// What a job that waits can use of so many free GPUs of its own pool.
[[nodiscard]] inline std::int64_t room_at_home(core_state const& s, std::uint32_t slot,
                                               std::int64_t free_gpus) noexcept {
  return std::min(free_gpus, most_in_reach(s, s.jobs[slot], true, false));
}
/// The same of GPUs that may be lent; 0 unless it may be there altogether.
[[nodiscard]] inline std::int64_t room_on_loan(core_state const& s, std::uint32_t slot,
                                               std::int64_t lendable) noexcept {
  return s.jobs[slot].spec.borrows == borrowing::all
             ? std::min(lendable, most_in_reach(s, s.jobs[slot], false, true))
             : 0;
}

/// The largest rung within `gpus` and `room`; the least if there is none.
[[nodiscard]] inline std::int32_t rung_within(core_state const& s, std::uint32_t slot,
                                              std::int32_t gpus, std::int64_t room) noexcept {
  auto const ladder = s.ladders.of(slot);
  std::int32_t best = ladder.front().size;
  for (rung const& each : ladder) {
    best = each.size <= gpus && each.size <= room ? each.size : best;
  }
  return best;
}

/// Where a job that waits may start, and with how many GPUs.
struct waiter_place {
  std::int32_t gpus = 0;
  pool where = pool::training;
};
/// In its own pool if that has room. Else one that may borrow begins with what one of the pools
/// has, on loan only if it may be there altogether, and grows.
[[nodiscard]] inline waiter_place place_of_waiter(core_state const& s, sizing_round& round,
                                                  std::uint32_t slot, std::int32_t gpus) noexcept {
  if (s.jobs[slot].spec.borrows != borrowing::none) {
    std::int64_t const own_room = room_at_home(s, slot, round.free_at_home);
    std::int64_t const lent_room = room_on_loan(s, slot, round.lendable);
    std::int32_t const at_home = rung_within(s, slot, gpus, own_room);
    std::int32_t const on_loan = rung_within(s, slot, gpus, lent_room);
    if (on_loan <= lent_room && (at_home > own_room || on_loan > at_home)) {
      round.lendable -= on_loan;
      return {on_loan, pool::inference};
    }
    gpus = at_home;
  }
  round.free_at_home -= gpus;
  return {gpus, pool::training};
}

}  // namespace detail
BERTH_NAMESPACE_END
