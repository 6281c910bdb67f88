// SPDX-License-Identifier: BSL-1.0
// The seam that says how many GPUs a candidate gets now.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>

#include <concepts>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// What happened to the candidates before this one, in rank order.
struct queue_state {
  type_mask blocked_types = 0;  ///< GPU types for which an earlier candidate waits in vain
  bool head_promised = false;   ///< the first of those has a promise: GPUs and a start
  time_point promised_start = never;
};

/// What a candidate may try to get.
struct grant {
  std::int32_t gpus = 0;              ///< 0: not in this tick
  type_mask types = any_type;         ///< only on these types
  bool may_use_promised_gpus = true;  ///< it is gone before the promised start
};

// A gang_allocator sizes candidates, asked one by one in rank order.
//
//   Given  a: A const&, j: job_view, q: queue_state const&, t: tick_context const&
//   a.allocate(j, q, t)   -> grant   noexcept, O(1), no allocation
//   a.reserves_for_head() -> bool    noexcept: does the first candidate that cannot start get a
//   promise?
//
//   a.looks_at_queue()    -> bool    noexcept, optional: does an answer depend on q, or change with
//   time?
//
// Semantics  1. A rigid gang gets all its GPUs or none.
//            2. Types outside job.form().types are never used, whatever the grant says.
//            3. Where looks_at_queue() is false, a job that found no place is not asked about again
//            until something happens that may help it. Without it, every tick asks.
// Models     rigid, easy_backfill
template <class A>
concept has_allocate =
    requires(A const& a, job_view const& j, queue_state const& q, tick_context const& t) {
      { a.allocate(j, q, t) } noexcept -> std::same_as<grant>;
    };
template <class A>
concept has_reserves_for_head = requires(A const& a) {
  { a.reserves_for_head() } noexcept -> std::same_as<bool>;
};
template <class A>
concept gang_allocator =
    component<A, allocator_role> && has_allocate<A> && has_reserves_for_head<A>;

/// One way to ask, whatever the allocator says.
template <gang_allocator A>
[[nodiscard]] bool looks_at_queue(A const& a) noexcept {
  if constexpr (requires {
                  { a.looks_at_queue() } noexcept -> std::same_as<bool>;
                }) {
    return a.looks_at_queue();
  } else {
    return true;
  }
}

BERTH_NAMESPACE_END
