// SPDX-License-Identifier: BSL-1.0
// How many GPUs of the inference pool training has on loan, how many more it may have, and whether
// some are due back.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/booking.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/loan.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>
#include <berth/scheduler/detail/state.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// GPUs of a pool that are free or will be: jobs leave them for nobody in particular.
[[nodiscard]] inline std::int64_t free_soon(core_state const& s, pool where) noexcept {
  std::int64_t sum = 0;
  for (int t = 0; t < s.books.type_count(); ++t) {
    sum += s.books.offered(where, static_cast<gpu_type>(t));
  }
  for (std::uint32_t const n : s.books.draining_nodes()) {
    node_book const& node = s.books.node(n);
    bool const back = node.spec.owner == where && node.spec.health == node_health::up;
    sum += back ? gpu_count(node.in(gpu_state::draining) & ~node.lost) : 0;
  }
  return sum;
}

/// GPUs of the inference pool that a training job has and is not leaving. O(nodes of the job).
[[nodiscard]] inline std::int32_t borrowed_by(core_state const& s, std::uint32_t slot) noexcept {
  std::int32_t sum = 0;
  if (s.jobs[slot].spec.where == pool::training) {
    s.books.for_each_hold(slot, [&](booking const& held) {
      bool const lent = s.books.node(held.node).spec.owner == pool::inference;
      sum += lent ? gpu_count(held.gpus & ~s.books.leaving(held)) : 0;
    });
  }
  return sum;
}

/// The same of all jobs. O(holders and their nodes).
[[nodiscard]] inline std::int64_t borrowed(core_state const& s) noexcept {
  std::int64_t sum = 0;
  for (std::uint32_t const slot : s.holders.members()) {
    bool const may_borrow = s.jobs[slot].spec.borrows != borrowing::none;
    sum += may_borrow ? borrowed_by(s, slot) : 0;
  }
  return sum;
}

/// GPUs for which inference waits. O(jobs).
[[nodiscard]] inline std::int64_t wanted_by_inference(core_state const& s) noexcept {
  std::int64_t sum = 0;
  for (std::uint32_t slot = 0; slot < s.jobs.ever_used(); ++slot) {
    bool const waits = s.jobs.is_used(slot) && s.jobs[slot].spec.where == pool::inference &&
                       s.queues.contains(slot) &&
                       !is_impossible(s.queues[s.queues.queue_of(slot)].verdict);
    sum += waits ? s.jobs[slot].form.gpus() : 0;
  }
  return sum;
}

/// Has nothing to do, and has not been told to stop yet.
[[nodiscard]] inline bool is_asleep(core_state const& s, std::uint32_t slot) noexcept {
  return s.jobs[slot].asleep_since != never && s.jobs[slot].state == job_state::running;
}
/// GPUs of replicas that sleep. O(holders).
[[nodiscard]] inline std::int64_t gpus_asleep(core_state const& s) noexcept {
  std::int64_t sum = 0;
  for (std::uint32_t const slot : s.holders.members()) {
    sum += is_asleep(s, slot) ? s.jobs[slot].gpus_held : 0;
  }
  return sum;
}

/// What training may have on loan in all, now: what is lent, and not what inference uses or waits
/// for. `has` is what it has.
[[nodiscard]] inline std::int64_t may_have(core_state const& s, std::int64_t has) noexcept {
  std::int64_t const lent = s.now < s.lent.until ? s.lent.gpus : 0;
  std::int64_t const spare =
      free_soon(s, pool::inference) + gpus_asleep(s) + has - wanted_by_inference(s);
  return std::clamp<std::int64_t>(spare, 0, lent);
}

/// What it may have more. Nothing for a while after a recall.
[[nodiscard]] inline std::int64_t lendable(core_state const& s) noexcept {
  if (!s.lends || s.now < s.borrow_after) {
    return 0;
  }
  std::int64_t const has = borrowed(s);
  return std::max<std::int64_t>(0, may_have(s, has) - has);
}

/// When the lease ends, or the time after a recall is over.
[[nodiscard]] inline time_point next_loan_change(core_state const& s) noexcept {
  time_point const end = s.now < s.lent.until && s.lent.gpus > 0 ? s.lent.until : never;
  return s.now < s.borrow_after ? std::min(end, s.borrow_after) : end;
}

}  // namespace detail
BERTH_NAMESPACE_END
