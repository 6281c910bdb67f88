// SPDX-License-Identifier: BSL-1.0
// What a simulation of elastic training and inference came to.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// In the order of the workload.
struct elastic_outcome {
  std::vector<double> training_s;    ///< from submission to the end
  std::vector<double> task_delay_s;  ///< of a task, beyond its own length
  std::vector<double> decision_us;   ///< of a tick that was not idle
  std::int64_t restarts = 0;         ///< changes of GPUs after the first start
  std::int64_t recalls = 0;          ///< of them, for inference
  std::int64_t cold_starts = 0;      ///< of tasks, on a replica that was started for them
  std::int64_t slow_tasks = 0;       ///< delayed by more than a cold start and a second
  double gpu_s_restarting = 0;       ///< GPU-seconds in which training made no progress
  double gpu_s_loaned = 0;
  double gpu_s_lost_to_recalls = 0;
  double gpu_s_serving = 0;  ///< of replicas, warm ones included
  double makespan_s = 0;
};

[[nodiscard]] inline double mean_of(std::vector<double> const& values) {
  return values.empty() ? 0.0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}
/// Nearest rank; 0 of none.
[[nodiscard]] inline double percentile_of(std::vector<double> values, std::size_t percent) {
  if (values.empty()) {
    return 0.0;
  }
  std::sort(values.begin(), values.end());
  std::size_t const rank = (values.size() * percent + 99) / 100;
  return values[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace sim

BERTH_NAMESPACE_END
