// SPDX-License-Identifier: BSL-1.0
// A case in berth's own words: cluster, job_spec, scheduler_config.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/scheduler/config.hpp>

#include <berth_sim/scenario/quotas.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

/// The GPU types of a case. Memory belongs to the type: equal names with different memory are two.
class type_table {
 public:
  explicit type_table(situation const& about) {
    for (node_line const& node : about.nodes) {
      number_of(node.type, node.mem_mib.value_or(unlimited));
    }
    for (job_line const& job : about.jobs) {
      if (types_for(job) == 0) {  // no node has it, but it must have a number to be asked for
        number_of(job.type.empty() ? "of no node" : job.type, job.mem_mib);
      }
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return types_.size(); }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> made;
    for (auto const& [name, memory] : types_) {
      made.push_back(name);
    }
    return made;
  }
  [[nodiscard]] gpu_type type_of(node_line const& node) const {
    auto const at = std::find(types_.begin(), types_.end(),
                              std::pair{node.type, node.mem_mib.value_or(unlimited)});
    return static_cast<gpu_type>(at - types_.begin());
  }
  /// Types that a job may use.
  [[nodiscard]] type_mask types_for(job_line const& job) const {
    unsigned mask = 0;
    for (std::size_t t = 0; t < types_.size(); ++t) {
      bool const fits = (job.type.empty() || types_[t].first == job.type) &&
                        (types_[t].second >= job.mem_mib || job.mem_mib == 0);
      mask |= fits ? 1u << t : 0u;
    }
    return static_cast<type_mask>(mask);
  }

 private:
  static constexpr std::int64_t unlimited = std::int64_t{1} << 60;
  void number_of(std::string const& name, std::int64_t memory) {
    if (std::find(types_.begin(), types_.end(), std::pair{name, memory}) == types_.end()) {
      types_.emplace_back(name, memory);
    }
  }
  std::vector<std::pair<std::string, std::int64_t>> types_;
};

[[nodiscard]] inline result<cluster> cluster_of(situation const& about, type_table const& types) {
  cluster made{types.names()};
  std::map<std::string, std::uint32_t> racks;
  for (node_instance const& node : about.all_nodes) {
    node_line const& line = about.nodes[node.line];
    auto const rack =
        racks.emplace(line.rack, static_cast<std::uint32_t>(racks.size())).first->second;
    node_spec spec;
    spec.gpus = line.gpus;
    spec.type = types.type_of(line);
    spec.rack = rack_id{rack};
    spec.health = line.up_at     ? node_health::down
                  : line.drained ? node_health::draining
                                 : node_health::up;
    if (auto const added = made.add(spec); !added) {
      return added.error();
    }
  }
  return made;
}

[[nodiscard]] inline scheduler_config config_of(situation const& about) {
  scheduler_config made;
  auto const limit = [](std::size_t count) {
    return std::max(1u, static_cast<std::uint32_t>(count));
  };
  std::size_t gpus = 0;
  for (node_instance const& node : about.all_nodes) {
    gpus += static_cast<std::size_t>(about.nodes[node.line].gpus);
  }
  made.max_jobs = limit(about.all_jobs.size());
  made.max_nodes = limit(about.all_nodes.size());
  made.max_gpus = limit(gpus);
  made.max_tenants = limit(about.queues.size() + 1);
  settings const& said = about.config;
  if (said.look_ahead) {
    made.look_ahead = static_cast<std::uint32_t>(*said.look_ahead);
  }
  if (said.failure_limit) {
    made.failure_limit = static_cast<std::uint32_t>(*said.failure_limit);
  }
  if (said.backoff) {
    made.retry = {said.backoff->base, said.backoff->factor, said.backoff->cap};
  }
  if (said.horizon) {
    made.horizon = *said.horizon;
  }
  return made;
}

/// Number of the group of a job line, 0 without one; the lines of a group share it.
[[nodiscard]] inline std::uint64_t group_number(situation const& about, job_line const& job) {
  if (job.group.empty()) {
    return 0;
  }
  std::set<std::string> seen;
  for (job_line const& other : about.jobs) {
    if (!other.group.empty()) {
      seen.insert(other.group);
    }
  }
  return 1 + static_cast<std::uint64_t>(std::distance(seen.begin(), seen.find(job.group)));
}

/// Jobs that a group has to have before it starts.
[[nodiscard]] inline std::int32_t group_size(situation const& about, job_line const& job) {
  std::int32_t size = 0;
  for (job_instance const& other : about.all_jobs) {
    size += about.jobs[other.line].group == job.group ? 1 : 0;
  }
  return size;
}

/// `instance` is an index into all_jobs; it becomes the tag.
[[nodiscard]] inline job_spec spec_of(situation const& about, type_table const& types,
                                      std::size_t instance) {
  job_line const& line = about.jobs[about.all_jobs[instance].line];
  job_spec made;
  made.gang = line.tasks;
  made.gpus_per_member = line.gpus;
  for (std::size_t r = 0; r < line.roles.size(); ++r) {
    made.roles[r] = {line.roles[r].tasks, line.roles[r].gpus};
  }
  if (!line.group.empty()) {
    made.group = group_id{group_number(about, line)};
    made.group_size = group_size(about, line);
  }
  made.allowed_types = types.types_for(line);
  made.layout = line.same_node      ? spread::same_node
                : line.one_per_node ? spread::one_per_node
                                    : spread::prefer_together;
  made.priority = line.prio;
  made.tenant = tenant_named(about, line.queue);
  made.estimate = line.walltime;
  made.checkpoints.startup = line.restart_cost;
  made.tag = instance;
  return made;
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
