// SPDX-License-Identifier: BSL-1.0
// Who was restarted often, or came only now, is left alone (the restart penalty of Pollux, Qiao et
// al., OSDI'21, and Sia, SOSP'23). For comparison.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/preemption/epoch_boundary.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Pollux multiplies what a job gets out of another allocation by r = (T - N·S) / (T + S): T is the
/// job's age, N how often it was restarted, S what a restart takes; r is what would be left of its
/// time after one more. Here a stop counts as what 1 - r takes from its GPUs over `outlook`.
template <preemption_cost Base = epoch_boundary>
struct restart_factor {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = berth::allows_timelessly<Base>;
  Base base{};
  duration outlook = std::chrono::hours{1};

  static constexpr std::int64_t unit = 1'000'000;

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const& tick) const noexcept {
    return base.suspend(job, tick);
  }
  [[nodiscard]] duration resume(job_view const& job, tick_context const& tick) const noexcept {
    return base.resume(job, tick);
  }
  [[nodiscard]] gpu_time price(job_view const& job, suspension const& stop,
                               tick_context const& tick) const noexcept {
    duration const age = std::max(duration{0}, saturating_sub(tick.now, job.submitted()));
    duration const restart = stop.save + base.resume(job, tick);
    std::int64_t const lost = unit - factor(age, job.preemptions(), restart);
    return gpu_time{job.gpus_held(), duration{gpu_time{lost, outlook}.count() / unit}};
  }

  /// r in millionths, rounded down, within 0..unit; 0 for a job without age that restarts in no
  /// time.
  [[nodiscard]] static constexpr std::int64_t factor(duration age, std::uint32_t restarts,
                                                     duration restart) noexcept {
    std::int64_t const whole =
        (std::min(age, max_duration) + std::min(restart, max_duration)).count();
    std::int64_t const left = std::min(age, max_duration).count() -
                              gpu_time{restarts, std::min(restart, max_duration)}.count();
    return whole <= 0 || left <= 0 ? 0 : gpu_time{unit, duration{left}}.count() / whole;
  }
};

BERTH_NAMESPACE_END
