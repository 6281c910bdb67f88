// SPDX-License-Identifier: BSL-1.0
// The reference placement: the lowest nodes that fit.
#pragma once

#include <berth/concepts/placement_policy.hpp>

BERTH_NAMESPACE_BEGIN

/// Prefers low node numbers and nothing else.
struct first_fit {
  using component_role = placement_role;
  static constexpr bool distinguishes_nodes = true;
  [[nodiscard]] gpu_time score(job_view const&, berth_view const& place,
                               tick_context const&) const noexcept {
    return gpu_time{place.first_node};
  }
};

BERTH_NAMESPACE_END
