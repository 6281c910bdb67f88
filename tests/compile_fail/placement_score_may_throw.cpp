// expect-error: has_noexcept_score
// expect-error: score.*(is not .noexcept|may throw)
// SPDX-License-Identifier: BSL-1.0
// A placement whose verb may throw.
#include <berth/concepts/placement_policy.hpp>

struct mine {
  using component_role = berth::placement_role;
  berth::gpu_time score(berth::job_view const&, berth::berth_view const&,
                        berth::tick_context const&) const {
    return {};
  }
};
static_assert(berth::placement_policy<mine>);
