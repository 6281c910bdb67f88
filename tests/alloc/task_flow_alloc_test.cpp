// SPDX-License-Identifier: BSL-1.0
// The flow of tasks and the multiple-choice knapsack allocate in reserve() and nowhere else, cold
// or warm, refused or not.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/choice_knapsack.hpp>
#include <berth/solve/task_flow.hpp>

#include <tests/support/counting_new.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace task_flow_alloc_test {

namespace {

using namespace berth;

TEST_CASE("task_flow: no call allocates after reserve") {
  constexpr std::uint32_t machines = 12;
  constexpr std::size_t tasks = 60;
  constexpr std::size_t ways_per_task = 3;
  random_source random{5};
  std::vector<task_flow_place<gpu_time>> places(machines, {machines, 3, {}});
  places.push_back({});
  std::vector<task_flow_way<gpu_time>> ways(tasks * ways_per_task);
  std::vector<gpu_time> out(tasks);
  auto const draw = [&](std::size_t task) {
    for (std::size_t way = 0; way < ways_per_task; ++way) {
      ways[task * ways_per_task + way] = {static_cast<std::uint32_t>(random.below(machines + 1)),
                                          gpu_time{random.between(0, 100)}};
    }
    out[task] = gpu_time{random.between(100, 300)};
  };
  for (std::size_t task = 0; task < tasks; ++task) {
    draw(task);
  }
  task_flow_problem<gpu_time> const problem{places, ways, ways_per_task, out};
  task_flow_workspace<gpu_time> workspace(tasks, places.size(), ways_per_task);
  std::vector<std::uint32_t> changed(4);
  auto const before = tests::allocations();
  bool is_optimal = task_flow_matcher{}.solve(problem, workspace) == solve_status::optimal;
  for (int round = 0; round < 50; ++round) {
    for (std::uint32_t& task : changed) {
      task = static_cast<std::uint32_t>(random.below(tasks));
      draw(task);
    }
    places[random.below(machines)].slots = static_cast<std::int32_t>(random.below(5));
    is_optimal = is_optimal &&
                 task_flow_matcher{}.resolve(problem, workspace, changed) == solve_status::optimal;
  }
  changed[0] = tasks;
  bool const is_refused =
      task_flow_matcher{}.resolve(problem, workspace, changed) == solve_status::malformed;
  CHECK(tests::allocations() == before);
  CHECK(is_optimal);
  CHECK(is_refused);
}

TEST_CASE("choice_knapsack: no call allocates after reserve, by heap or by table") {
  std::vector<choice_option<gpu_time>> options;
  std::vector<std::uint32_t> const counts(20, 4);
  for (std::size_t item = 0; item < counts.size(); ++item) {
    for (std::int32_t size = 0; size < 4; ++size) {
      options.push_back({size, gpu_time{size * (20 - size)}});
    }
  }
  choice_workspace<gpu_time> workspace(counts.size(), 30);
  choice_problem<gpu_time> const problem{options, counts, 30};
  auto const before = tests::allocations();
  bool const by_heap = choice_knapsack{}.solve(problem, workspace) == solve_status::optimal;
  bool const by_table =
      choice_knapsack{}.solve_by_table(problem, workspace) == solve_status::optimal;
  CHECK(tests::allocations() == before);
  CHECK(by_heap);
  CHECK(by_table);
}

}  // namespace

}  // namespace task_flow_alloc_test
