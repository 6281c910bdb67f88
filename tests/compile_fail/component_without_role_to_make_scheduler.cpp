// expect-error: component: says which seam it fits, .using component_role = berth::policy_role
// SPDX-License-Identifier: BSL-1.0
// make_scheduler is given a struct that is no component.
#include <berth/presets/make_scheduler.hpp>

struct mine {
  berth::priority_key priority(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
