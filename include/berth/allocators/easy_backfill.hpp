// SPDX-License-Identifier: BSL-1.0
// EASY backfilling (Lifka, JSSPP'95; Mu'alem and Feitelson, TPDS'01): the head of the queue gets a
// promise, later jobs run early where they cannot delay it.
#pragma once

#include <berth/concepts/gang_allocator.hpp>
#include <berth/core/time.hpp>

BERTH_NAMESPACE_BEGIN

/// The first candidate that cannot start is promised the earliest GPUs that suffice. A later one
/// may use them if by its own upper bound it ends before; other GPUs it may use anyway.
struct easy_backfill {
  using component_role = allocator_role;

  [[nodiscard]] grant allocate(job_view const& job, queue_state const& queue,
                               tick_context const& tick) const noexcept {
    bool const gone_in_time = !queue.head_promised ||
                              saturating_add(tick.now, job.remaining().p90) <= queue.promised_start;
    return {.gpus = job.gang_gpus(), .may_use_promised_gpus = gone_in_time};
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return true; }
};

BERTH_NAMESPACE_END
