// SPDX-License-Identifier: BSL-1.0
// What has been computed for longest on most GPUs is kept (GFS, ASPLOS'26, arXiv 2509.11134). For
// comparison.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A stop counts as GPUs × time since the start: the cost of one victim in GFS, without its terms
/// for the share of spot jobs that were evicted. It destroys the time since the last multiple of
/// the checkpoint interval in this run (the whole run if no interval is known), and the restart
/// takes 40 s, or 60 s for more than 8 GPUs. That spot jobs are safe for an hour is
/// scheduler_config::minimum_run.
struct gfs {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = true;
  duration restart = std::chrono::seconds{40};
  duration large_restart = std::chrono::seconds{60};
  std::int32_t large_gang = 9;  ///< GPUs from which on a restart takes the longer time

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const&) const noexcept {
    checkpointing const& said = job.spec().checkpoints;
    auto const is_known = [](duration span) { return span > duration{0} && span != forever; };
    duration const interval = is_known(said.period) ? said.period : said.epoch_period;
    duration const run = job.run_time();
    return {.rollback = is_known(interval) ? run % interval : run};
  }
  [[nodiscard]] duration resume(job_view const& job, tick_context const&) const noexcept {
    duration const said = job.spec().checkpoints.startup;
    duration const usual = job.gang_gpus() >= large_gang ? large_restart : restart;
    return said > duration{0} ? said : usual;
  }
  [[nodiscard]] gpu_time price(job_view const& job, suspension const&,
                               tick_context const&) const noexcept {
    return gpu_time{job.gpus_held(), job.run_time()};
  }
};

BERTH_NAMESPACE_END
