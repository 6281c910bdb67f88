// SPDX-License-Identifier: BSL-1.0
// The assignment solver again and again: what resolve keeps, what it refuses; and the ways a cold
// solve takes on structures that would make plain shortest paths collapse.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/integer_cost.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace assignment_resolve_test {

namespace {

using namespace berth;
using columns = std::vector<std::uint32_t>;
using rows = std::vector<std::uint32_t>;

std::vector<integer_cost> costs(std::vector<std::int32_t> const& values) {
  return {values.begin(), values.end()};
}

template <class Cost>
columns matching(assignment_workspace<Cost> const& workspace) {
  auto const solution = workspace.solution();
  return {solution.column_of_row.begin(), solution.column_of_row.end()};
}

TEST_CASE("assignment: a changed row takes a column, and the others move for it") {
  auto cells = costs({1, 5, 2, 9});
  assignment_problem<integer_cost> const problem{{cells, 2, 2}};
  assignment_workspace<integer_cost> workspace(2, 2);
  assignment_matcher const matcher;
  REQUIRE(matcher.solve(problem, workspace) == solve_status::optimal);
  CHECK(matching(workspace) == columns{1, 0});
  cells[2] = integer_cost{9};
  cells[3] = integer_cost{2};
  REQUIRE(matcher.resolve(problem, workspace, rows{1}) == solve_status::optimal);
  CHECK(matching(workspace) == columns{0, 1});
  CHECK(workspace.solution().total == 3);
  CHECK(certify(problem, workspace.solution()).holds());
}

TEST_CASE("assignment: a column whose row has left gives its price back") {
  auto cells = costs({1, 8, 2, 8, 1, 8});
  auto waiting = costs({9, 9, 9});
  assignment_problem<integer_cost> const problem{{cells, 3, 2}, waiting};
  assignment_workspace<integer_cost> workspace(3, 2);
  assignment_matcher const matcher;
  REQUIRE(matcher.solve(problem, workspace) == solve_status::optimal);
  CHECK(workspace.solution().column_price[0] > 0);
  for (std::size_t cell = 0; cell < 4; ++cell) {  // two that would rather wait
    cells[cell] = integer_cost{20};
  }
  REQUIRE(matcher.resolve(problem, workspace, rows{0, 1}) == solve_status::optimal);
  CHECK(matching(workspace) == columns{unmatched, unmatched, 0});
  CHECK(workspace.solution().column_price[1] == 0);
  CHECK(certify(problem, workspace.solution()).holds());
}

TEST_CASE("assignment: without an answer or with another size, resolve solves") {
  auto const cells = costs({4, 1, 3, 2, 0, 5, 3, 2, 2});
  assignment_workspace<integer_cost> workspace(3, 3);
  assignment_matcher const matcher;
  REQUIRE(matcher.resolve({{cells, 3, 3}}, workspace, {}) == solve_status::optimal);
  CHECK(workspace.solution().total == 5);
  REQUIRE(matcher.resolve({{cells, 2, 3}}, workspace, {}) == solve_status::optimal);
  CHECK(workspace.solution().total == 3);
  auto const waiting = costs({0, 0});
  REQUIRE(matcher.resolve({{cells, 2, 3}, waiting}, workspace, {}) == solve_status::optimal);
  CHECK(workspace.solution().total == 0);
  CHECK(matcher.resolve({{cells, 3, 4}}, workspace, {}) == solve_status::malformed);
}

TEST_CASE("assignment: a refused or infeasible resolve leaves no answer behind") {
  auto cells = costs({4, 1, 3, 2});
  assignment_problem<integer_cost> const problem{{cells, 2, 2}};
  assignment_workspace<integer_cost> workspace(2, 2);
  assignment_matcher const matcher;
  auto const is_empty = [&workspace] { return workspace.solution().column_of_row.empty(); };
  REQUIRE(matcher.solve(problem, workspace) == solve_status::optimal);
  CHECK(matcher.resolve(problem, workspace, rows{2}) == solve_status::malformed);
  CHECK(is_empty());
  REQUIRE(matcher.resolve(problem, workspace, {}) == solve_status::optimal);
  cells[0] = integer_cost{(1 << 30) + 1};
  CHECK(matcher.resolve(problem, workspace, rows{0}) == solve_status::cost_out_of_range);
  CHECK(is_empty());
  cells[0] = integer_cost{4};
  REQUIRE(matcher.solve(problem, workspace) == solve_status::optimal);
  cells[0] = cells[1] = integer_cost::forbidden();
  CHECK(matcher.resolve(problem, workspace, rows{0}) == solve_status::infeasible);
  CHECK(is_empty());
  cells[0] = integer_cost{4};
  REQUIRE(matcher.resolve(problem, workspace, rows{0}) == solve_status::optimal);
  CHECK(workspace.solution().total == 6);
}

TEST_CASE("assignment: a row may be listed twice") {
  auto cells = costs({1, 2, 2, 1});
  assignment_problem<integer_cost> const problem{{cells, 2, 2}};
  assignment_workspace<integer_cost> workspace(2, 2);
  REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
  REQUIRE(assignment_matcher{}.resolve(problem, workspace, rows{0, 1, 0, 1, 1}) ==
          solve_status::optimal);
  CHECK(workspace.solution().total == 2);
}

TEST_CASE("assignment: costs that no longer fit 32 bits are solved all the same") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  std::vector<gpu_time> cells(9, gpu_time{7});
  assignment_problem<gpu_time> const problem{{cells, 3, 3}};
  assignment_workspace<gpu_time> workspace(3, 3);
  REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
  cells = {gpu_time{-limit}, gpu_time{limit}, gpu_time{limit}};
  cells.resize(9, gpu_time{7});
  REQUIRE(assignment_matcher{}.resolve(problem, workspace, rows{0}) == solve_status::optimal);
  CHECK(workspace.solution().total == gpu_time{14 - limit});
  CHECK(certify(problem, workspace.solution()).holds());
}

TEST_CASE("assignment: the largest costs of 32 bits do not overflow") {
  std::int32_t const limit = 1 << 30;
  for (std::int32_t const spread : {1 << 28, (1 << 28) + 1, 2 * (limit / 2)}) {
    CAPTURE(spread);
    for (std::int32_t const least : {-limit, limit - spread}) {
      random_source random{static_cast<std::uint64_t>(spread)};
      std::size_t const n = 40;
      std::vector<integer_cost> cells;
      for (std::size_t cell = 0; cell < n * n; ++cell) {  // everybody wants the same columns
        std::int32_t const step = spread / static_cast<std::int32_t>(n);
        cells.emplace_back(least + step * static_cast<std::int32_t>(cell % n) +
                           static_cast<std::int32_t>(random.below(2)));
      }
      assignment_problem<integer_cost> const problem{{cells, n, n}};
      assignment_workspace<integer_cost> workspace(n, n);
      REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
      CHECK(certify(problem, workspace.solution()).holds());
    }
  }
}

/// Jobs of the given lengths at the k-th place from the end, as AlloX prices them.
std::vector<integer_cost> products(std::size_t n, std::uint64_t seed) {
  random_source random{seed};
  std::vector<integer_cost> cells;
  for (std::size_t row = 0; row < n; ++row) {
    auto const length = static_cast<std::int32_t>(100 + random.below(9000));
    auto const waited = static_cast<std::int32_t>(random.below(36'000));
    for (std::size_t column = 0; column < n; ++column) {
      cells.emplace_back(length * static_cast<std::int32_t>(1 + column % 8) + waited);
    }
  }
  return cells;
}

TEST_CASE("assignment: products, where prices come from an auction, are certified") {
  std::size_t const n = 200;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    auto const cells = products(n, seed);
    assignment_problem<integer_cost> const problem{{cells, n, n}};
    assignment_workspace<integer_cost> workspace(n, n);
    REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
    CHECK(certify(problem, workspace.solution()).holds());
  }
}

TEST_CASE("assignment: products that some rows do better to stay out of are certified") {
  std::size_t const n = 200;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    auto const cells = products(n, seed);
    random_source random{seed};
    std::vector<integer_cost> waiting;
    for (std::size_t row = 0; row < n; ++row) {
      waiting.emplace_back(static_cast<std::int32_t>(random.below(90'000)));
    }
    assignment_problem<integer_cost> const problem{{cells, n, n}, waiting};
    assignment_workspace<integer_cost> workspace(n, n);
    REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
    CHECK(certify(problem, workspace.solution()).holds());
  }
}

struct countdown {
  mutable int questions;
};
bool is_over(void const* context) noexcept {
  return static_cast<countdown const*>(context)->questions-- == 0;
}

TEST_CASE("assignment: a caller's clock ends the work with a solution and a bound") {
  std::size_t const n = 60;
  auto const cells = products(n, 3);
  assignment_problem<integer_cost> const problem{{cells, n, n}};
  assignment_workspace<integer_cost> workspace(n, n);
  REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
  std::int64_t const optimum = workspace.solution().total;
  countdown const soon{1};
  REQUIRE(assignment_matcher{}.solve(problem, workspace, {.expired = is_over, .context = &soon}) ==
          solve_status::feasible);
  CHECK(workspace.solution().bound <= optimum);
  CHECK(optimum < workspace.solution().total);
  countdown const never{-1};
  REQUIRE(assignment_matcher{}.solve(problem, workspace, {.expired = is_over, .context = &never}) ==
          solve_status::optimal);
}

TEST_CASE("assignment: a budget that ends does not end in nothing where a matching is hard") {
  // The cheapest free columns of rows 0 and 1 leave none for row 2: only a path finds the matching.
  integer_cost const no = integer_cost::forbidden();
  std::vector<integer_cost> const cells{integer_cost{1},
                                        integer_cost{2},
                                        no,
                                        integer_cost{9},
                                        integer_cost{1},
                                        integer_cost{9},
                                        integer_cost{1},
                                        no,
                                        no};
  assignment_workspace<integer_cost> workspace(3, 3);
  REQUIRE(assignment_matcher{}.solve({{cells, 3, 3}}, workspace, {.steps = 0}) ==
          solve_status::optimal);
  CHECK(workspace.solution().total == 12);
}

}  // namespace

}  // namespace assignment_resolve_test
