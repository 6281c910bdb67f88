// SPDX-License-Identifier: BSL-1.0
// Costs as tests write them down.
#pragma once

#include <berth/core/cost.hpp>

#include <cstdint>
#include <vector>

namespace tests {

/// Milliseconds of one GPU.
[[nodiscard]] inline berth::gpu_time ms(std::int64_t count) {
  return berth::gpu_time{count};
}

/// A cell that nobody may have.
inline constexpr berth::gpu_time no = berth::gpu_time::forbidden();

[[nodiscard]] inline std::vector<berth::gpu_time> costs(std::vector<std::int64_t> const& counts) {
  std::vector<berth::gpu_time> made;
  for (std::int64_t const count : counts) {
    made.push_back(ms(count));
  }
  return made;
}

}  // namespace tests
