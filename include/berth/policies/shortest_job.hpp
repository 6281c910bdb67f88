// SPDX-License-Identifier: BSL-1.0
// Shortest job first, without preemption.
#pragma once

#include <berth/concepts/scheduling_policy.hpp>

BERTH_NAMESPACE_BEGIN

/// Shortest remaining run time first; unknown lengths last, in submit order. Displaces nobody.
struct shortest_job {
  using component_role = policy_role;
  [[nodiscard]] priority_key priority(job_view const& job, tick_context const&) const noexcept {
    return ascending(job.remaining().p50.count());
  }
};

BERTH_NAMESPACE_END
