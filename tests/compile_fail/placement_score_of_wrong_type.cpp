// expect-error: has_score
// expect-error: score.*return-type-requirement|type constraint .*same_as
// SPDX-License-Identifier: BSL-1.0
// A placement whose verb gives something else.
#include <berth/concepts/placement_policy.hpp>

struct mine {
  using component_role = berth::placement_role;
  double score(berth::job_view const&, berth::berth_view const&,
               berth::tick_context const&) const noexcept {
    return 0.5;
  }
};
static_assert(berth::placement_policy<mine>);
