// SPDX-License-Identifier: BSL-1.0
// The nodes of a simulated cluster as a trace or a command line describes them. Turning them into
// berth's cluster model is the simulator's business.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/string_table.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct node_record {
  name_id name = name_id::none;
  name_id model = name_id::none;  ///< GPU type
  std::int32_t gpus = 0;
  std::int64_t cpu_milli = 0;     ///< thousandths of a core; 0 = unknown
  std::int64_t memory_bytes = 0;  ///< 0 = unknown
};

struct node_list {
  std::string source;
  std::vector<node_record> nodes;
  string_table names;
  string_table models;
  std::int64_t without_gpu = 0;  ///< well-formed lines left out because the node has no GPU
  std::int64_t malformed = 0;    ///< refused lines, in lenient mode only
};

[[nodiscard]] inline std::int64_t total_gpus(node_list const& list) noexcept {
  return std::accumulate(list.nodes.begin(), list.nodes.end(), std::int64_t{0},
                         [](std::int64_t sum, node_record const& node) { return sum + node.gpus; });
}

/// `count` equal nodes, named node0, node1, …
[[nodiscard]] inline node_list uniform_nodes(std::size_t count, std::int32_t gpus,
                                             std::string_view model = "gpu") {
  node_list list;
  list.source = std::to_string(count) + "x" + std::to_string(gpus);
  list.nodes.reserve(count);
  for (std::size_t at = 0; at < count; ++at) {
    node_record node;
    node.name = list.names.intern("node" + std::to_string(at));
    node.model = list.models.intern(model);
    node.gpus = gpus;
    list.nodes.push_back(node);
  }
  return list;
}

}  // namespace sim

BERTH_NAMESPACE_END
