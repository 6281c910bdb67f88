// SPDX-License-Identifier: BSL-1.0
// Once reserved, the transportation solver allocates nothing, cold, warm or cut short.
#include <berth/core/random.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/transport.hpp>

#include <tests/support/counting_new.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace transport_alloc_test {

namespace {

using namespace berth;

TEST_CASE("transport: solve and resolve allocate nothing, with and without a budget") {
  std::uint32_t const rows = 60;
  std::uint32_t const columns = 70;  // enough arcs for price rounds and shortlists
  random_source random{1};
  std::vector<transport_arc<integer_cost>> arcs;
  std::vector<transport_row> lies;
  for (std::uint32_t row = 0; row < rows; ++row) {
    lies.push_back({row * columns, columns});
    for (std::uint32_t column = 0; column < columns; ++column) {
      arcs.push_back({column, integer_cost{static_cast<std::int32_t>(random.below(999))}});
    }
  }
  std::vector<std::int32_t> supply(rows, 5);
  std::vector<std::int32_t> capacity(columns, 4);
  std::vector<integer_cost> const left_out(rows, integer_cost{900});
  transport_workspace<integer_cost> workspace(rows, columns);
  transport_problem<integer_cost> const problem{arcs, lies, supply, capacity, left_out};
  for (int tick = 0; tick < 30; ++tick) {
    std::vector<std::uint32_t> const changed{static_cast<std::uint32_t>(random.below(rows))};
    supply[changed.front()] = static_cast<std::int32_t>(random.below(12));
    capacity[random.below(columns)] = static_cast<std::int32_t>(random.below(9));
    std::uint64_t const before = tests::allocations();
    solve_status const warm = transport_matcher{}.resolve(problem, workspace, changed);
    solve_status const hurried = transport_matcher{}.solve(problem, workspace, {.steps = 2});
    solve_status const cold = transport_matcher{}.solve(problem, workspace);
    std::uint64_t const after = tests::allocations();
    REQUIRE(warm == solve_status::optimal);
    REQUIRE(hurried == solve_status::feasible);
    REQUIRE(cold == solve_status::optimal);
    REQUIRE(after == before);
  }
}

}  // namespace

}  // namespace transport_alloc_test
