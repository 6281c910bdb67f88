// expect-error: has_component_role
// expect-error: component_role.*(is invalid|would be invalid)
// SPDX-License-Identifier: BSL-1.0
// A predictor that does not say which seam it fits.
#include <berth/concepts/throughput_predictor.hpp>

struct mine {
  berth::estimate remaining(berth::job_view const&, berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(berth::throughput_predictor<mine>);
