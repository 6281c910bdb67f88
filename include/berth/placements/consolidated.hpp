// SPDX-License-Identifier: BSL-1.0
// Fewest nodes, and on them the tightest fit (Tiresias, NSDI'19, §3.3: consolidate where the model
// minds).
#pragma once

#include <berth/concepts/placement_policy.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A gang spread over more nodes than it needs runs slower; a GPU left over on a broken node waits
/// for a job small enough. Both are priced in GPU-time.
struct consolidated {
  using component_role = placement_role;
  /// Thousandths of the run time, per node too many, for jobs that do not say: spread_loss = -1.
  std::int32_t loss_per_extra_node = 50;
  std::int32_t loss_across_racks = 50;  ///< thousandths, once, if no rack holds the gang
  duration assumed_remaining = std::chrono::hours{1};  ///< for jobs of unknown length
  duration idle_leftover = std::chrono::minutes{1};    ///< a leftover GPU idles about so long

  [[nodiscard]] gpu_time score(job_view const& job, berth_view const& place,
                               tick_context const&) const noexcept {
    duration const left = job.remaining().p50;
    duration const run = left == forever ? assumed_remaining : std::min(left, max_duration);
    std::int64_t const extra = std::max(0, place.nodes - place.fewest_nodes);
    std::int32_t const said = job.spec().spread_loss;
    std::int64_t const loss = said >= 0 ? said : loss_per_extra_node;
    bool const across = said != 0 && place.domain == locality::cluster && place.nodes > 1;
    std::int64_t const thousandths = extra * loss + (across ? loss_across_racks : 0);
    gpu_time const slower{place.gpus, duration{gpu_time{thousandths, run}.count() / 1000}};
    return slower + gpu_time{place.free_after, idle_leftover};
  }
};

BERTH_NAMESPACE_END
