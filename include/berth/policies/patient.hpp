// SPDX-License-Identifier: BSL-1.0
// Ageing: any policy, but nobody waits much longer than first come, first served would have let
// somebody wait.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/scheduling_policy.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// As `Inner` says, until a job has waited, all its waits together, for `percent` of the longest
/// wait that first come, first served would have given anybody since the cluster was last idle
/// (tick_context::longest_fluid_wait). From then on it goes before everybody who has not, in submit
/// order, and is displaced by none of them. With 0 per cent patience has no end.
template <scheduling_policy Inner>
struct patient {
  using component_role = policy_role;
  [[no_unique_address]] Inner inner{};
  std::int64_t percent = 100;

  using job_data = std::conditional_t<has_job_data<Inner>, job_data_of<Inner>, no_job_data>;

  [[nodiscard]] priority_key priority(job_view const& job, job_data& data,
                                      tick_context const& tick) const noexcept {
    priority_key const key = ask_priority(inner, job, data, tick);
    return limit(tick) < job.waited() ? first_of_all(key) : key;
  }
  [[nodiscard]] time_point next_change(job_view const& job, job_data& data,
                                       tick_context const& tick) const noexcept {
    time_point const own = ask_next_change(inner, job, data, tick);
    duration const left = limit(tick) - job.waited();
    bool const waits = !job.is_running() && left >= duration{0};
    return waits ? std::min(own, saturating_add(tick.now, left + duration{1})) : own;
  }

 private:
  [[nodiscard]] duration limit(tick_context const& tick) const noexcept {
    return percent == 0 ? max_duration
                        : duration{gpu_time{percent, tick.longest_fluid_wait}.count() / 100};
  }
  /// One level, so that victims are still told apart by theirs; it gives what rights `key` gives.
  [[nodiscard]] static priority_key first_of_all(priority_key const& key) noexcept {
    priority_key const first = ascending(std::numeric_limits<std::int64_t>::min());
    return key.can_displace_at_all() ? first.displacing() : first;
  }
};
template <class Inner>
patient(Inner) -> patient<Inner>;
template <class Inner>
patient(Inner, std::int64_t) -> patient<Inner>;

BERTH_NAMESPACE_END
