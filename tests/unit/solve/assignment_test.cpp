// SPDX-License-Identifier: BSL-1.0
// The assignment solver on small cases that can be checked by hand: ties, guards, edges.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matcher.hpp>

#include <tests/support/costs.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace assignment_test {

namespace {

using namespace berth;
using tests::costs;
using tests::ms;
using tests::no;

/// Solves and returns column_of_row; every optimum is certified on the way.
template <class Cost>
std::vector<std::uint32_t> solved(assignment_problem<Cost> const& problem,
                                  assignment_workspace<Cost>& workspace) {
  REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
  assignment_solution<Cost> const solution = workspace.solution();
  REQUIRE(certify(problem, solution).holds());
  return {solution.column_of_row.begin(), solution.column_of_row.end()};
}

using columns = std::vector<std::uint32_t>;

TEST_CASE("assignment: a known square case has its known optimum") {
  auto const cells = costs({4, 1, 3, 2, 0, 5, 3, 2, 2});
  assignment_workspace<gpu_time> workspace(3, 3);
  CHECK(solved({{cells, 3, 3}}, workspace) == columns{1, 0, 2});
  CHECK(workspace.solution().total == ms(5));
  CHECK(workspace.solution().row_of_column[0] == 1);
}

TEST_CASE("assignment: more columns than rows leaves the dearest columns free") {
  auto const cells = costs({7, 2, 9, 4, 3, 1, 8, 6});
  assignment_workspace<gpu_time> workspace(2, 4);
  CHECK(solved({{cells, 2, 4}}, workspace) == columns{1, 0});
  CHECK(workspace.solution().row_of_column[3] == unmatched);
  CHECK(workspace.solution().column_price[3] == ms(0));
}

TEST_CASE("assignment: more rows than columns leaves out the rows that gain least") {
  auto const cells = costs({5, 1, 3});
  auto const left_out = costs({10, 10, 10});
  assignment_workspace<gpu_time> workspace(3, 1);
  CHECK(solved({{cells, 3, 1}, left_out}, workspace) == columns{unmatched, 0, unmatched});
  CHECK(workspace.solution().total == ms(21));
  CHECK(workspace.solution().column_price[0] >= ms(7));  // the row at 3 would gain 10 - 3
  CHECK(workspace.solution().column_price[0] <= ms(9));  // the row at 1 gains no more
}

TEST_CASE("assignment: more rows than columns is infeasible if every row must be matched") {
  auto const cells = costs({5, 1, 3});
  assignment_workspace<gpu_time> workspace(3, 1);
  CHECK(assignment_matcher{}.solve({{cells, 3, 1}}, workspace) == solve_status::infeasible);
  CHECK(workspace.solution().column_of_row.empty());
  CHECK(workspace.solution().row_price.empty());
}

TEST_CASE("assignment: a row that must be matched displaces one that need not") {
  auto const cells = costs({1, 100});
  std::vector<gpu_time> const left_out{ms(50), no};
  assignment_workspace<gpu_time> workspace(2, 1);
  CHECK(solved({{cells, 2, 1}, left_out}, workspace) == columns{unmatched, 0});
  CHECK(workspace.solution().total == ms(150));
}

TEST_CASE("assignment: all cells forbidden leaves every row out, or is infeasible") {
  std::vector<gpu_time> const cells(4, no);
  auto const left_out = costs({3, 4});
  assignment_workspace<gpu_time> workspace(2, 2);
  CHECK(solved({{cells, 2, 2}, left_out}, workspace) == columns{unmatched, unmatched});
  CHECK(workspace.solution().total == ms(7));
  CHECK(assignment_matcher{}.solve({{cells, 2, 2}}, workspace) == solve_status::infeasible);
}

TEST_CASE("assignment: no rows or no columns is solved, not refused") {
  assignment_workspace<gpu_time> workspace(2, 2);
  CHECK(solved({{{}, 0, 2}}, workspace).empty());
  CHECK(workspace.solution().row_of_column.size() == 2);
  auto const left_out = costs({3, 4});
  CHECK(solved({{{}, 2, 0}, left_out}, workspace) == columns{unmatched, unmatched});
  CHECK(assignment_matcher{}.solve({{{}, 2, 0}}, workspace) == solve_status::infeasible);
  assignment_workspace<gpu_time> nothing;
  CHECK(solved({}, nothing).empty());
}

TEST_CASE("assignment: negative costs are costs like others") {
  auto const cells = costs({-5, -9, -4, -9});
  auto const left_out = costs({-6, 0});
  assignment_workspace<gpu_time> workspace(2, 2);
  CHECK(solved({{cells, 2, 2}}, workspace) == columns{0, 1});
  CHECK(workspace.solution().total == ms(-14));
  CHECK(solved({{cells, 2, 2}, left_out}, workspace) == columns{unmatched, 1});
  CHECK(workspace.solution().total == ms(-15));
}

TEST_CASE("assignment: of equal costs the lowest row takes the lowest column") {
  std::vector<gpu_time> const cells(12, ms(8));
  assignment_workspace<gpu_time> workspace(4, 4);
  CHECK(solved({{cells, 3, 4}}, workspace) == columns{0, 1, 2});
  auto const left_out = costs({9, 9, 9, 9});
  CHECK(solved({{cells, 4, 3}, left_out}, workspace) == columns{0, 1, 2, unmatched});
}

TEST_CASE("assignment: at equal cost a row is matched rather than left out") {
  auto const cells = costs({8});
  auto const left_out = costs({8});
  assignment_workspace<gpu_time> workspace(1, 1);
  CHECK(solved({{cells, 1, 1}, left_out}, workspace) == columns{0});
}

TEST_CASE("assignment: at equal cost the row that was there keeps its column") {
  auto const cells = costs({2, 5});
  auto const left_out = costs({6, 9});  // 2 + 9 = 6 + 5
  assignment_workspace<gpu_time> workspace(2, 1);
  CHECK(solved({{cells, 2, 1}, left_out}, workspace) == columns{0, unmatched});
}

TEST_CASE("assignment: a free column goes before a taken one at the same distance") {
  // Row 1 could as well take column 0 and send row 0 to column 1, which has a lower index.
  auto const cells = costs({1, 1, 9, 1, 9, 1});
  assignment_workspace<gpu_time> workspace(2, 3);
  CHECK(solved({{cells, 2, 3}}, workspace) == columns{0, 2});
}

TEST_CASE("assignment: rank goes before any amount of time") {
  std::int64_t const limit = cost_traits<rank_cost>::limit;
  std::vector<rank_cost> const cells{{1, ms(-limit)}, {0, ms(limit)}, {1, ms(0)}, {1, ms(0)}};
  assignment_workspace<rank_cost> workspace(2, 2);
  CHECK(solved<rank_cost>({{cells, 2, 2}}, workspace) == columns{1, 0});
  CHECK(workspace.solution().total == rank_cost{1, ms(limit)});
}

TEST_CASE("assignment: costs at the limit are exact, one beyond is refused") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  auto const most = costs({limit, -limit, -limit, limit});
  assignment_workspace<gpu_time> workspace(2, 2);
  CHECK(solved({{most, 2, 2}}, workspace) == columns{1, 0});
  CHECK(workspace.solution().total == ms(-2 * limit));
  auto const good = costs({1, 2, 3, 4});
  for (std::int64_t const beyond : {limit + 1, -limit - 1}) {
    auto cells = good;
    cells[3] = ms(beyond);
    auto const left_out = costs({1, beyond});
    CHECK(assignment_matcher{}.solve({{cells, 2, 2}}, workspace) ==
          solve_status::cost_out_of_range);
    CHECK(assignment_matcher{}.solve({{good, 2, 2}, left_out}, workspace) ==
          solve_status::cost_out_of_range);
    CHECK(workspace.solution().column_of_row.empty());
  }
  assignment_workspace<rank_cost> ranked(1, 1);
  for (rank_cost const beyond :
       {rank_cost{limit + 1, ms(0)}, rank_cost{-limit - 1, ms(0)}, rank_cost{0, ms(limit + 1)}}) {
    std::vector<rank_cost> const cells{beyond};
    CHECK(assignment_matcher{}.solve<rank_cost>({{cells, 1, 1}}, ranked) ==
          solve_status::cost_out_of_range);
  }
}

TEST_CASE("assignment: what does not fit the workspace is too large, and nothing grows") {
  auto const cells = costs({1, 2, 3, 4, 5, 6});
  assignment_workspace<gpu_time> workspace(2, 2);
  auto const left_out = costs({1, 1, 1});
  CHECK(assignment_matcher{}.solve({{cells, 2, 3}}, workspace) == solve_status::too_large);
  CHECK(assignment_matcher{}.solve({{cells, 3, 2}, left_out}, workspace) ==
        solve_status::too_large);
  CHECK(solved({{cells, 2, 2}}, workspace).size() == 2);
  auto const* const before = workspace.solution().column_of_row.data();
  CHECK(solved({{cells, 1, 2}}, workspace).size() == 1);
  CHECK(workspace.solution().column_of_row.data() == before);
  workspace.reserve(2, 3);
  CHECK(workspace.solution().column_of_row.empty());
  CHECK(solved({{cells, 2, 3}}, workspace).size() == 2);
}

TEST_CASE("assignment: more rows than the safe range allows is too large") {
  std::size_t const rows = assignment_matcher::max_rows + 1;
  std::vector<gpu_time> const left_out(rows, ms(1));
  assignment_workspace<gpu_time> workspace(rows, 0);
  CHECK(assignment_matcher{}.solve({{{}, rows, 0}, left_out}, workspace) ==
        solve_status::too_large);
}

TEST_CASE("assignment: sizes that disagree are malformed") {
  auto const cells = costs({1, 2, 3, 4});
  auto const one = costs({1});
  assignment_workspace<gpu_time> workspace(4, 4);
  assignment_matcher const matcher;
  CHECK(matcher.solve({{cells, 2, 3}}, workspace) == solve_status::malformed);
  CHECK(matcher.solve({{cells, 2, 2, 1}}, workspace) == solve_status::malformed);
  CHECK(matcher.solve({{cells, 2, 2}, one}, workspace) == solve_status::malformed);
  std::size_t const huge = std::size_t{1} << 63;
  CHECK(matcher.solve({{cells, huge, 2}}, workspace) == solve_status::malformed);
}

TEST_CASE("assignment: a matrix inside a wider buffer is read with its stride") {
  auto const cells = costs({4, 1, 99, 1, 9, 99});
  assignment_workspace<gpu_time> workspace(2, 2);
  CHECK(solved({{cells, 2, 2, 3}}, workspace) == columns{1, 0});
  CHECK(solved({{std::span{cells}.first(5), 2, 2, 3}}, workspace) == columns{1, 0});
}

TEST_CASE("assignment: rows that cannot all be matched do not bid beyond the range") {
  // Two columns, three rows with costs as far apart as 32 bits allow: the bids went on and on. The
  // sanitizers see an overflow; without them the prices would come out negative.
  random_source random{5};
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    std::vector<integer_cost> cells;
    for (int i = 0; i < 6; ++i) {
      cells.push_back(integer_cost{static_cast<std::int32_t>(random.below((1u << 28) + 1))});
    }
    assignment_workspace<integer_cost> workspace(3, 2);
    assignment_matcher matcher;
    matcher.instructions = instruction_set::plain;
    CHECK(matcher.solve({{cells, 3, 2}}, workspace) == solve_status::infeasible);
    std::vector<integer_cost> const left_out(3, integer_cost{1 << 28});
    REQUIRE(matcher.solve({{cells, 3, 2}, left_out}, workspace) == solve_status::optimal);
    CHECK(certify(assignment_problem<integer_cost>{{cells, 3, 2}, left_out}, workspace.solution())
              .holds());
  }
}

static_assert(
    noexcept(assignment_matcher{}.solve(std::declval<assignment_problem<gpu_time> const&>(),
                                        std::declval<assignment_workspace<gpu_time>&>())));
static_assert(tick_matcher<assignment_matcher, assignment_problem<gpu_time>>);
static_assert(tick_matcher<assignment_matcher, assignment_problem<rank_cost>>);

}  // namespace

}  // namespace assignment_test
