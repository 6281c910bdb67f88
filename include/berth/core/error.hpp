// SPDX-License-Identifier: BSL-1.0
// What can go wrong that a caller can react to: a code, and the field that is to blame.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Why a call was refused. The state is unchanged after every one of them.
enum class errc : std::uint8_t {
  unknown_job,        ///< never given out by this scheduler
  stale_job,          ///< the job has ended; its slot may serve another
  unknown_node,       ///< never given out by this cluster
  stale_node,         ///< the node was removed
  stale_run,          ///< the message speaks of an earlier run of the job
  wrong_state,        ///< not legal in the job's present state (see docs/design/state_machines.md)
  not_held,           ///< the job does not hold these GPUs
  zero_or_negative,   ///< a count that must be positive is not
  bad_number,         ///< NaN, infinite, negative, or beyond the documented range
  gang_never_fits,    ///< larger than the cluster (refused only where config says so)
  unknown_gpu_type,   ///< not a type of this cluster
  unknown_tenant,     ///< beyond config.max_tenants
  inconsistent,       ///< two fields contradict each other
  time_went_back,     ///< `now` lies before the `now` of an earlier call
  duplicate_node,     ///< a node with this tag exists
  node_in_use,        ///< jobs hold GPUs of the node
  capacity_exceeded,  ///< beyond a limit of the configuration
  bad_config,         ///< a configuration value out of its range
  bad_data,           ///< bytes that are no valid snapshot or message
};

/// Which argument or member an error is about.
enum class field : std::uint8_t {
  none,
  job,
  node,
  now,
  run,
  state,
  gang,
  min_gang,
  gpus_per_member,
  roles,
  group,
  group_size,
  cpu_milli_per_gpu,
  memory_mib_per_gpu,
  allowed_types,
  speed,
  tenant,
  work,
  estimate,
  deadline,
  checkpoint,
  epoch,
  startup,
  checkpoint_bytes,
  dataset_bytes,
  gpus,
  cpu_milli,
  memory_mib,
  type,
  rack,
  tag,
  mask,
  done,
  outcome,
  max_jobs,
  max_nodes,
  max_gpus,
  max_tenants,
  look_ahead,
  backoff,
  earmark_expiry,
  horizon,
  failure_limit,
  minimum_run,
  message,
  layout,
  pool,
  health,
  acknowledge,
  impossible,
  spread_loss,
  batch_size,
  epochs,
  samples,
  iteration,
  save,
  cached_bytes,
  modes,
  total,
  capacity,
  ladder,
  remaining,
  current,
  resize,
  weight,
  age,
  latency,
  objective,
  late,
  utilisation,
  period,
  replicas,
  load,
  patience,
  step,
  margin,
};

struct error {
  errc code = errc::wrong_state;
  field where = field::none;
  friend constexpr bool operator==(error const&, error const&) noexcept = default;
};

[[nodiscard]] constexpr char const* to_string(errc code) noexcept {
  switch (code) {
    case errc::unknown_job: return "unknown job";
    case errc::stale_job: return "stale job: it has ended";
    case errc::unknown_node: return "unknown node";
    case errc::stale_node: return "stale node: it was removed";
    case errc::stale_run: return "stale run: the message speaks of an earlier run";
    case errc::wrong_state: return "not legal in this state";
    case errc::not_held: return "the job does not hold these GPUs";
    case errc::zero_or_negative: return "must be positive";
    case errc::bad_number: return "not a number in the documented range";
    case errc::gang_never_fits: return "larger than the cluster";
    case errc::unknown_gpu_type: return "no such GPU type in this cluster";
    case errc::unknown_tenant: return "beyond max_tenants";
    case errc::inconsistent: return "contradicts another field";
    case errc::time_went_back: return "time went back";
    case errc::duplicate_node: return "a node with this tag exists";
    case errc::node_in_use: return "jobs hold GPUs of this node";
    case errc::capacity_exceeded: return "beyond a limit of the configuration";
    case errc::bad_config: return "out of range";
    case errc::bad_data: return "not valid data";
  }
  return "?";
}

[[nodiscard]] constexpr char const* to_string(field where) noexcept {
  switch (where) {
    case field::none: return "";
    case field::job: return "job";
    case field::node: return "node";
    case field::now: return "now";
    case field::run: return "run";
    case field::state: return "state";
    case field::gang: return "gang";
    case field::min_gang: return "min_gang";
    case field::gpus_per_member: return "gpus_per_member";
    case field::roles: return "roles";
    case field::group: return "group";
    case field::group_size: return "group_size";
    case field::cpu_milli_per_gpu: return "cpu_milli_per_gpu";
    case field::memory_mib_per_gpu: return "memory_mib_per_gpu";
    case field::allowed_types: return "allowed_types";
    case field::speed: return "speed";
    case field::tenant: return "tenant";
    case field::work: return "work";
    case field::estimate: return "estimate";
    case field::deadline: return "deadline";
    case field::checkpoint: return "checkpoint";
    case field::epoch: return "epoch";
    case field::startup: return "startup";
    case field::checkpoint_bytes: return "checkpoint_bytes";
    case field::dataset_bytes: return "dataset_bytes";
    case field::gpus: return "gpus";
    case field::cpu_milli: return "cpu_milli";
    case field::memory_mib: return "memory_mib";
    case field::type: return "type";
    case field::rack: return "rack";
    case field::tag: return "tag";
    case field::mask: return "mask";
    case field::done: return "done";
    case field::outcome: return "outcome";
    case field::max_jobs: return "max_jobs";
    case field::max_nodes: return "max_nodes";
    case field::max_gpus: return "max_gpus";
    case field::max_tenants: return "max_tenants";
    case field::look_ahead: return "look_ahead";
    case field::backoff: return "backoff";
    case field::earmark_expiry: return "earmark_expiry";
    case field::horizon: return "horizon";
    case field::failure_limit: return "failure_limit";
    case field::minimum_run: return "minimum_run";
    case field::message: return "message";
    case field::layout: return "layout";
    case field::pool: return "pool";
    case field::health: return "health";
    case field::acknowledge: return "acknowledge";
    case field::impossible: return "impossible";
    case field::spread_loss: return "spread_loss";
    case field::batch_size: return "batch_size";
    case field::epochs: return "epochs";
    case field::samples: return "samples";
    case field::iteration: return "iteration";
    case field::save: return "save";
    case field::cached_bytes: return "cached_bytes";
    case field::modes: return "modes";
    case field::total: return "total";
    case field::capacity: return "capacity";
    case field::ladder: return "ladder";
    case field::remaining: return "remaining";
    case field::current: return "current";
    case field::resize: return "resize";
    case field::weight: return "weight";
    case field::age: return "age";
    case field::latency: return "latency";
    case field::objective: return "objective";
    case field::late: return "late";
    case field::utilisation: return "utilisation";
    case field::period: return "period";
    case field::replicas: return "replicas";
    case field::load: return "load";
    case field::patience: return "patience";
    case field::step: return "step";
    case field::margin: return "margin";
  }
  return "?";
}

BERTH_NAMESPACE_END
