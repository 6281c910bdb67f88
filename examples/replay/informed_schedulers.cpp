// SPDX-License-Identifier: BSL-1.0
#include <berth/policies/shortest_job.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/easy_backfill_scheduler.hpp>
#include <berth/presets/pickyman.hpp>
#include <berth/presets/shortest_remaining_scheduler.hpp>

#include <array>

#include "schedulers.hpp"

namespace replay {
namespace {

using berth::sim::node_list;
using berth::sim::run_result;
using berth::sim::simulation_options;
using berth::sim::workload;

run_result easy_backfill(workload const& trace, node_list const& nodes,
                         simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::presets::easy_backfill(cluster, config);
  });
}
run_result shortest_job(workload const& trace, node_list const& nodes,
                        simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::make_scheduler(cluster, config, berth::shortest_job{}, berth::never_preempt{});
  });
}
run_result shortest_remaining(workload const& trace, node_list const& nodes,
                              simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::presets::shortest_remaining(cluster, config);
  });
}

run_result pickyman(workload const& trace, node_list const& nodes,
                    simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::presets::pickyman(cluster, config);
  });
}

}  // namespace

std::span<named_scheduler const> informed_schedulers() {
  static constexpr std::array<named_scheduler, 4> all{{
      {"easy_backfill", "submit order, EASY backfilling by declared run time", easy_backfill},
      {"shortest_job", "shortest first, no preemption", shortest_job},
      {"shortest_remaining", "shortest remaining time first, preemptive (SRTF)",
       shortest_remaining},
      {"pickyman", "shortest remaining, but preempts only where it pays", pickyman},
  }};
  return all;
}

}  // namespace replay
