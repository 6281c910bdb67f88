// SPDX-License-Identifier: BSL-1.0
// What task_flow refuses.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/task_flow_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

// Bounds that keep every number within ±2^61. A path visits a place once and pays at most two ways
// and a branch there: 2^17 × 3 × 2^40. A task pays a way and a branch for each level: 2^18 × 2^3 ×
// 2^40 for all.
inline constexpr std::size_t max_flow_tasks = std::size_t{1} << 18;
inline constexpr std::size_t max_flow_places = std::size_t{1} << 17;
inline constexpr std::int64_t max_flow_slots = std::int64_t{1} << 20;
inline constexpr std::size_t max_flow_ways = 256;
inline constexpr std::size_t max_flow_levels = 7;

/// `optimal` if there is nothing to refuse.
template <class Cost>
[[nodiscard]] constexpr solve_status refuse_task(task_flow_problem<Cost> const& problem,
                                                 std::size_t task) noexcept {
  for (task_flow_way<Cost> const& way : problem.ways_of(task)) {
    if (way.cost.is_forbidden()) {
      continue;
    }
    if (way.place >= problem.places.size()) {
      return solve_status::malformed;
    }
    if (!cost_traits<Cost>::in_range(way.cost)) {
      return solve_status::cost_out_of_range;
    }
  }
  return cost_traits<Cost>::in_range(problem.unscheduled_cost[task])
             ? solve_status::optimal
             : solve_status::cost_out_of_range;
}

template <class Cost>
[[nodiscard]] constexpr solve_status refuse_places(
    task_flow_problem<Cost> const& problem) noexcept {
  auto const places = problem.places;
  std::int64_t slots = 0;
  for (std::size_t place = 0; place < places.size(); ++place) {
    task_flow_place<Cost> const& given = places[place];
    bool const is_root = given.parent == no_place;
    if (given.slots < 0 || given.cost.is_forbidden() ||
        (!is_root && (given.parent <= place || given.parent >= places.size() ||
                      places[given.parent].slots != 0))) {
      return solve_status::malformed;
    }
    if (!cost_traits<Cost>::in_range(given.cost)) {
      return solve_status::cost_out_of_range;
    }
    slots += given.slots;
  }
  for (std::size_t place = 0; place < places.size(); ++place) {
    std::size_t levels = 1;
    for (std::uint32_t at = places[place].parent; at != no_place; at = places[at].parent) {
      if (++levels > max_flow_levels) {
        return solve_status::too_large;
      }
    }
  }
  return slots > max_flow_slots ? solve_status::too_large : solve_status::optimal;
}

template <class Cost>
[[nodiscard]] constexpr solve_status refuse_sizes(task_flow_problem<Cost> const& problem) noexcept {
  if (problem.tasks() > max_flow_tasks || problem.places.size() > max_flow_places ||
      problem.ways_per_task > max_flow_ways) {
    return solve_status::too_large;
  }
  return problem.ways.size() == problem.tasks() * problem.ways_per_task ? solve_status::optimal
                                                                        : solve_status::malformed;
}

template <class Cost>
[[nodiscard]] constexpr solve_status refuse_task_flow(
    task_flow_problem<Cost> const& problem) noexcept {
  solve_status refused = refuse_sizes(problem);
  if (refused == solve_status::optimal) {
    refused = refuse_places(problem);
  }
  for (std::size_t task = 0; refused == solve_status::optimal && task < problem.tasks(); ++task) {
    refused = refuse_task(problem, task);
  }
  return refused;
}

}  // namespace detail
BERTH_NAMESPACE_END
