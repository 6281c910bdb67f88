// SPDX-License-Identifier: BSL-1.0
// Idle GPUs of the inference pool, lent to training, and who may use them.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// So many GPUs of the inference pool may be used by training, as long as inference neither holds
/// them nor waits for them, until the lease ends.
struct loan {
  std::int32_t gpus = 0;
  time_point until = never;
  friend constexpr bool operator==(loan const&, loan const&) noexcept = default;
};

/// Which of its GPUs a training job may have on loan.
enum class borrowing : std::uint8_t {
  none,   ///< none: it keeps to the training pool
  extra,  ///< those beyond its least gang: what it needs is never recalled
  all,    ///< any: it may start on lent GPUs, and be stopped when they are recalled
};

BERTH_NAMESPACE_END
