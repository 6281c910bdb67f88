// SPDX-License-Identifier: BSL-1.0
#include "slurm_host.hpp"

#include <algorithm>
#include <ctime>
#include <unordered_map>
#include <utility>

#include "slurm_records.hpp"
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <sys/types.h>
#include <unistd.h>

namespace slurm_agent {
namespace {

struct free_jobs {
  void operator()(job_info_msg_t* message) const { slurm_free_job_info_msg(message); }
};
struct free_nodes {
  void operator()(node_info_msg_t* message) const { slurm_free_node_info_msg(message); }
};

answer last_answer(int returned) {
  if (returned == SLURM_SUCCESS) {
    return {};
  }
  int const code = slurm_get_errno();
  return {code == 0 ? -1 : code, slurm_strerror(code)};
}

// libslurm takes char*, and changes none of them.
char* as_argument(std::string& text) {
  return text.data();
}

}  // namespace

struct slurm_host::replies {
  std::unique_ptr<job_info_msg_t, free_jobs> jobs;
  std::unique_ptr<node_info_msg_t, free_nodes> nodes;
};

slurm_host::slurm_host(std::string partition, std::uint16_t signal)
    : partition_{std::move(partition)}, signal_{signal}, last_{std::make_unique<replies>()} {
  slurm_init(nullptr);
}

slurm_host::~slurm_host() {
  last_.reset();
  slurm_fini();
}

std::string slurm_host::missing_rights() const {
  slurm_conf_t* settings = nullptr;
  if (slurm_load_ctl_conf(0, &settings) != SLURM_SUCCESS) {
    return "slurmctld does not answer: " + last_answer(SLURM_ERROR).text;
  }
  bool const may = geteuid() == 0 || geteuid() == settings->slurm_user_id;
  std::string const name = settings->slurm_user_name == nullptr ? "?" : settings->slurm_user_name;
  slurm_free_ctl_conf(settings);
  return may ? std::string{}
             : "only root and SlurmUser (" + name + ") may hold, release and requeue others' jobs";
}

load_outcome slurm_host::load(picture& into) {
  // A request to a controller that is away blocks for MessageTimeout; this one does not.
  if (slurm_ping(0) != SLURM_SUCCESS) {
    return load_outcome::unreachable;
  }
  bool changed = false;
  node_info_msg_t* nodes = nullptr;
  std::time_t const nodes_at = last_->nodes == nullptr ? 0 : last_->nodes->last_update;
  if (slurm_load_node(nodes_at, &nodes, SHOW_ALL) == SLURM_SUCCESS) {
    last_->nodes.reset(nodes);
    changed = true;
  } else if (slurm_get_errno() != SLURM_NO_CHANGE_IN_DATA) {
    return load_outcome::unreachable;
  }
  job_info_msg_t* jobs = nullptr;
  std::time_t const jobs_at = last_->jobs == nullptr ? 0 : last_->jobs->last_update;
  if (slurm_load_jobs(jobs_at, &jobs, SHOW_ALL | SHOW_DETAIL) == SLURM_SUCCESS) {
    last_->jobs.reset(jobs);
    changed = true;
  } else if (slurm_get_errno() != SLURM_NO_CHANGE_IN_DATA) {
    return load_outcome::unreachable;
  }
  if (!changed) {
    return load_outcome::unchanged;
  }
  into = {};
  std::unordered_map<std::string, std::size_t> place;
  for (std::uint32_t i = 0; i < last_->nodes->record_count; ++i) {
    node_record node = read_node(last_->nodes->node_array[i]);
    if (!node.name.empty() && node.gpus > 0) {
      place.emplace(node.name, into.nodes.size());
      into.nodes.push_back(std::move(node));
    }
  }
  for (std::uint32_t i = 0; i < last_->jobs->record_count; ++i) {
    slurm_job_info_t const& job = last_->jobs->job_array[i];
    if (job.partition != nullptr && partition_ == job.partition) {
      into.jobs.push_back(read_job(job, last_->jobs->last_update));
      continue;
    }
    job_record const other = read_job(job, last_->jobs->last_update);
    for (held_gpus const& part : other.gpus) {
      if (auto const node = place.find(part.node); node != place.end()) {
        into.nodes[node->second].foreign |= part.gpus;
      }
    }
  }
  // First come, first served, whatever a requeue has done to the times in Slurm.
  std::sort(into.jobs.begin(), into.jobs.end(),
            [](job_record const& a, job_record const& b) { return a.number < b.number; });
  return load_outcome::changed;
}

answer slurm_host::update(job_update const& change) {
  job_desc_msg_t request;
  slurm_init_job_desc_msg(&request);
  request.job_id = change.job;
  std::string pin = change.pin.value_or("");
  std::string note = change.note.value_or("");
  if (change.hold != hold_order::none) {
    // Only INFINITE releases a held job; a number would be refused.
    request.priority = change.hold == hold_order::hold ? 0 : INFINITE;
  }
  if (change.pin) {
    request.req_nodes = as_argument(pin);
  }
  if (change.nodes_least > 0) {
    request.min_nodes = static_cast<std::uint32_t>(change.nodes_least);
    request.max_nodes = static_cast<std::uint32_t>(change.nodes_most);
  }
  if (change.begin_now) {
    // By the clock of slurmctld, whatever this process takes for the time.
    request.begin_time = last_->jobs == nullptr ? std::time(nullptr) : last_->jobs->last_update;
  }
  if (change.note) {
    request.admin_comment = as_argument(note);
  }
  return last_answer(slurm_update_job(&request));
}

answer slurm_host::signal(job_number job) {
  return last_answer(slurm_kill_job(job, signal_, KILL_JOB_BATCH));
}

answer slurm_host::requeue_held(job_number job) {
  return last_answer(slurm_requeue(job, JOB_REQUEUE_HOLD));
}

}  // namespace slurm_agent
