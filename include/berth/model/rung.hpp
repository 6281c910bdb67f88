// SPDX-License-Identifier: BSL-1.0
// A step of an elastic job's ladder: a number of GPUs, and how fast the job is on them.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Speeds are fixed point: this is the speed at which an elastic job's work is counted, usually
/// that of one GPU.
inline constexpr std::int64_t unit_rung_speed = std::int64_t{1} << 16;

/// A number of GPUs and how fast the job is on them, in 1/unit_rung_speed.
struct rung {
  std::int32_t size = 1;
  std::int64_t speed = unit_rung_speed;
  friend constexpr bool operator==(rung const&, rung const&) noexcept = default;
};

BERTH_NAMESPACE_END
