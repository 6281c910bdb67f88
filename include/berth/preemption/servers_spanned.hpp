// SPDX-License-Identifier: BSL-1.0
// Servers are emptied where that stops fewest jobs, each counted in parts on the servers that it
// spans (reclaiming in Lyra: Li et al., EuroSys'23, arXiv 2202.07896). For comparison.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/cost.hpp>
#include <berth/preemption/epoch_boundary.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A stop counts as one over the number of nodes that the job spans, so that a node costs the sum
/// over its jobs. That the other nodes of a job become cheaper once it has been chosen is not the
/// price of a single job, and not here.
template <preemption_cost Base = epoch_boundary>
struct servers_spanned {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = berth::allows_timelessly<Base>;
  Base base{};

  /// One job. Up to 16 nodes, its parts add up exactly.
  static constexpr std::int64_t unit = 720'720;

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const& tick) const noexcept {
    return base.suspend(job, tick);
  }
  [[nodiscard]] duration resume(job_view const& job, tick_context const& tick) const noexcept {
    return base.resume(job, tick);
  }
  [[nodiscard]] gpu_time price(job_view const& job, suspension const&,
                               tick_context const&) const noexcept {
    return gpu_time{unit / std::max(1, job.nodes_held())};
  }
};

BERTH_NAMESPACE_END
