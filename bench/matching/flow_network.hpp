// SPDX-License-Identifier: BSL-1.0
// The form in which every general solver takes its input: a min-cost flow. Plain numbers, and
// C++17, since LEMON 1.3.1 does not compile as C++20.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace berth_bench {

/// Arcs are ordered by their tails. A node with positive supply sends exactly that much, one with
/// negative supply takes at most that much, all others pass on what they get.
struct flow_network {
  std::vector<std::pair<int, int>> arcs;  ///< tail, head
  std::vector<std::int32_t> capacity;     ///< per arc
  std::vector<std::int32_t> cost;         ///< per arc and unit, >= 0
  std::vector<std::int32_t> supply;       ///< per node

  [[nodiscard]] int nodes() const { return static_cast<int>(supply.size()); }

  void reserve(std::size_t count) {
    arcs.reserve(count);
    capacity.reserve(count);
    cost.reserve(count);
  }
  void add_arc(std::size_t tail, std::size_t head, std::int32_t room, std::int32_t per_unit) {
    arcs.emplace_back(static_cast<int>(tail), static_cast<int>(head));
    capacity.push_back(room);
    cost.push_back(per_unit);
  }
};

}  // namespace berth_bench
