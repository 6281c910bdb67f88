// SPDX-License-Identifier: BSL-1.0
// A predictor that reads what the simulated host knows: how much is left of a job whose pace
// changes as it learns.
#pragma once

#include <berth/concepts/throughput_predictor.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/estimate.hpp>
#include <berth/model/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// Per job, by job_spec::tag: what is left at the speed unit_rung_speed of its ladder; `forever` if
/// nobody knows.
using remaining_board = std::vector<duration>;

/// The board must outlive the scheduler.
struct told_remaining {
  using component_role = predictor_role;
  remaining_board const* board = nullptr;

  [[nodiscard]] estimate remaining(job_view const& job, tick_context const&) const noexcept {
    auto const at = static_cast<std::size_t>(job.spec().tag);
    duration const left = at < board->size() ? (*board)[at] : forever;
    if (left == forever) {
      return {};
    }
    duration const there{gpu_time{unit_speed, left}.count() / job.speed()};
    duration const soon = std::max(duration{1}, there);
    return {soon, soon, soon};
  }
};

}  // namespace sim

BERTH_NAMESPACE_END
