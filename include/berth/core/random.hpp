// SPDX-License-Identifier: BSL-1.0
// Seeded random numbers that are the same on every platform; <random>'s distributions are not.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): one word of state, every seed is good.
class random_source {
 public:
  constexpr explicit random_source(std::uint64_t seed) noexcept : state_{seed} {}

  constexpr std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound), without bias; `bound` 0 gives 0.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    if (bound == 0) {
      return 0;
    }
    std::uint64_t const reject_under = (0 - bound) % bound;
    std::uint64_t drawn = next();
    while (drawn < reject_under) {
      drawn = next();
    }
    return drawn % bound;
  }

  /// Uniform in [low, high], both included.
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) noexcept {
    auto const span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    std::uint64_t const offset = span == 0 ? next() : below(span);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  }

  /// Uniform in [0, 1) with 53 bits.
  constexpr double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

BERTH_NAMESPACE_END
