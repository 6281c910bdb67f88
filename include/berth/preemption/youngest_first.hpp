// SPDX-License-Identifier: BSL-1.0
// Who started last yields first: Slurm's preempt_youngest_first and Kueue's order among workloads
// of equal priority. For comparison.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/preemption/epoch_boundary.hpp>

BERTH_NAMESPACE_BEGIN

/// A stop counts as the time that the run has lasted, whatever it destroys and however many GPUs it
/// frees. How the job stops, and what that takes, is Base's answer.
template <preemption_cost Base = epoch_boundary>
struct youngest_first {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = berth::allows_timelessly<Base>;
  Base base{};

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const& tick) const noexcept {
    return base.suspend(job, tick);
  }
  [[nodiscard]] duration resume(job_view const& job, tick_context const& tick) const noexcept {
    return base.resume(job, tick);
  }
  [[nodiscard]] gpu_time price(job_view const& job, suspension const&,
                               tick_context const&) const noexcept {
    return gpu_time{1, job.run_time()};
  }
};

BERTH_NAMESPACE_END
