// SPDX-License-Identifier: BSL-1.0
#include "slurm_records.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu_text.hpp"
#include <slurm/slurm_errno.h>

namespace slurm_agent {
namespace {

std::string text_of(char const* text) {
  return text == nullptr ? std::string{} : std::string{text};
}

// "gpu[0-1,5]" as names.
std::vector<std::string> names_in(char const* list) {
  std::vector<std::string> names;
  hostlist_t const hosts = slurm_hostlist_create(list);
  if (hosts == nullptr) {
    return names;
  }
  for (char* name = slurm_hostlist_shift(hosts); name != nullptr;
       name = slurm_hostlist_shift(hosts)) {
    names.emplace_back(name);
    std::free(name);
  }
  slurm_hostlist_destroy(hosts);
  return names;
}

berth::node_health health_of(std::uint32_t state) {
  constexpr std::uint32_t takes_nothing = NODE_STATE_DRAIN | NODE_STATE_NO_RESPOND |
                                          NODE_STATE_FAIL | NODE_STATE_MAINT |
                                          NODE_STATE_POWERING_DOWN | NODE_STATE_POWERED_DOWN |
                                          NODE_STATE_INVALID_REG | NODE_STATE_REBOOT_ISSUED;
  switch (state & NODE_STATE_BASE) {
    case NODE_STATE_IDLE:
    case NODE_STATE_ALLOCATED:
    case NODE_STATE_MIXED:
      return (state & takes_nothing) != 0 ? berth::node_health::draining : berth::node_health::up;
    case NODE_STATE_UNKNOWN: return berth::node_health::draining;
    default: return berth::node_health::down;
  }
}

job_phase phase_of(slurm_job_info_t const& job) {
  if ((job.job_state & JOB_COMPLETING) != 0) {
    return job_phase::completing;
  }
  switch (job.job_state & JOB_STATE_BASE) {
    case JOB_PENDING: return job.priority == 0 ? job_phase::held : job_phase::released;
    case JOB_RUNNING:
    case JOB_SUSPENDED: return job_phase::running;  // a suspended job keeps its GPUs
    case JOB_COMPLETE: return job_phase::succeeded;
    default: return job_phase::failed;
  }
}

std::string reason_of(slurm_job_info_t const& job) {
  if (job.state_desc != nullptr) {
    return job.state_desc;
  }
  switch (job.state_reason) {
    case WAIT_PRIORITY: return "Priority";
    case WAIT_RESOURCES: return "Resources";
    case WAIT_PART_NODE_LIMIT: return "PartitionNodeLimit";
    case WAIT_PART_TIME_LIMIT: return "PartitionTimeLimit";
    case WAIT_NODE_NOT_AVAIL: return "ReqNodeNotAvail";
    case FAIL_BAD_CONSTRAINTS: return "BadConstraints";
    case WAIT_HELD: return "JobHeldAdmin";
    case WAIT_HELD_USER: return "JobHeldUser";
    default: return "reason " + std::to_string(job.state_reason);
  }
}

bool is_number(std::uint32_t value) {
  return value != NO_VAL && value != INFINITE;
}

// How the job asks for GPUs: on every node, or in all.
void read_request_of(slurm_job_info_t const& job, job_record& made) {
  auto const per_node = read_gpus(text_of(job.tres_per_node));
  auto const per_job = read_gpus(text_of(job.tres_per_job));
  auto const per_task = read_gpus(text_of(job.tres_per_task));
  made.gpus_per_node = per_node.count;
  made.gpus_in_all = per_job.count;
  made.gpu_type = per_node.count > 0 ? per_node.type : per_job.type;
  if (per_node.count == 0 && per_job.count == 0 && per_task.count > 0) {
    made.gpus_in_all = per_task.count * (is_number(job.num_tasks) ? job.num_tasks : 1);
    made.gpu_type = per_task.type;
  }
}

}  // namespace

node_record read_node(node_info_t const& node) {
  auto const gpus = read_gpus(text_of(node.gres));
  node_record made;
  made.name = text_of(node.name);
  made.gpus =
      static_cast<std::int32_t>(std::min<std::int64_t>(gpus.count, berth::max_gpus_per_node));
  made.gpu_type = gpus.type.empty() ? "gpu" : gpus.type;
  made.cpus = node.cpus;
  made.health = health_of(node.node_state);
  return made;
}

std::vector<held_gpus> read_gpus_of(slurm_job_info_t const& job) {
  std::vector<held_gpus> parts;
  if (job.nodes == nullptr || job.gres_detail_cnt == 0) {
    return parts;
  }
  auto const names = names_in(job.nodes);
  for (std::size_t i = 0; i < names.size() && i < job.gres_detail_cnt; ++i) {
    auto const gpus = read_held_gpus(text_of(job.gres_detail_str[i]));
    if (gpus != 0) {
      parts.push_back({names[i], gpus});
    }
  }
  return parts;
}

job_record read_job(slurm_job_info_t const& job, std::time_t now) {
  job_record made;
  made.number = job.job_id;
  made.phase = phase_of(job);
  made.held_by_owner = job.state_reason == WAIT_HELD_USER;
  // A requeue postpones a job as well; that is not its owner's wish.
  bool const begins_later = job.restart_cnt == 0 && job.eligible_time > now;
  made.not_yet = begins_later || (job.dependency != nullptr && job.dependency[0] != '\0');
  made.is_array = job.array_task_str != nullptr;
  made.can_requeue = job.requeue == 1 && job.batch_flag != 0;
  made.user = job.user_id;
  made.nodes_least = is_number(job.num_nodes) ? job.num_nodes : 1;
  made.nodes_most =
      is_number(job.max_nodes) ? std::max(job.max_nodes, job.num_nodes) : made.nodes_least;
  read_request_of(job, made);
  made.cpus = is_number(job.num_cpus) ? job.num_cpus : 0;
  made.time_limit = is_number(job.time_limit) ? std::int64_t{job.time_limit} * 60 : 0;
  made.submitted = job.submit_time;
  made.started = job.start_time;
  made.restarts = job.restart_cnt;
  made.name = text_of(job.name);
  made.comment = text_of(job.comment);
  made.admin_comment = text_of(job.admin_comment);
  made.reason = reason_of(job);
  if (made.phase == job_phase::running || made.phase == job_phase::completing) {
    made.gpus = read_gpus_of(job);
  }
  return made;
}

}  // namespace slurm_agent
