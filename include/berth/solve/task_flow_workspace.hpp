// SPDX-License-Identifier: BSL-1.0
// The memory of task_flow_matcher: the answer, and what it needs to go on from there.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/task_flow_state.hpp>
#include <berth/solve/task_flow_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

struct task_flow_matcher;

/// Only the constructor and reserve() allocate.
template <solver_cost Cost>
class task_flow_workspace {
 public:
  static constexpr std::size_t default_ways = 8;

  task_flow_workspace() = default;
  task_flow_workspace(std::size_t tasks, std::size_t places,
                      std::size_t ways_per_task = default_ways) {
    reserve(tasks, places, ways_per_task);
  }

  /// Makes room for problems up to this size; never shrinks. Forgets the answer.
  /// Throws std::bad_alloc.
  void reserve(std::size_t tasks, std::size_t places, std::size_t ways_per_task = default_ways) {
    forget();
    tasks_ = std::max(tasks_, tasks);
    places_ = std::max(places_, places);
    ways_ = std::max(ways_, ways_per_task);
    books_.reserve(tasks_, places_, ways_);
    waiting_.resize(tasks_);
    left_.resize(places_);
    flow_.resize(places_);
    price_.resize(places_);
  }

  /// Empty until a solve succeeded.
  [[nodiscard]] task_flow_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct task_flow_matcher;

  void forget() noexcept {
    solution_ = {};
    solved_ways_ = nothing_solved;
    left_behind_ = 0;
  }

  static constexpr std::size_t nothing_solved = static_cast<std::size_t>(-1);

  std::size_t tasks_ = 0;
  std::size_t places_ = 0;
  std::size_t ways_ = 0;
  detail::task_flow_state<Cost> books_;
  /// The ways per task of the problem that the books are about.
  std::size_t solved_ways_ = nothing_solved;
  std::vector<std::uint32_t> waiting_;
  /// How many of the waiting ones stay out only because a budget ended.
  std::size_t left_behind_ = 0;
  std::vector<std::int32_t> left_;
  // The answer as far as it is about places; the rest stands in the books.
  std::vector<std::int32_t> flow_;
  std::vector<typename cost_traits<Cost>::price> price_;
  task_flow_solution<Cost> solution_;
};

BERTH_NAMESPACE_END
