// SPDX-License-Identifier: BSL-1.0
#include "job_request.hpp"

#include <berth/core/time.hpp>
#include <berth/model/name_sketch.hpp>

#include <algorithm>
#include <chrono>

namespace slurm_agent {
namespace {

berth::duration seconds(std::int64_t count) {
  return std::chrono::seconds{count};
}

// A gang of `members` with equally many GPUs, each on a node of its own: Slurm gives every node of
// a job the same `--gres`.
void set_gang(job_request& request, std::int64_t members, std::int64_t gpus_each) {
  constexpr std::int64_t limit = 1'000'000;
  if (members < 1 || gpus_each < 1 || members > limit || gpus_each > limit) {
    request.refusal = "asks for no number of GPUs that can be";
    return;
  }
  request.spec.gang = static_cast<std::int32_t>(members);
  request.spec.gpus_per_member = static_cast<std::int32_t>(gpus_each);
  request.spec.layout = members > 1 ? berth::spread::one_per_node : berth::spread::same_node;
}

// `--gpus` leaves the division to Slurm. What fits one node gets one; more must fill whole nodes,
// so that there is only one way to divide it.
void divide(job_request& request, job_record const& job, std::int64_t largest_node) {
  std::int64_t const all = job.gpus_in_all;
  std::int64_t const nodes = request.nodes;
  if (nodes > 1 && all % nodes == 0) {
    set_gang(request, nodes, all / nodes);
  } else if (nodes <= 1 && all <= largest_node) {
    set_gang(request, 1, all);
  } else if (nodes <= 1 && largest_node > 0 && all % largest_node == 0) {
    set_gang(request, all / largest_node, largest_node);
  } else {
    request.refusal = "its GPUs do not fill nodes evenly; ask with -N and --gres=gpu:N";
  }
}

// A resize is a requeue: who cannot save would begin anew each time.
void set_elastic(job_request& request, bool can_requeue) {
  job_comment& said = request.said;
  if (said.elastic_min == 0 || said.elastic_min >= request.spec.gang) {
    return;
  }
  if (said.checkpoint_seconds == 0 || !can_requeue) {
    detail::add_problem(said, "elastic_min", "needs checkpoint_seconds and --requeue");
    return;
  }
  // From the signal to the first step with another size; Slurm takes a second or two to start it.
  constexpr std::int64_t restart = 2;
  request.spec.min_gang = static_cast<std::int32_t>(said.elastic_min);
  request.spec.checkpoints.resize =
      seconds(said.checkpoint_seconds + restart + said.startup_seconds);
}

}  // namespace

job_request read_request(job_record const& job, berth::cluster const& types,
                         std::int64_t largest_node) {
  job_request request;
  request.said = read_comment(job.comment);
  admin_note const note = read_note(job.admin_comment);
  // While it is released with fewer nodes than its owner asked for, the note remembers how many.
  request.nodes = std::max<std::int64_t>(1, note.nodes > 0 ? note.nodes : job.nodes_most);
  if (job.is_array) {
    request.refusal = "is a job array; submit its tasks one by one";
    return request;
  }
  if (job.gpus_per_node == 0 && job.gpus_in_all == 0) {
    request.without_gpus = true;
    return request;
  }
  if (job.gpus_per_node > 0) {
    set_gang(request, request.nodes, job.gpus_per_node);
  } else {
    divide(request, job, largest_node);
  }
  if (!request.refusal.empty()) {
    return request;
  }
  berth::job_spec& spec = request.spec;
  if (!job.gpu_type.empty()) {
    auto const type = types.type_named(job.gpu_type);
    if (!type) {
      request.refusal = "no node has GPUs of its type";
      return request;
    }
    spec.allowed_types = static_cast<berth::type_mask>(1u << static_cast<unsigned>(*type));
  }
  set_elastic(request, job.can_requeue);
  std::int64_t const gpus = std::int64_t{spec.gang} * spec.gpus_per_member;
  spec.cpu_milli_per_gpu = (job.cpus * 1000 + gpus - 1) / gpus;
  if (job.time_limit > 0) {
    spec.estimate = seconds(job.time_limit);
  }
  job_comment const& said = request.said;
  if (said.work_seconds > 0) {
    spec.work = seconds(said.work_seconds);
  }
  spec.priority = static_cast<std::int32_t>(said.priority);
  spec.tenant = berth::tenant_id{static_cast<std::uint32_t>(said.tenant)};
  spec.user = berth::user_id{job.user};
  spec.name = berth::sketch(job.name);
  spec.preemptible = job.can_requeue;
  spec.checkpoints.epoch_period = seconds(said.epoch_seconds);
  spec.checkpoints.save = seconds(said.checkpoint_seconds);
  spec.checkpoints.checkpoint_bytes = said.checkpoint_bytes;
  spec.checkpoints.startup = seconds(said.startup_seconds);
  if (said.checkpoint_seconds > 0 && said.epoch_seconds == 0) {
    spec.checkpoints.modes = berth::only(berth::suspension_mode::checkpoint);
  }
  spec.tag = job.number;
  return request;
}

bool asks_for_the_same(job_request const& a, job_request const& b) {
  return a.said == b.said && a.refusal == b.refusal && a.without_gpus == b.without_gpus &&
         a.spec.gang == b.spec.gang && a.spec.min_gang == b.spec.min_gang &&
         a.spec.gpus_per_member == b.spec.gpus_per_member && a.spec.roles == b.spec.roles &&
         a.spec.allowed_types == b.spec.allowed_types && a.spec.estimate == b.spec.estimate &&
         a.spec.preemptible == b.spec.preemptible;
}

}  // namespace slurm_agent
