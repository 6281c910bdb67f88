// SPDX-License-Identifier: BSL-1.0
// Single tasks on a tree of places, as in Firmament (Gog et al., OSDI 2016) and Quincy (Isard et
// al., SOSP 2009): a task may prefer a machine, a rack, the cluster, at a cost each, or stay
// unscheduled; racks and clusters lead down to machines, and machines have slots.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Stands for "no place": the parent of a root, the machine of a task that stays unscheduled.
inline constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

/// A node of the tree. One without children is a machine; one with children aggregates them.
template <solver_cost Cost>
struct task_flow_place {
  std::uint32_t parent = no_place;  ///< larger than the place's own index, or no_place
  std::int32_t slots = 0;           ///< >= 0; 0 unless it is a machine
  Cost cost{};                      ///< per task that comes down from the parent; not forbidden
};

/// One way of a task into the tree: straight to a machine, or to an aggregator whose subtree it may
/// use. Forbidden: there is no such way.
template <solver_cost Cost>
struct task_flow_way {
  std::uint32_t place = 0;
  Cost cost = Cost::forbidden();
};

/// A view of an answer, with the prices that prove it; it lives in the workspace until the next
/// solve, resolve or reserve. The prices are the duals, per task, of coming to a place:
///   price[p] <= cost[c] + price[c]   for a child c of p, equal where tasks go down
///   price[m] >= 0                    for a machine, zero where a slot is free
/// and every task has taken the cheapest of its ways, priced as cost + price[place], or stays
/// unscheduled because none is cheaper.
template <solver_cost Cost>
struct task_flow_solution {
  using price_type = typename cost_traits<Cost>::price;

  std::span<std::uint32_t const> machine;  ///< per task; no_place: unscheduled
  std::span<std::uint32_t const> way;      ///< per task, the number of its way; no_place likewise
  std::span<std::int32_t const> flow;      ///< per place, the tasks that come down from its parent
  std::span<price_type const> price;       ///< per place
  price_type total{};
  price_type bound{};  ///< no solution is cheaper; equal to `total` when optimal
};

/// The spans must outlive the call. An empty position among the tasks is one without ways that
/// stays unscheduled for nothing: so a task keeps its index while others come and go.
template <solver_cost Cost>
struct task_flow_problem {
  using cost_type = Cost;
  using solution_type = task_flow_solution<Cost>;

  std::span<task_flow_place<Cost> const> places;  ///< children before parents
  std::span<task_flow_way<Cost> const> ways;      ///< ways_per_task for each task, in order
  std::size_t ways_per_task = 0;
  std::span<Cost const> unscheduled_cost;  ///< per task; forbidden: it must go

  [[nodiscard]] constexpr std::size_t tasks() const noexcept { return unscheduled_cost.size(); }
  [[nodiscard]] constexpr std::span<task_flow_way<Cost> const> ways_of(
      std::size_t task) const noexcept {
    return ways.subspan(task * ways_per_task, ways_per_task);
  }
};

BERTH_NAMESPACE_END
