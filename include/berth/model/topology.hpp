// SPDX-License-Identifier: BSL-1.0
// The tree node ⊂ rack ⊂ cluster, and how far apart two places are in it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// The smallest domain that holds a whole gang.
enum class locality : std::uint8_t { node, rack, cluster };

/// Where a node hangs in the tree.
struct tree_position {
  std::uint32_t node = 0;
  rack_id rack{};
};

/// Lowest common ancestor of two places. O(1).
[[nodiscard]] constexpr locality common_domain(tree_position a, tree_position b) noexcept {
  return a.node == b.node ? locality::node : a.rack == b.rack ? locality::rack : locality::cluster;
}

/// Hops up to the lowest common ancestor: 0 on the same node, 1 in the same rack, 2 across racks.
[[nodiscard]] constexpr int distance(tree_position a, tree_position b) noexcept {
  return static_cast<int>(common_domain(a, b));
}

BERTH_NAMESPACE_END
