// SPDX-License-Identifier: BSL-1.0
// From a Slurm job to a job_spec.
#pragma once

#include <berth/model/cluster.hpp>
#include <berth/model/job_spec.hpp>

#include <cstdint>
#include <string>

#include "admin_note.hpp"
#include "job_comment.hpp"
#include "picture.hpp"

namespace slurm_agent {

struct job_request {
  berth::job_spec spec;
  job_comment said;
  /// Why berth cannot schedule it; empty if it can.
  std::string refusal;
  bool without_gpus = false;  ///< nothing for berth: Slurm may start it anywhere
  std::int64_t nodes = 1;     ///< what its owner asked for
};

/// `largest_node` is the most GPUs that a node has.
[[nodiscard]] job_request read_request(job_record const& job, berth::cluster const& types,
                                       std::int64_t largest_node);

/// Would berth be told the same of it? CPUs are left out: while a job runs, Slurm says what it got.
[[nodiscard]] bool asks_for_the_same(job_request const& a, job_request const& b);

}  // namespace slurm_agent
