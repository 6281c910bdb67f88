// SPDX-License-Identifier: BSL-1.0
// A workload of elastic training jobs and inference tasks: what was submitted when.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct training_row {
  time_point submit{};
  std::string name;
  std::size_t application = 0;  ///< its number among known_applications
  std::int32_t gpus = 1;        ///< what its owner asked for; an elastic scheduler need not care
  std::int32_t batch = 1;       ///< in all, what its owner chose
  friend bool operator==(training_row const&, training_row const&) = default;
};

/// Runs on one GPU, after a start that depends on its model.
struct task_row {
  time_point submit{};
  duration length{};
  std::string name;
  std::string service;          ///< whose warm replicas it can use: "infer-bert-3"
  std::size_t application = 0;  ///< the model's number among known_applications
  friend bool operator==(task_row const&, task_row const&) = default;
};

/// Both in order of submission, on the clock of the file.
struct elastic_workload {
  std::vector<training_row> jobs;
  std::vector<task_row> tasks;
};

}  // namespace sim

BERTH_NAMESPACE_END
