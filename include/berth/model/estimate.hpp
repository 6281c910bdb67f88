// SPDX-License-Identifier: BSL-1.0
// What a predictor answers: a quantity with its uncertainty.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

BERTH_NAMESPACE_BEGIN

/// Three quantiles; `forever` is "unknown". p10 <= p50 <= p90.
struct estimate {
  duration p10 = forever;
  duration p50 = forever;
  duration p90 = forever;

  /// The same value without uncertainty.
  [[nodiscard]] static constexpr estimate exactly(duration value) noexcept {
    return {value, value, value};
  }
  friend constexpr bool operator==(estimate const&, estimate const&) noexcept = default;
};

BERTH_NAMESPACE_END
