// SPDX-License-Identifier: BSL-1.0
// Trusts what the job declared.
#pragma once

#include <berth/concepts/throughput_predictor.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/shape.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

namespace detail {
/// Run time for `work` at `speed` thousandths, rounded up.
[[nodiscard]] constexpr duration at_speed(duration work, std::int32_t speed) noexcept {
  return work == forever ? forever
                         : duration{(gpu_time{unit_speed, work}.count() + speed - 1) / speed};
}
}  // namespace detail

/// p10 and p50 from job_spec::work less what is done, p90 from job_spec::estimate less the time it
/// ran; each stands in for the other where only one is given. Never below 1 ms: an overdue job ends
/// soon.
struct declared {
  using component_role = predictor_role;

  [[nodiscard]] estimate remaining(job_view const& job, tick_context const&) const noexcept {
    duration const soon{1};
    duration left = forever;
    if (job.spec().work != forever) {
      left = std::max(soon, detail::at_speed(job.spec().work - job.done(), job.speed()));
    }
    duration bound = forever;
    if (job.spec().estimate != forever) {
      bound = std::max(soon, job.spec().estimate - job.run_time());
    }
    if (bound == forever) {
      bound = left;
    }
    if (left == forever) {
      left = bound;
    }
    return {left, left, std::max(left, bound)};
  }
};

BERTH_NAMESPACE_END
