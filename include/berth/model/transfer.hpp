// SPDX-License-Identifier: BSL-1.0
// How long bytes take: checkpoints that are written and read, and training data that are read
// again.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job_spec.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Time for `bytes` at `per_second` bytes a second, rounded up, at most max_duration. Nothing takes
/// no time, and neither does anything where the rate is 0: "so fast that it does not matter".
[[nodiscard]] constexpr duration transfer_time(std::int64_t bytes,
                                               std::int64_t per_second) noexcept {
  constexpr std::int64_t fastest = std::int64_t{1} << 50;  // 1000 times it does not wrap
  if (bytes <= 0 || per_second <= 0) {
    return duration{0};
  }
  std::int64_t const rate = std::min(per_second, fastest);
  std::int64_t const rest = (1000 * (bytes % rate) + rate - 1) / rate;
  return std::min(max_duration, duration{gpu_time{1000, duration{bytes / rate}}.count() + rest});
}

/// Time by which reading `bytes` of the data set, of which an epoch of `epoch` reads all, holds up
/// training: loading goes on while the job computes, so only what storage is slower than the job
/// itself counts. All of it where the epoch is unknown (0).
[[nodiscard]] constexpr duration unhidden_reading(checkpointing const& saving, std::int64_t bytes,
                                                  duration epoch,
                                                  std::int64_t per_second) noexcept {
  std::int64_t const needed = std::clamp<std::int64_t>(bytes, 0, saving.dataset_bytes);
  duration const reading = transfer_time(needed, per_second);
  if (epoch <= duration{0} || epoch > max_duration || needed == 0) {
    return reading;
  }
  // epoch * needed / dataset_bytes, by way of parts per 2^20 so that nothing wraps
  std::int64_t const unit = std::max<std::int64_t>(1, saving.dataset_bytes >> 20);
  std::int64_t const share = (needed / unit << 20) / (saving.dataset_bytes / unit);
  duration const consuming{(epoch.count() * share) >> 20};
  return std::max(duration{0}, reading - consuming);
}

/// Of that, what the job is spared on the node that it left, where `cached_bytes` still are.
[[nodiscard]] constexpr duration spared_reading(checkpointing const& saving, duration epoch,
                                                std::int64_t per_second) noexcept {
  std::int64_t const missing = saving.dataset_bytes - saving.cached_bytes;
  duration const cold = unhidden_reading(saving, saving.dataset_bytes, epoch, per_second);
  duration const warm = unhidden_reading(saving, missing, epoch, per_second);
  return std::max(duration{0}, cold - warm);
}

BERTH_NAMESPACE_END
