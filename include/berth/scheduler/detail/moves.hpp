// SPDX-License-Identifier: BSL-1.0
// Reservations that move. A job that waits for others to leave takes free GPUs instead as soon as
// there are enough of them and it is its turn: it starts at once, and those that have not begun to
// save go on. It never loses its place: if it cannot be seated, its earmarks are as before.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/settle.hpp>
#include <berth/scheduler/detail/stage_rank.hpp>
#include <berth/scheduler/detail/withdrawal.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Who may move in this tick: reserving jobs for whom somebody is to leave who could go on yet. The
/// first in rank order is the last of w.moves. O(reserving jobs × bookings on their nodes).
inline void find_moves(core_state const& s, workspace& w) noexcept {
  w.moves.clear();
  w.has_moved = false;
  if (s.deferred.empty() || s.books.offered() == 0) {
    return;
  }
  for (std::uint32_t const slot : s.reserving) {
    if (leads_its_group(s, slot) && awaits_deferred(s, slot)) {
      w.moves.push_back(slot);
    }
  }
  std::sort(w.moves.begin(), w.moves.end(), [&](std::uint32_t a, std::uint32_t b) noexcept {
    return shape_queues::goes_before(s.jobs, b, a);
  });
}

/// Does a job that may move rank before every candidate?
[[nodiscard]] inline bool is_move_next(core_state const& s, workspace const& w) noexcept {
  if (w.moves.empty() || s.ready.empty()) {
    return !w.moves.empty();
  }
  job_record const& job = s.jobs[w.moves.back()];
  auto const& head = s.ready.top();
  return job.key != head.key ? job.key < head.key : job.sequence < head.sequence;
}

/// Takes the earmarks of a job and of those that start with it off the books, to be put back or
/// not.
inline void lift_earmarks(core_state& s, workspace& w, std::uint32_t leader) noexcept {
  w.lifted.clear();
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    s.books.for_each_earmark(slot, [&](booking const& line) { w.lifted.push_back(line); });
    s.books.drop_earmark(slot);
  });
}
inline void put_back_earmarks(core_state& s, workspace const& w) noexcept {
  for (booking const& line : w.lifted) {
    s.books.earmark(line.job, line.node, line.gpus);
  }
}

/// The end of the batch of a job that moves: it starts where it found its place, or waits as it
/// did.
template <class Engine>
void settle_move(Engine& e) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  std::uint32_t const leader = w.batch[0].job;
  bool const placed = std::all_of(w.parts.begin(), w.parts.end(),
                                  [](gang_part const& part) noexcept { return part.placed; });
  if (placed) {
    for_each_of_group(s, leader, [&](std::uint32_t slot) {
      s.group_next[slot] = no_index;
      drop_reservation(s, slot);
      begin_launch(s, slot);
      s.starts.push_back(slot);
    });
    withdraw_idle_orders(s);
    w.has_moved = true;
  } else {
    roll_back(s, w, leader);
    put_back_earmarks(s, w);
  }
  w.moving = false;
  w.batch.clear();
  w.parts.clear();
}

}  // namespace detail
BERTH_NAMESPACE_END
