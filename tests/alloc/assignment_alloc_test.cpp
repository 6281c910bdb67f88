// SPDX-License-Identifier: BSL-1.0
// Once reserved, the assignment solver allocates nothing, whichever way it takes.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/integer_cost.hpp>

#include <tests/support/counting_new.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace assignment_alloc_test {

namespace {

using namespace berth;

TEST_CASE_TEMPLATE("assignment: solve and resolve allocate nothing, with and without a budget",
                   Cost, integer_cost, gpu_time) {
  random_source random{1};
  for (std::size_t const rows : {30u, 90u, 100u, 120u}) {  // at 100 from both ends
    std::size_t const columns = rows == 100 ? rows : 90;
    std::vector<Cost> cells;
    for (std::size_t cell = 0; cell < rows * columns; ++cell) {
      cells.emplace_back(static_cast<std::int32_t>(random.below(9) * (1 + cell % 7)));
    }
    std::vector<Cost> const waiting(rows, Cost{20});
    assignment_problem<Cost> const problem{{cells, rows, columns}, waiting};
    assignment_workspace<Cost> workspace(rows, columns);
    for (int tick = 0; tick < 20; ++tick) {
      std::vector<std::uint32_t> const changed{static_cast<std::uint32_t>(random.below(rows))};
      for (std::size_t column = 0; column < columns; ++column) {
        cells[changed[0] * columns + column] = Cost{static_cast<std::int32_t>(random.below(60))};
      }
      std::uint64_t const before = tests::allocations();
      solve_status const warm = assignment_matcher{}.resolve(problem, workspace, changed);
      solve_status const hurried = assignment_matcher{}.solve(problem, workspace, {.steps = 5});
      solve_status const cold = assignment_matcher{}.solve(problem, workspace);
      std::uint64_t const after = tests::allocations();
      REQUIRE(warm == solve_status::optimal);
      REQUIRE(has_solution(hurried));
      REQUIRE(cold == solve_status::optimal);
      REQUIRE(after == before);
    }
  }
}

}  // namespace

}  // namespace assignment_alloc_test
