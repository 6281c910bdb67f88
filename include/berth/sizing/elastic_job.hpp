// SPDX-License-Identifier: BSL-1.0
// A job that can run on several numbers of GPUs, as an allocator sees it: how fast it is on each,
// how much is left, what it holds, and what another number would cost it. A rigid job is a ladder
// of one rung.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/rung.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// How long a job makes no progress when its GPUs change, after DeepBoot's auto-fast elastic
/// restarts (Chen et al., IEEE TPDS 34(9), 2023).
struct resize_time {
  duration first{0};  ///< a start from nothing
  duration next{0};   ///< a change while it runs, at least; <= first. Equal: there is no short cut

  /// 0 if nothing changes or the job stops; a start takes `first`, shrinking `next`, growth `next`
  /// and of the rest of `first` the share of the new workers. Sizes >= 0.
  [[nodiscard]] constexpr duration between(std::int32_t from, std::int32_t to) const noexcept {
    if (from == to || to == 0) {
      return duration{0};
    }
    if (from == 0) {
      return first;
    }
    std::int64_t const added = std::max(0, to - from);
    return next + duration{(first - next).count() * added / to};
  }
};

/// A view: the ladder must outlive the call that it is passed to.
struct elastic_job {
  job_id id;                       ///< the last tie-breaker: distinct within a problem
  std::span<rung const> ladder{};  ///< sizes > 0, ascending; besides them a job may get nothing
  duration remaining{0};           ///< what is left, at unit_rung_speed
  std::int32_t current = 0;        ///< GPUs that it holds, 0: it waits; need not be on the ladder
  resize_time resize{};
  std::uint32_t weight = 1;    ///< counts as so many jobs
  duration age{0};             ///< since it was submitted; only power_mean asks
  std::uint32_t restarts = 0;  ///< so far; only power_mean asks

  /// What is lost if it gets `size` GPUs now. A job that stops has to start again one day, and that
  /// is charged now; the start of a job that waits comes anyhow, now or later, and costs nothing.
  [[nodiscard]] constexpr duration change_to(std::int32_t size) const noexcept {
    if (size == current || current == 0) {
      return duration{0};
    }
    return size == 0 ? resize.first : resize.between(current, size);
  }
  /// On `size` GPUs: that of the largest rung within them, 0 if there is none. O(rungs).
  [[nodiscard]] constexpr std::int64_t speed_on(std::int32_t size) const noexcept {
    std::int64_t speed = 0;
    for (rung const& each : ladder) {
      speed = each.size <= size ? each.speed : speed;
    }
    return speed;
  }
  /// For how long what is left takes at that speed, rounded up to milliseconds and at most
  /// max_duration, as at a standstill.
  [[nodiscard]] constexpr duration time_at(std::int64_t speed) const noexcept {
    if (speed <= 0) {
      return max_duration;
    }
    return std::min(duration{(remaining.count() * unit_rung_speed + speed - 1) / speed},
                    max_duration);
  }
};

BERTH_NAMESPACE_END
