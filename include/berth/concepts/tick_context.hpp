// SPDX-License-Identifier: BSL-1.0
// What every hook is told beside its subject: the time, and the cluster as a whole.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

struct tick_context {
  time_point now;
  std::int64_t gpu_total = 0;     ///< GPUs of the cluster, broken ones included
  std::int64_t gpus_offered = 0;  ///< GPUs that are free at the beginning of the call
  /// The longest wait that first come, first served would have given anybody since all work was
  /// last done, as if gangs were a fluid.
  duration longest_fluid_wait{0};
  std::int64_t jobs_waiting = 0;  ///< jobs that may start and have no GPUs yet
  std::int64_t jobs_leaving = 0;  ///< jobs that were told to stop and have not left: they save now,
                                  ///< or soon
};

BERTH_NAMESPACE_END
