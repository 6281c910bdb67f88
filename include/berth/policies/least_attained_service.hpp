// SPDX-License-Identifier: BSL-1.0
// Discretised two-dimensional least attained service: the policy of Tiresias when nothing is known
// of the jobs' lengths (Gu et al., NSDI'19, §3.2.1–3.2.3).
#pragma once

#include <berth/concepts/scheduling_policy.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// Jobs sink from queue to queue as they receive GPU-time; a lower queue displaces a higher one;
/// within a queue the one that first started goes first, so that jobs of a queue do not preempt
/// each other.
struct least_attained_service {
  using component_role = policy_role;
  static constexpr std::size_t max_thresholds = 3;

  /// Service at which a job leaves queue 0, 1, 2; ascending. A threshold of max() is never reached,
  /// so the default has two queues with the border at one GPU·hour.
  std::array<gpu_time, max_thresholds> thresholds{gpu_time{1, std::chrono::hours{1}},
                                                  gpu_time::max(), gpu_time::max()};
  /// A job that has waited this many times its executed time returns to queue 0 with its service
  /// forgotten (PROMOTEKNOB); 0 = never.
  std::int32_t promote_after = 0;

  struct job_data {
    gpu_time forgotten_service;
    duration forgotten_execution{0};
  };
  static_assert(std::has_unique_object_representations_v<job_data>,
                "equal job data are equal bytes, in a snapshot and in a digest");

  [[nodiscard]] priority_key priority(job_view const& job, job_data& data,
                                      tick_context const& tick) const noexcept {
    if (promotion(job, data) <= tick.now) {
      data.forgotten_service = job.attained_service();
      data.forgotten_execution = job.executed();
    }
    std::int64_t const first = job.first_start().time_since_epoch().count();
    return ascending(queue(job, data)).displacing().then(ascending(first));
  }

  /// The next threshold while it runs, its promotion while it waits.
  [[nodiscard]] time_point next_change(job_view const& job, job_data const& data,
                                       tick_context const& tick) const noexcept {
    if (!job.is_running() || job.gpus_held() == 0) {
      return promotion(job, data);
    }
    std::int64_t const at = queue(job, data);
    if (at >= static_cast<std::int64_t>(max_thresholds)) {
      return never;
    }
    gpu_time const limit = thresholds[static_cast<std::size_t>(at)];
    if (limit >= gpu_time::max()) {
      return never;
    }
    gpu_time const missing = limit - service(job, data);
    std::int64_t const gpus = job.gpus_held();
    return saturating_add(tick.now, duration{(missing.count() + gpus - 1) / gpus});
  }

 private:
  [[nodiscard]] static gpu_time service(job_view const& job, job_data const& data) noexcept {
    return job.attained_service() - data.forgotten_service;
  }
  [[nodiscard]] std::int64_t queue(job_view const& job, job_data const& data) const noexcept {
    std::int64_t index = 0;
    for (gpu_time const threshold : thresholds) {
      index += service(job, data) >= threshold ? 1 : 0;
    }
    return index;
  }
  // `never` while it holds GPUs, has not sunk, or promotion is off.
  [[nodiscard]] time_point promotion(job_view const& job, job_data const& data) const noexcept {
    duration const executed = job.executed() - data.forgotten_execution;
    if (promote_after <= 0 || job.gpus_held() > 0 || executed <= duration{0} ||
        queue(job, data) == 0) {
      return never;
    }
    duration const patience{gpu_time{promote_after, executed}.count()};
    return saturating_add(job.now(), patience - job.waiting());
  }
};

BERTH_NAMESPACE_END
