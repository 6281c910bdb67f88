// SPDX-License-Identifier: BSL-1.0
// Slurm's state as plain data, as it was read last. The agent decides from this and remembers
// nothing that it could read again.
#pragma once

#include <berth/model/gpu.hpp>
#include <berth/model/node.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace slurm_agent {

using job_number = std::uint32_t;

struct node_record {
  std::string name;
  std::int32_t gpus = 0;
  std::string gpu_type;  ///< "gpu" if Slurm names none
  std::int64_t cpus = 0;
  berth::node_health health = berth::node_health::up;
  berth::gpu_mask foreign = 0;  ///< held by jobs of other partitions
};

enum class job_phase : std::uint8_t {
  held,        ///< waits, and Slurm will not start it
  released,    ///< waits, and Slurm may start it
  running,     ///< has its GPUs
  completing,  ///< has ended or goes back to the queue; its GPUs are not empty yet
  succeeded,
  failed,
};

struct held_gpus {
  std::string node;
  berth::gpu_mask gpus = 0;
};

struct job_record {
  job_number number = 0;
  job_phase phase = job_phase::held;
  bool held_by_owner = false;  ///< who could release it, past berth
  bool not_yet = false;        ///< its begin time or a dependency is still open
  bool is_array = false;       ///< one record for many tasks
  bool can_requeue = false;
  std::uint32_t user = 0;
  std::int64_t nodes_least = 1;
  std::int64_t nodes_most = 1;  ///< what berth gives it, unless it is elastic
  std::int64_t gpus_per_node = 0;
  std::int64_t gpus_in_all = 0;  ///< of the whole job, where it asks in that way
  std::string gpu_type;          ///< empty: any
  std::int64_t cpus = 0;
  std::int64_t time_limit = 0;  ///< seconds; 0 = none
  std::int64_t submitted = 0;   ///< seconds since 1970; the last requeue, if there was one
  std::int64_t started = 0;
  std::uint32_t restarts = 0;
  std::string name;
  std::string comment;
  std::string admin_comment;
  std::string reason;           ///< why Slurm does not start it
  std::vector<held_gpus> gpus;  ///< while running
};

struct picture {
  std::vector<node_record> nodes;
  std::vector<job_record> jobs;  ///< of the agent's partition
};

}  // namespace slurm_agent
