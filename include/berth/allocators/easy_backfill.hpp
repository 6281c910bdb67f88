// SPDX-License-Identifier: BSL-1.0
// EASY backfilling (Lifka, JSSPP'95; Mu'alem and Feitelson, TPDS'01): the head of the queue gets a
// promise, later jobs run early where they cannot delay it.
#pragma once

#include <berth/concepts/gang_allocator.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// The first candidate that cannot start is promised the earliest GPUs that suffice. A later one
/// may use them if by its own upper bound it ends before, on a GPU type that is fast enough for it;
/// a job that ends too late on every type may use other GPUs.
struct easy_backfill {
  using component_role = allocator_role;

  [[nodiscard]] grant allocate(job_view const& job, queue_state const& queue,
                               tick_context const& tick) const noexcept {
    if (!queue.head_promised) {
      return {.gpus = job.gang_gpus()};
    }
    type_mask in_time = 0;
    for (std::size_t t = 0; t < max_gpu_types; ++t) {
      auto const type = gpu_type{static_cast<std::uint8_t>(t)};
      bool const ends = job.form().allows(type) &&
                        saturating_add(tick.now, run_time_on(job, type)) <= queue.promised_start;
      in_time = static_cast<type_mask>(in_time | (ends ? 1u << t : 0u));
    }
    bool const gone_in_time = in_time != 0;
    return {.gpus = job.gang_gpus(),
            .types = gone_in_time ? in_time : any_type,
            .may_use_promised_gpus = gone_in_time};
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return true; }

 private:
  /// Upper bound on the run time of a waiting job on this type; what it declared is for its
  /// fastest.
  [[nodiscard]] static duration run_time_on(job_view const& job, gpu_type type) noexcept {
    duration const bound = job.remaining().p90;
    std::int32_t const here = job.form().speed[static_cast<std::size_t>(type)];
    return bound == forever
               ? forever
               : duration{(gpu_time{job.best_speed(), bound}.count() + here - 1) / here};
  }
};

BERTH_NAMESPACE_END
