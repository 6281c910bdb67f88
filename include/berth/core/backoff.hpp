// SPDX-License-Identifier: BSL-1.0
// Waits that grow from attempt to attempt.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Delay before attempt n + 1: base × factor^(n-1), at most cap.
struct backoff {
  duration base = std::chrono::seconds{1};
  std::int32_t factor = 2;
  duration cap = std::chrono::minutes{5};

  /// Never above cap, never below 0, never falling with n. O(log cap).
  [[nodiscard]] constexpr duration delay(std::uint32_t attempt) const noexcept {
    duration wait = base < cap ? base : cap;
    for (std::uint32_t n = 1; n < attempt && wait < cap; ++n) {
      wait = wait > cap / factor ? cap : wait * factor;
      if (factor <= 1) {
        break;
      }
    }
    return wait;
  }
};

BERTH_NAMESPACE_END
