// SPDX-License-Identifier: BSL-1.0
// A job while it is simulated: where it is, how far it is, how fast.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/node.hpp>
#include <berth/model/shape.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct live_job {
  job_id id;
  duration done{0};           ///< work that is saved
  duration done_at_start{0};  ///< of this run
  time_point held_since = never;
  time_point useful_since = never;  ///< first useful step of this run
  time_point waiting_since = never;
  time_point saves_at = never;      ///< while stopping: when it leaves its last useful step
  std::int64_t speed = unit_speed;  ///< thousandths, on the present GPUs
  std::uint32_t version = 0;        ///< of its plans: what was foreseen for an earlier one is void
  bool stopping = false;
  bool has_run = false;
  std::vector<berth::gpu_range> where;
  std::vector<std::uint32_t> lost_nodes;  ///< of `where`, those that failed since it was launched

  [[nodiscard]] bool is_on(std::uint32_t node) const {
    return std::any_of(where.begin(), where.end(),
                       [&](auto const& range) { return range.node.slot() == node; });
  }
  [[nodiscard]] bool has_lost(std::uint32_t node) const {
    return std::find(lost_nodes.begin(), lost_nodes.end(), node) != lost_nodes.end();
  }

  /// Work done by `now`, at most `total`.
  [[nodiscard]] duration work_done(time_point now, duration total) const {
    if (useful_since == never || useful_since > now) {
      return done_at_start;
    }
    duration const ran = now - useful_since;
    return std::min(total, done_at_start + duration{ran.count() * speed / unit_speed});
  }
  /// When it will have done so much work, if nothing stops it.
  [[nodiscard]] time_point time_at_work(duration work) const {
    std::int64_t const missing = (work - done_at_start).count();
    return useful_since + duration{(missing * unit_speed + speed - 1) / speed};
  }
};

}  // namespace sim

BERTH_NAMESPACE_END
