// SPDX-License-Identifier: BSL-1.0
// From the nodes of a list to berth's cluster, and from the jobs of a trace to what a host submits.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/scheduler/config.hpp>

#include <berth_sim/execution_model.hpp>
#include <berth_sim/nodes.hpp>
#include <berth_sim/workload.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// Nodes per rack where the list says nothing of racks.
inline constexpr std::uint32_t nodes_per_rack = 40;

/// Errors: what a node may be refused for.
[[nodiscard]] inline result<cluster> make_cluster(node_list const& list) {
  std::vector<std::string> types;
  for (std::size_t i = 0; i < list.models.size(); ++i) {
    types.emplace_back(list.models[static_cast<name_id>(i)]);
  }
  cluster made{types};
  std::uint32_t number = 0;
  for (node_record const& node : list.nodes) {
    node_spec spec;
    spec.gpus = node.gpus;
    spec.type = gpu_type{static_cast<std::uint8_t>(node.model)};
    spec.rack = rack_id{number++ / nodes_per_rack};
    spec.cpu_milli = node.cpu_milli;
    spec.memory_mib = node.memory_bytes / (1 << 20);
    if (auto const added = made.add(spec); !added) {
      return added.error();
    }
  }
  return made;
}

/// Limits that hold this workload on these nodes.
[[nodiscard]] inline scheduler_config limits_for(workload const& trace, node_list const& list) {
  scheduler_config config;
  config.max_jobs = static_cast<std::uint32_t>(std::max<std::size_t>(1, trace.jobs.size()));
  config.max_nodes = static_cast<std::uint32_t>(std::max<std::size_t>(1, list.nodes.size()));
  config.max_gpus = static_cast<std::uint32_t>(std::max<std::int64_t>(1, total_gpus(list)));
  return config;
}

/// What the host says of a job. Tenants are not passed on: nothing depends on them yet. A gang that
/// fits one node is a gang of single GPUs.
[[nodiscard]] inline job_spec describe(job const& each, node_list const& list,
                                       execution_model const& model) {
  job_spec spec;
  bool const split = each.members > 1 && each.gpus % each.members == 0;
  spec.gang = split ? each.members : each.gpus;
  spec.gpus_per_member = split ? each.gpus / each.members : 1;
  spec.work = each.predicted > duration{0} ? each.predicted : each.work;
  spec.estimate = each.estimate;
  spec.priority = each.priority;
  if (!each.allowed_types.empty()) {
    spec.allowed_types = 0;
    for (std::size_t i = 0; i < list.models.size(); ++i) {
      for (name_id const allowed : each.allowed_types) {
        spec.allowed_types = static_cast<type_mask>(
            spec.allowed_types | (static_cast<std::size_t>(allowed) == i ? 1u << i : 0u));
      }
    }
  }
  spec.spread_loss = std::clamp(each.spread_loss, 0, 1000);
  spec.checkpoints.startup = model.restart_of(each);
  spec.checkpoints.save = model.save_of(each);
  spec.checkpoints.modes = model.modes();
  spec.checkpoints.epoch_period = model.boundary_period(each);
  // A job that saves when told to loses at most an iteration: about a second of work is at stake.
  spec.checkpoints.period =
      model.stopping == stop_mode::save_now ? duration{1000} : model.save_period(each);
  spec.checkpoints.checkpoint_bytes = each.checkpoint_bytes;
  return spec;
}

}  // namespace sim

BERTH_NAMESPACE_END
