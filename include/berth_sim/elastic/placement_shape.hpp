// SPDX-License-Identifier: BSL-1.0
// How a job's GPUs lie on nodes, as far as its step time depends on it.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// GPUs per node in the ring of a job's workers. Up to rotation, because a ring has no first node;
/// on more than `ordered_nodes` nodes their number and that of the GPUs is all that counts. The
/// measured nodes have four GPUs: a larger node counts as so many nodes of four, because no step
/// was measured between GPUs five to eight of a node, and guessing that they cost nothing would
/// be a gift.
struct placement_shape {
  static constexpr std::int32_t ordered_nodes = 4;
  static constexpr std::int32_t measured_gpus_per_node = 4;

  std::int32_t nodes = 0;
  std::int32_t gpus = 0;
  /// The GPUs of each node as the digits of a number, in the rotation that is smallest; 0 beyond
  /// `ordered_nodes`.
  std::int32_t order = 0;

  /// Nodes without a GPU of the job do not count. Negative numbers are a broken precondition.
  [[nodiscard]] static constexpr placement_shape of(
      std::span<std::int32_t const> gpus_by_node) noexcept {
    placement_shape made;
    std::array<std::int32_t, ordered_nodes> ring{};
    for (std::int32_t left : gpus_by_node) {
      BERTH_ASSERT(left >= 0, "GPUs of a node");
      made.gpus += left;
      while (left > 0) {
        std::int32_t const here = std::min(left, measured_gpus_per_node);
        if (made.nodes < ordered_nodes) {
          ring[static_cast<std::size_t>(made.nodes)] = here;
        }
        ++made.nodes;
        left -= here;
      }
    }
    if (made.nodes <= ordered_nodes) {
      made.order = smallest_rotation({ring.data(), static_cast<std::size_t>(made.nodes)});
    }
    return made;
  }
  /// On as few nodes as can be, all but the last one full. Precondition: gpus_per_node > 0.
  [[nodiscard]] static constexpr placement_shape packed(std::int32_t gpus,
                                                        std::int32_t gpus_per_node) noexcept {
    BERTH_ASSERT(gpus >= 0 && gpus_per_node > 0, "GPUs on nodes that have some");
    placement_shape made;
    std::array<std::int32_t, ordered_nodes> ring{};
    std::size_t filled = 0;
    bool is_short = true;
    for (std::int32_t left = gpus; left > 0;) {
      std::int32_t const node = std::min(left, gpus_per_node);
      std::int32_t const parts = (node - 1) / measured_gpus_per_node + 1;
      made.nodes += parts;
      is_short = is_short && made.nodes <= ordered_nodes;
      if (is_short) {
        ring[filled++] = node;
      }
      left -= node;
    }
    made.gpus = gpus;
    return is_short ? of({ring.data(), filled}) : made;
  }

  [[nodiscard]] constexpr bool is_empty() const noexcept { return gpus == 0; }
  friend constexpr bool operator==(placement_shape const&,
                                   placement_shape const&) noexcept = default;

 private:
  [[nodiscard]] static constexpr std::int32_t smallest_rotation(
      std::span<std::int32_t const> ring) noexcept {
    std::int32_t smallest = 0;
    for (std::size_t first = 0; first < ring.size(); ++first) {
      std::int32_t number = 0;
      for (std::size_t at = 0; at < ring.size(); ++at) {
        number = 10 * number + ring[(first + at) % ring.size()];
      }
      smallest = first == 0 ? number : std::min(smallest, number);
    }
    return smallest;
  }
};

}  // namespace sim

BERTH_NAMESPACE_END
