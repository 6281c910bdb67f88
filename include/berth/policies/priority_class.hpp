// SPDX-License-Identifier: BSL-1.0
// Strict priority classes, as every production scheduler has them.
#pragma once

#include <berth/concepts/scheduling_policy.hpp>

BERTH_NAMESPACE_BEGIN

/// Higher job_spec::priority first, then submit order. A higher class displaces a lower one.
struct priority_class {
  using component_role = policy_role;
  [[nodiscard]] priority_key priority(job_view const& job, tick_context const&) const noexcept {
    return descending(job.spec().priority).displacing();
  }
};

BERTH_NAMESPACE_END
