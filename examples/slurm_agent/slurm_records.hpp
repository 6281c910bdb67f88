// SPDX-License-Identifier: BSL-1.0
// From libslurm's records to plain data.
#pragma once

#include <ctime>
#include <string_view>

#include "picture.hpp"
#include <slurm/slurm.h>

namespace slurm_agent {

[[nodiscard]] node_record read_node(node_info_t const& node);
/// `now` is Slurm's clock: what begins later does not wait for GPUs yet.
[[nodiscard]] job_record read_job(slurm_job_info_t const& job, std::time_t now);
/// What a job holds, node by node.
[[nodiscard]] std::vector<held_gpus> read_gpus_of(slurm_job_info_t const& job);

}  // namespace slurm_agent
