// SPDX-License-Identifier: BSL-1.0
// The schedulers that berth-replay can compare, by name.
#pragma once

#include <berth_sim/metrics.hpp>
#include <berth_sim/nodes.hpp>
#include <berth_sim/simulator.hpp>
#include <berth_sim/workload.hpp>

#include <span>
#include <string_view>

namespace replay {

/// Plays the workload against one scheduler. Throws berth::sim::simulation_error.
using run_function = berth::sim::run_result (*)(berth::sim::workload const&,
                                                berth::sim::node_list const&,
                                                berth::sim::simulation_options const&);

struct named_scheduler {
  std::string_view name;
  std::string_view what;
  run_function run;
};

/// Those that neither know nor use job lengths.
std::span<named_scheduler const> blind_schedulers();
/// Those that are told how long jobs take.
std::span<named_scheduler const> informed_schedulers();

/// Builds a scheduler with room for the workload and plays it.
template <class Build>
berth::sim::run_result play(berth::sim::workload const& trace, berth::sim::node_list const& nodes,
                            berth::sim::simulation_options const& options, Build&& build) {
  auto const cluster = berth::sim::make_cluster(nodes);
  if (!cluster) {
    throw berth::sim::simulation_error{"the nodes are not accepted"};
  }
  auto made = build(*cluster, berth::sim::limits_for(trace, nodes));
  if (!made) {
    throw berth::sim::simulation_error{"the configuration is not accepted"};
  }
  return berth::sim::simulator{*made, trace, nodes, options}.run();
}

}  // namespace replay
