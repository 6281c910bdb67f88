// SPDX-License-Identifier: BSL-1.0
// One composition in one world.
#pragma once

#include <berth/core/time.hpp>

#include <bench/preemption/world.hpp>
#include <berth_sim/sim_cluster.hpp>
#include <berth_sim/simulator.hpp>

#include <chrono>

namespace berth_bench {

template <class Make>
[[nodiscard]] berth::sim::run_result play(world const& in, Make make) {
  auto const nodes = berth::sim::make_cluster(in.nodes);
  berth::scheduler_config config = berth::sim::limits_for(in.trace, in.nodes);
  config.minimum_run = std::chrono::seconds{60};
  config.earmark_expiry = berth::forever;  // saving takes half an hour at the largest scale
  auto made = make(nodes.value(), config);
  if (!made) {
    throw berth::sim::simulation_error{"the configuration is not accepted"};
  }
  berth::sim::simulation_options options;
  options.model = in.model;
  options.measure_ticks = false;
  options.record_segments = true;
  return berth::sim::simulator{made.value(), in.trace, in.nodes, options}.run();
}

}  // namespace berth_bench
