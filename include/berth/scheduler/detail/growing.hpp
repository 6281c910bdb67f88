// SPDX-License-Identifier: BSL-1.0
// Jobs that should grow take GPUs that the matching left free: on their own nodes first, then where
// the fewest are left over. They keep all that they have.
#pragma once

#include <berth/concepts/sizing_allocator.hpp>
#include <berth/core/config.hpp>
#include <berth/model/booking.hpp>
#include <berth/model/free_index.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/gpu_picker.hpp>
#include <berth/scheduler/detail/loans.hpp>
#include <berth/scheduler/detail/resizing.hpp>
#include <berth/scheduler/detail/sleepers.hpp>
#include <berth/scheduler/detail/workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// GPUs of whole members that a node has free for a job; of the inference pool, those that it may
/// borrow.
[[nodiscard]] inline std::int32_t room_on(core_state const& s, sizing_round const& round,
                                          std::uint32_t slot, std::uint32_t node) noexcept {
  job_record const& job = s.jobs[slot];
  std::int32_t const per_member = job.form.roles[0].gpus;
  job_book const& book = s.books.job(slot);
  node_book const& place = s.books.node(node);
  std::int64_t most = gpu_count(place.offered());
  if (place.spec.owner == pool::inference) {
    most = job.spec.borrows == borrowing::none ? 0 : std::min(most, round.lendable);
  }
  auto room = static_cast<std::int32_t>(most / per_member * per_member);
  while (room > 0 &&
         !s.books.has_cpu_and_memory(node, room, book.cpu_milli_per_gpu, book.memory_mib_per_gpu)) {
    room -= per_member;
  }
  return room;
}

/// GPUs that it could get on the nodes where it is.
[[nodiscard]] inline std::int32_t room_on_own_nodes(core_state const& s, sizing_round const& round,
                                                    std::uint32_t slot) noexcept {
  std::int32_t room = 0;
  s.books.for_each_hold(slot,
                        [&](booking const& held) { room += room_on(s, round, slot, held.node); });
  return s.jobs[slot].spec.layout == spread::one_per_node ? 0 : room;
}

[[nodiscard]] inline bool holds_on(core_state const& s, std::uint32_t slot,
                                   std::uint32_t node) noexcept {
  bool holds = false;
  s.books.for_each_hold(slot, [&](booking const& held) { holds = holds || held.node == node; });
  return holds;
}

/// The lowest node with exactly so many GPUs free that could give the job `wanted` of them.
[[nodiscard]] inline std::uint32_t node_with(core_state const& s, sizing_round const& round,
                                             std::uint32_t slot, pool where, int free_gpus,
                                             std::int32_t wanted) noexcept {
  job_record const& job = s.jobs[slot];
  bool const apart = job.spec.layout == spread::one_per_node;
  free_index const& nodes = s.books.free_nodes();
  std::uint32_t n = nodes.next(where, job.type, free_gpus, 0);
  while (n != free_index::no_node &&
         (room_on(s, round, slot, n) < wanted || (apart && holds_on(s, slot, n)))) {
    n = nodes.next(where, job.type, free_gpus, n + 1);
  }
  return n;
}

/// The node that hosts `need` and has the fewest left over; if none does, the one with most room.
/// O(GPUs of a node + nodes without the CPU or memory).
[[nodiscard]] inline std::uint32_t best_fit(core_state const& s, sizing_round const& round,
                                            std::uint32_t slot, pool where,
                                            std::int32_t need) noexcept {
  int const most = s.books.largest_node();
  for (int free_gpus = need; free_gpus <= most; ++free_gpus) {
    if (std::uint32_t const n = node_with(s, round, slot, where, free_gpus, need);
        n != free_index::no_node) {
      return n;
    }
  }
  std::int32_t const per_member = s.jobs[slot].form.roles[0].gpus;
  for (int free_gpus = std::min(most, need); free_gpus > 0; --free_gpus) {
    if (std::uint32_t const n = node_with(s, round, slot, where, free_gpus, per_member);
        n != free_index::no_node) {
      return n;
    }
  }
  return free_index::no_node;
}

/// Takes up to `most` GPUs of a node for a job, and notes them.
inline std::int32_t take_on(core_state& s, sizing_round& round, std::uint32_t slot,
                            std::uint32_t node, std::int32_t most) noexcept {
  std::int32_t const count = std::min(most, room_on(s, round, slot, node));
  if (count > 0) {
    gpu_mask const gpus = pick_gpus(s.books.node(node).offered(), count);
    s.books.hold(slot, node, gpus);
    round.lendable -= s.books.node(node).spec.owner == pool::inference ? count : 0;
    round.taken.push_back({.gpus = gpus, .job = slot, .node = node});
  }
  return count;
}

/// Gives a job all that it should have, or nothing: every change costs it a restart.
inline bool grow(core_state& s, sizing_round& round, std::uint32_t slot) noexcept {
  job_record const& job = s.jobs[slot];
  std::int32_t need = job.target - job.gpus_held;
  bool const apart = job.spec.layout == spread::one_per_node;
  round.taken.clear();
  if (!apart) {
    s.books.for_each_hold(slot, [&](booking const& held) {
      need -= need > 0 ? take_on(s, round, slot, held.node, need) : 0;
    });
  }
  for (pool const where : {pool::training, pool::inference}) {
    while (need > 0 && job.spec.layout != spread::same_node) {
      std::int32_t const most = apart ? job.form.roles[0].gpus : need;
      std::uint32_t const node = best_fit(s, round, slot, where, most);
      if (node == free_index::no_node) {
        break;
      }
      need -= take_on(s, round, slot, node, most);
    }
  }
  if (need == 0) {
    order_resize(s, slot, job.target);
    return true;
  }
  for (booking const& line : round.taken) {
    bool const lent = s.books.node(line.node).spec.owner == pool::inference;
    round.lendable += lent ? gpu_count(line.gpus) : 0;
    s.books.release(slot, line.node, line.gpus);
  }
  return false;
}

/// Those that did not grow, and might on loan if replicas did not sleep there, have these stopped.
inline void make_room(core_state& s, sizing_round const& round) noexcept {
  std::int64_t missing = 0;
  for (std::uint32_t const slot : round.growers) {
    job_record const& job = s.jobs[slot];
    missing += job.spec.borrows != borrowing::none ? job.target - job.gpus_held : 0;
  }
  missing = std::min(missing, round.lendable);
  stop_sleepers(s, missing > 0 ? missing - free_soon(s, pool::inference) : 0);
}

/// Ends stage 6 where the allocator sizes jobs: whoever should grow does, in the order of the
/// problem, if all of it is free; those that find it on their own nodes first. Others are looked at
/// again when GPUs become free. O(growers × (GPUs per node + nodes of the job)).
template <class Engine>
void grow_jobs(Engine& e) noexcept {
  if constexpr (sizing_allocator<typename Engine::allocator_type>) {
    core_state& s = e.state;
    sizing_round& round = e.work.sizing;
    for (bool const stays : {true, false}) {
      std::size_t waiting = 0;
      for (std::size_t i = 0; i < round.growers.size(); ++i) {
        std::uint32_t const slot = round.growers[i];
        bool const tries = !stays || room_on_own_nodes(s, round, slot) >=
                                         s.jobs[slot].target - s.jobs[slot].gpus_held;
        if (!tries || !grow(s, round, slot)) {
          round.growers[waiting++] = slot;
        }
      }
      round.growers.truncate(waiting);
    }
    make_room(s, round);
    round.growers.clear();
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
