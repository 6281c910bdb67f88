// SPDX-License-Identifier: BSL-1.0
// A combinator: any placement, and a job rather comes back to the node that still has its data.
#pragma once

#include <berth/concepts/placement_policy.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/transfer.hpp>
#include <berth/placements/consolidated.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Takes off the price of the node where the job ran last what its GPUs need not wait for there:
/// the reading of checkpointing::cached_bytes. Of a gang on several nodes, for one node's share,
/// since the lowest node of the last run is all that is remembered.
template <placement_policy Placement = consolidated>
struct cache_aware {
  using component_role = placement_role;
  static constexpr bool distinguishes_nodes = true;
  Placement base{};
  std::int64_t storage_bandwidth = 100'000'000;  ///< as epoch_boundary::storage_bandwidth

  [[nodiscard]] gpu_time score(job_view const& job, berth_view const& place,
                               tick_context const& tick) const noexcept {
    gpu_time const plain = base.score(job, place, tick);
    node_id const last = job.last_node();
    if (last.slot() != place.first_node) {
      return plain;
    }
    duration const spared =
        spared_reading(job.spec().checkpoints, job.epoch_period(), storage_bandwidth);
    return plain - gpu_time{place.gpus, spared / std::max(1, place.nodes)};
  }
};

BERTH_NAMESPACE_END
