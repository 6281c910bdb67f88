// SPDX-License-Identifier: BSL-1.0
// First in, first out: what everything else is compared with.
#pragma once

#include <berth/concepts/scheduling_policy.hpp>

BERTH_NAMESPACE_BEGIN

/// Submit order. A preempted job keeps its place. Displaces nobody.
struct fifo {
  using component_role = policy_role;
  [[nodiscard]] priority_key priority(job_view const&, tick_context const&) const noexcept {
    return {};
  }
};

BERTH_NAMESPACE_END
