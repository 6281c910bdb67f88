// SPDX-License-Identifier: BSL-1.0
// Which GPUs inside a node: aligned neighbours where possible, because links between GPUs come in
// pairs, fours and eights, and because an aligned hole is what the next gang needs.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>

#include <bit>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// `count` of the GPUs in `from`: the aligned block of the next power of two that is completely in
/// `from` and whose buddy is least free (so that larger blocks stay whole), else the lowest ones.
/// O(64).
[[nodiscard]] constexpr gpu_mask pick_gpus(gpu_mask from, int count) noexcept {
  BERTH_ASSERT(count >= 0 && gpu_count(from) >= count, "as many GPUs as asked for must be there");
  if (count == 0) {
    return 0;
  }
  auto const width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
  gpu_mask best = 0;
  int best_neighbours = max_gpus_per_node + 1;
  for (int at = 0; at + width <= max_gpus_per_node; at += width) {
    gpu_mask const block = first_gpus(width) << at;
    if ((from & block) != block) {
      continue;
    }
    int const buddy = at ^ width;
    int const neighbours =
        buddy < max_gpus_per_node ? gpu_count(from & (first_gpus(width) << buddy)) : 0;
    if (neighbours < best_neighbours) {
      best_neighbours = neighbours;
      best = first_gpus(count) << at;
    }
  }
  if (best != 0) {
    return best;
  }
  gpu_mask picked = 0;
  for (gpu_mask rest = from; gpu_count(picked) < count; rest &= rest - 1) {
    picked |= rest & (0 - rest);
  }
  return picked;
}

}  // namespace detail
BERTH_NAMESPACE_END
