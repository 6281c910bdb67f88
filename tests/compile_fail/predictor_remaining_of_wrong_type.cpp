// expect-error: has_remaining
// expect-error: remaining.*return-type-requirement|type constraint .*same_as
// SPDX-License-Identifier: BSL-1.0
// A predictor whose verb gives something else.
#include <berth/concepts/throughput_predictor.hpp>

struct mine {
  using component_role = berth::predictor_role;
  berth::duration remaining(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::throughput_predictor<mine>);
