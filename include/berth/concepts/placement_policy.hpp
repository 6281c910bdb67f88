// SPDX-License-Identifier: BSL-1.0
// The seam that says how good a place is.
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/job.hpp>
#include <berth/model/topology.hpp>

#include <concepts>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A place on which a gang (or one role of it) would sit, as placements see it.
struct berth_view {
  gpu_type type{};
  std::int32_t gpus = 0;              ///< the gang's GPUs here
  std::int32_t nodes = 1;             ///< nodes it would sit on
  std::int32_t fewest_nodes = 1;      ///< nodes it would need on empty ones of this type
  locality domain = locality::node;   ///< smallest domain that holds it
  std::int32_t node_gpus = 0;         ///< GPUs of the (lowest) node; of the widest, on several
  std::int32_t free_before = 0;       ///< free GPUs on those nodes now
  std::int32_t free_after = 0;        ///< free GPUs left there
  std::uint32_t first_node = 0;       ///< lowest node slot of the place
  std::int32_t last_free_before = 0;  ///< on several nodes: free GPUs of the one filled last
  std::int32_t last_free_after = 0;   ///< and what is left there, as a rule all that is left
};

// A placement_policy prices a place in GPU-time: what sitting there wastes, now or for others.
//
//   Given  p: P const&, j: job_view, b: berth_view const&, t: tick_context const&
//   p.score(j, b, t) -> gpu_time   noexcept, O(1), no allocation; forbidden() = not there
//
// Semantics  1. Lower is better; only differences between places matter.
//            2. Places with equal berth_view but first_node are one class, and the lowest node is
//            taken,
//               unless P::distinguishes_nodes is true.
//            3. Equal arguments give equal answers within a tick.
// Models     first_fit, consolidated, fragmentation_aware
template <class P>
concept has_score =
    requires(P const& p, job_view const& j, berth_view const& b, tick_context const& t) {
      { p.score(j, b, t) } -> std::same_as<gpu_time>;
    };
template <class P>
concept has_noexcept_score =
    requires(P const& p, job_view const& j, berth_view const& b, tick_context const& t) {
      { p.score(j, b, t) } noexcept;
    };
template <class P>
concept placement_policy = component<P, placement_role> && has_score<P> && has_noexcept_score<P>;

/// Does the answer depend on which node it is, beyond what nodes of a class have in common?
template <class P>
inline constexpr bool distinguishes_nodes = false;
template <class P>
  requires requires { P::distinguishes_nodes; }
inline constexpr bool distinguishes_nodes<P> = P::distinguishes_nodes;

BERTH_NAMESPACE_END
