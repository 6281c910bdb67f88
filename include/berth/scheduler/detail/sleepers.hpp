// SPDX-License-Identifier: BSL-1.0
// Replicas that sleep keep their GPUs until somebody needs them: those that have slept longest go
// first, because a warm replica is worth most while its last request is recent.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/loans.hpp>
#include <berth/scheduler/detail/state.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// The replica that has slept longest, of equals the one submitted first; no_index if none sleeps.
/// O(holders).
[[nodiscard]] inline std::uint32_t longest_asleep(core_state const& s) noexcept {
  std::uint32_t found = no_index;
  for (std::uint32_t const slot : s.holders.members()) {
    if (!is_asleep(s, slot)) {
      continue;
    }
    bool const first = found == no_index ||
                       s.jobs[slot].asleep_since < s.jobs[found].asleep_since ||
                       (s.jobs[slot].asleep_since == s.jobs[found].asleep_since &&
                        s.jobs[slot].sequence < s.jobs[found].sequence);
    found = first ? slot : found;
  }
  return found;
}

/// Has sleeping replicas leave at least so many GPUs, or all that they have. They need no time to
/// save anything. O(GPUs × holders).
inline void stop_sleepers(core_state& s, std::int64_t gpus) noexcept {
  while (gpus > 0) {
    std::uint32_t const slot = longest_asleep(s);
    if (slot == no_index) {
      return;
    }
    gpus -= s.jobs[slot].gpus_held;
    order_stop(s, slot, stop_reason::outbid, job_id{});
    step(s, slot, job_event::preempt);
    ++s.jobs[slot].preemptions;
    s.jobs[slot].saves_at = s.now;
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
