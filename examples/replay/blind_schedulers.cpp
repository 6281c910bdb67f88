// SPDX-License-Identifier: BSL-1.0
#include <berth/allocators/rigid.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/fifo_scheduler.hpp>
#include <berth/presets/tiresias.hpp>

#include <array>

#include "schedulers.hpp"

namespace replay {
namespace {

using berth::sim::node_list;
using berth::sim::run_result;
using berth::sim::simulation_options;
using berth::sim::workload;

run_result fifo(workload const& trace, node_list const& nodes, simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::presets::fifo(cluster, config);
  });
}
run_result fifo_skip(workload const& trace, node_list const& nodes,
                     simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::make_scheduler(cluster, config, berth::fifo{}, berth::rigid{},
                                 berth::never_preempt{});
  });
}
run_result tiresias(workload const& trace, node_list const& nodes,
                    simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::presets::tiresias(cluster, config);
  });
}
run_result priority(workload const& trace, node_list const& nodes,
                    simulation_options const& options) {
  return play(trace, nodes, options, [](auto const& cluster, auto const& config) {
    return berth::make_scheduler(cluster, config, berth::priority_class{});
  });
}

}  // namespace

std::span<named_scheduler const> blind_schedulers() {
  static constexpr std::array<named_scheduler, 4> all{{
      {"fifo", "submit order, strict", fifo},
      {"fifo_skip", "submit order, jobs that do not fit are passed over", fifo_skip},
      {"tiresias", "least attained service in two queues, preemptive", tiresias},
      {"priority", "the trace's priorities, preemptive", priority},
  }};
  return all;
}

}  // namespace replay
