// expect-error: has_remaining
// expect-error: remaining.*(is not .noexcept|may throw)
// SPDX-License-Identifier: BSL-1.0
// A predictor whose verb may throw.
#include <berth/concepts/throughput_predictor.hpp>

struct mine {
  using component_role = berth::predictor_role;
  berth::estimate remaining(berth::job_view const&, berth::tick_context const&) const { return {}; }
};
static_assert(berth::throughput_predictor<mine>);
