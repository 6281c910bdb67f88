// SPDX-License-Identifier: BSL-1.0
// Auto-fast elastic restarts (AFE), after DeepBoot (Chen et al., IEEE TPDS 34(9), 2023): workers
// that stay keep their process and their data, so that a change of size costs far less than a
// start.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/concepts/sizing_allocator.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <algorithm>
#include <chrono>

BERTH_NAMESPACE_BEGIN

/// A start costs checkpointing::startup, a change of size checkpointing::resize and, of the rest of
/// a start, the share of the new workers (sizing/elastic_job.hpp, resize_time). The defaults are
/// the means over DeepBoot's six applications, weighted by the jobs of Pollux's workload-1. A stop
/// costs what it costs lost_work.
struct auto_fast_elastic {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = true;
  duration default_startup = std::chrono::seconds{28};
  duration default_resize = std::chrono::seconds{3};

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const& tick) const noexcept {
    return lost_work{}.suspend(job, tick);
  }
  [[nodiscard]] duration resume(job_view const& job, tick_context const&) const noexcept {
    duration const said = job.spec().checkpoints.startup;
    return said > duration{0} ? said : default_startup;
  }
  [[nodiscard]] resize_time resize(job_view const& job, tick_context const& tick) const noexcept {
    duration const first = resume(job, tick);
    duration const said = job.spec().checkpoints.resize;
    return {first, std::min(first, said > duration{0} ? said : default_resize)};
  }
};

BERTH_NAMESPACE_END
