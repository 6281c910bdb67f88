// expect-error: job_data are trivially copyable
// SPDX-License-Identifier: BSL-1.0
// Job data are copied as bytes; others must not count as none without a word.
#include <berth/presets/make_scheduler.hpp>

#include <vector>

struct mine {
  using component_role = berth::policy_role;
  struct job_data {
    std::vector<int> seen;
  };
  berth::priority_key priority(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};

auto make(berth::cluster const& nodes) {
  return berth::make_scheduler(nodes, {}, mine{});
}
