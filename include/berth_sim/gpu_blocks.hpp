// SPDX-License-Identifier: BSL-1.0
// GPUs of a node as the blocks of neighbours that a chart draws.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/node.hpp>

#include <berth_sim/metrics.hpp>

#include <bit>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

inline void append_blocks(std::vector<gpu_block>& blocks, berth::gpu_range const& range) {
  for (std::uint32_t first = 0; first < static_cast<std::uint32_t>(max_gpus_per_node);) {
    if (((range.gpus >> first) & 1u) == 0) {
      ++first;
      continue;
    }
    auto const length = static_cast<std::uint32_t>(std::countr_one(range.gpus >> first));
    blocks.push_back({range.node.slot(), first, length});
    first += length;
  }
}

}  // namespace sim

BERTH_NAMESPACE_END
