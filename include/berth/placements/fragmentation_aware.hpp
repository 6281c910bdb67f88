// SPDX-License-Identifier: BSL-1.0
// Leaves behind what the usual jobs can use (after fragmentation gradient descent: Weng et al.,
// ATC'23, §4).
#pragma once

#include <berth/concepts/placement_policy.hpp>
#include <berth/core/time.hpp>

#include <array>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A share of the workload that asks for so many GPUs on a node.
struct usual_size {
  std::int32_t gpus = 0;
  std::int32_t share = 0;  ///< in thousandths of all GPU-time, any scale
};

/// Prices a place by how much it raises the node's expected unusable GPUs: the free GPUs that a
/// typical job could not use because it does not fit there. A gang on several nodes is priced by
/// the node that is filled last: the others are filled, and what is unusable differs from node to
/// node, so that the sum of their free GPUs says nothing. Such gangs pay for each node too many as
/// well.
struct fragmentation_aware {
  using component_role = placement_role;
  /// Shares of GPU demand by gang size in the Philly trace (Jeon et al., ATC'19), gangs above 8
  /// as 8.
  std::array<usual_size, 4> mix{{{1, 449}, {2, 35}, {4, 120}, {8, 396}}};
  duration idle_fragment = std::chrono::minutes{10};  ///< an unusable GPU idles about so long
  duration per_extra_node =
      std::chrono::minutes{10};  ///< GPU-time per GPU of the gang, per node too many

  [[nodiscard]] gpu_time score(job_view const&, berth_view const& place,
                               tick_context const&) const noexcept {
    bool const several = place.nodes > 1;
    std::int64_t const grown = fragments(several ? place.last_free_after : place.free_after) -
                               fragments(several ? place.last_free_before : place.free_before);
    std::int64_t const extra =
        place.nodes > place.fewest_nodes ? place.nodes - place.fewest_nodes : 0;
    return gpu_time{gpu_time{grown, idle_fragment}.count() / total_share()} +
           gpu_time{extra * place.gpus, per_extra_node};
  }

 private:
  [[nodiscard]] std::int64_t total_share() const noexcept {
    std::int64_t sum = 0;
    for (usual_size const& size : mix) {
      sum += size.share;
    }
    return sum > 0 ? sum : 1;
  }
  // Expected unusable GPUs among `free_gpus`, times total_share().
  [[nodiscard]] std::int64_t fragments(std::int32_t free_gpus) const noexcept {
    std::int64_t sum = 0;
    for (usual_size const& size : mix) {
      sum += free_gpus < size.gpus ? std::int64_t{size.share} * free_gpus : 0;
    }
    return sum;
  }
};

BERTH_NAMESPACE_END
