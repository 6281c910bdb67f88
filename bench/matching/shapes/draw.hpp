// SPDX-License-Identifier: BSL-1.0
// What the generators of the shapes have in common: drawing distinct indices, and a normal variate
// that is the same on every platform.
#pragma once

#include <berth/core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace berth_bench {

/// `count` different numbers below `bound`, ascending.
inline std::vector<std::uint32_t> draw_distinct(berth::random_source& random, std::size_t count,
                                                std::size_t bound) {
  std::vector<std::uint32_t> all(bound);
  std::iota(all.begin(), all.end(), 0u);
  count = std::min(count, bound);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(all[i], all[i + random.below(bound - i)]);
  }
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

inline std::int32_t draw_between(berth::random_source& random, std::int32_t low,
                                 std::int32_t high) {
  return static_cast<std::int32_t>(random.between(low, high));
}

/// A standard normal variate with 32 bits behind the point: twelve uniform ones, whose sum has
/// variance one.
inline std::int64_t draw_normal(berth::random_source& random) {
  std::int64_t sum = -6 * (std::int64_t{1} << 32);
  for (int i = 0; i < 12; ++i) {
    sum += static_cast<std::int64_t>(random.next() >> 32);
  }
  return sum;
}

/// The GPUs of a gang: 2, 4, 8 or 16 with 40, 20, 20 and 20 %.
inline std::int32_t draw_demand(berth::random_source& random) {
  constexpr std::int32_t demands[] = {2, 2, 4, 8, 16};
  return demands[random.below(5)];
}

}  // namespace berth_bench
