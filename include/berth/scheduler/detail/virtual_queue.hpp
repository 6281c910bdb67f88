// SPDX-License-Identifier: BSL-1.0
// For how long first come, first served would let jobs wait: a fluid that pours in as work arrives
// and drains at the speed of the whole cluster (the virtual waiting time of a queue: Takács, 1955;
// Lindley's recursion, 1952). It knows nothing of gang sizes and of nodes, and costs O(1) per job.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

struct virtual_queue {
  gpu_time work;  ///< that had arrived and was not done at `as_of`
  time_point as_of = time_point::min();
  duration longest{0};  ///< wait of an arrival since the fluid was last gone

  /// A job arrives with so much work, on a cluster of `gpus` GPUs.
  void arrive(gpu_time amount, std::int64_t gpus, time_point now) noexcept {
    duration const passed = std::max(duration{0}, saturating_sub(now, as_of));
    work = std::max(gpu_time::zero(), work - gpu_time{gpus, passed});
    as_of = now;
    if (work == gpu_time::zero()) {
      longest = duration{0};
    }
    longest = std::max(longest, duration{work.count() / std::max<std::int64_t>(1, gpus)});
    work += amount;
  }
  friend bool operator==(virtual_queue const&, virtual_queue const&) noexcept = default;
};

}  // namespace detail
BERTH_NAMESPACE_END
