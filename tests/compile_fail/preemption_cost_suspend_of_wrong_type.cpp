// expect-error: has_suspend
// expect-error: suspend.*return-type-requirement|type constraint .*same_as
// SPDX-License-Identifier: BSL-1.0
// A preemption_cost whose verb gives something else.
#include <berth/concepts/preemption_cost.hpp>

struct mine {
  using component_role = berth::preemption_role;
  berth::gpu_time suspend(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
  berth::duration resume(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::preemption_cost<mine>);
