// SPDX-License-Identifier: BSL-1.0
// What a kill costs: the work since the last checkpoint, and the restart.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/time.hpp>

#include <algorithm>

BERTH_NAMESPACE_BEGIN

/// GPUs × (time since the last checkpoint + start-up time). A job that never said anything about
/// checkpoints loses its whole run.
struct lost_work {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = true;
  duration default_startup{0};  ///< for jobs that do not say theirs

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const& tick) const noexcept {
    suspension answer;
    if (job.is_running()) {
      answer.rollback = std::max(duration{0}, saturating_sub(tick.now, job.safe_since()));
    }
    return answer;
  }
  [[nodiscard]] duration resume(job_view const& job, tick_context const&) const noexcept {
    duration const declared = job.spec().checkpoints.startup;
    return declared > duration{0} ? declared : default_startup;
  }
};

BERTH_NAMESPACE_END
