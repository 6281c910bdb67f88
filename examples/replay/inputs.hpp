// SPDX-License-Identifier: BSL-1.0
// The workload and the nodes that the command line asks for.
#pragma once

#include <berth_sim/nodes.hpp>
#include <berth_sim/workload.hpp>

#include <stdexcept>

#include "options.hpp"

namespace replay {

/// Something the user gave cannot be used; what() says which and why.
struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws input_error.
berth::sim::node_list load_nodes(options const& chosen);
/// Throws input_error. Type names of the jobs are brought to the nodes' numbering.
berth::sim::workload load_workload(options const& chosen, berth::sim::node_list const& nodes);

}  // namespace replay
