// SPDX-License-Identifier: BSL-1.0
// Node lists of Alibaba's openb cluster (cluster-trace-gpu-v2023; Weng et al., "Beware of
// Fragmentation", ATC 2023): sn,cpu_milli,memory_mib,gpu,model. Nodes without a GPU are left out
// and counted: nothing of a gang can run there.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/nodes.hpp>
#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>
#include <berth_sim/traces/read_options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// A name that appears twice is malformed, and so is a node with GPUs but without a model. O(n log
/// n).
[[nodiscard]] inline parsed<node_list> read_openb_nodes(std::istream& in, std::string const& file,
                                                        read_options options = {}) {
  static constexpr std::array<std::string_view, 5> names{"sn", "cpu_milli", "memory_mib", "gpu",
                                                         "model"};
  constexpr std::int64_t mebibyte = 1024 * 1024;
  node_list list;
  list.source = "openb " + file;
  auto const row = [&list](std::vector<detail::cell> const& cells,
                           std::size_t) -> std::optional<detail::bad_cell> {
    node_record node;
    std::int64_t memory = 0;
    std::int64_t gpus = 0;
    if (cells[0].text.empty()) {
      return detail::complain(0, "is empty");
    }
    if (list.names.find(cells[0].text) != name_id::none) {
      return detail::complain(0, "is named twice");
    }
    if (auto const wrong = detail::parse_integer(cells[1].text, node.cpu_milli)) {
      return detail::complain(1, wrong);
    }
    if (auto const wrong = detail::parse_integer(
            cells[2].text, memory, std::numeric_limits<std::int64_t>::max() / mebibyte)) {
      return detail::complain(2, wrong);
    }
    if (auto const wrong =
            detail::parse_integer(cells[3].text, gpus, std::numeric_limits<std::int32_t>::max())) {
      return detail::complain(3, wrong);
    }
    if (gpus > 0 && cells[4].text.empty()) {
      return detail::complain(4, "is empty");
    }
    node.name = list.names.intern(cells[0].text);
    if (gpus == 0) {
      ++list.without_gpu;
      return std::nullopt;
    }
    node.model = list.models.intern(cells[4].text);
    node.gpus = static_cast<std::int32_t>(gpus);
    node.memory_bytes = memory * mebibyte;
    list.nodes.push_back(node);
    return std::nullopt;
  };
  if (auto wrong = detail::read_csv(in, file, options.lenient, names, list.malformed, row)) {
    return *std::move(wrong);
  }
  return list;
}

[[nodiscard]] inline parsed<node_list> read_openb_nodes_file(std::string const& path,
                                                             read_options options = {}) {
  return detail::read_path(path, [&](std::istream& in) -> parsed<node_list> {
    return read_openb_nodes(in, path, options);
  });
}

}  // namespace sim

BERTH_NAMESPACE_END
