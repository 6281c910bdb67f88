// SPDX-License-Identifier: BSL-1.0
// The transportation solver on small cases that can be checked by hand: ties, guards, edges.
#include <berth/core/cost.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matcher.hpp>
#include <berth/solve/transport.hpp>
#include <berth/solve/transport_arcs.hpp>

#include <tests/support/costs.hpp>
#include <tests/support/dense_transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace transport_test {

namespace {

using namespace berth;
using tests::costs;
using tests::ms;
using tests::no;

using units = std::vector<std::int32_t>;

template <class Cost>
solve_status solved(tests::dense_transport<Cost> const& made,
                    transport_workspace<Cost>& workspace) {
  return transport_matcher{}.solve(made.problem(), workspace);
}

/// Solves and returns the flow, rows × columns; every optimum is certified on the way.
template <class Cost>
units shipped(tests::dense_transport<Cost> const& made, transport_workspace<Cost>& workspace) {
  REQUIRE(solved(made, workspace) == solve_status::optimal);
  REQUIRE(certify(made.problem(), workspace.solution()).holds());
  return tests::dense_flow(made.problem(), workspace.solution());
}

TEST_CASE("transport: a textbook case has its known optimum") {
  auto const cells = costs({8, 6, 10, 9, 12, 13, 14, 9, 16});
  units const supply{35, 50, 40};
  units const capacity{45, 20, 60};
  transport_workspace<gpu_time> workspace(3, 3);
  CHECK(shipped({{cells, 3, 3}, supply, capacity}, workspace) ==
        units{0, 0, 35, 45, 0, 5, 0, 20, 20});
  CHECK(workspace.solution().total == ms(350 + 405 + 65 + 180 + 320));
}

TEST_CASE("transport: a later row moves an earlier one when that is cheaper for both together") {
  auto const cells = costs({1, 2, 1, 9});
  units const supply{4, 3};
  units const capacity{4, 9};
  transport_workspace<gpu_time> workspace(2, 2);
  CHECK(shipped({{cells, 2, 2}, supply, capacity}, workspace) == units{1, 3, 3, 0});
  CHECK(workspace.solution().column_price[0] == ms(1));  // one more place there saves 2 - 1
  CHECK(workspace.solution().column_price[1] == ms(0));
}

TEST_CASE("transport: units are left out where that is cheaper, each row at its own price") {
  auto const cells = costs({5, 5});
  auto const left_out = costs({20, 7});
  units const supply{2, 2};
  units const capacity{3};
  transport_workspace<gpu_time> workspace(2, 1);
  CHECK(shipped({{cells, 2, 1}, supply, capacity, left_out}, workspace) == units{2, 1});
  CHECK(workspace.solution().unmatched_units[0] == 0);
  CHECK(workspace.solution().unmatched_units[1] == 1);
  CHECK(workspace.solution().total == ms(22));
  CHECK(workspace.solution().column_price[0] == ms(2));
  CHECK(workspace.solution().row_price[0] == ms(7));
}

TEST_CASE("transport: an earlier row gives way to a later one that loses more by waiting") {
  auto const cells = costs({5, 5});
  auto const left_out = costs({7, 20});
  units const supply{2, 2};
  units const capacity{3};
  transport_workspace<gpu_time> workspace(2, 1);
  CHECK(shipped({{cells, 2, 1}, supply, capacity, left_out}, workspace) == units{1, 2});
  CHECK(workspace.solution().unmatched_units[0] == 1);
}

TEST_CASE("transport: too little capacity is infeasible if nothing may stay") {
  auto const cells = costs({5, 5});
  units const supply{2, 2};
  units const capacity{3};
  std::vector<gpu_time> const left_out{no, no};
  transport_workspace<gpu_time> workspace(2, 1);
  CHECK(solved({{cells, 2, 1}, supply, capacity}, workspace) == solve_status::infeasible);
  CHECK(solved({{cells, 2, 1}, supply, capacity, left_out}, workspace) == solve_status::infeasible);
  CHECK(workspace.solution().flow.empty());
}

TEST_CASE("transport: all cells forbidden leaves everything out, or is infeasible") {
  std::vector<gpu_time> const cells(4, no);
  units const counts{3, 2};
  auto const left_out = costs({3, 4});
  transport_workspace<gpu_time> workspace(2, 2);
  CHECK(shipped({{cells, 2, 2}, counts, counts, left_out}, workspace) == units{0, 0, 0, 0});
  CHECK(workspace.solution().total == ms(17));
  CHECK(solved({{cells, 2, 2}, counts, counts}, workspace) == solve_status::infeasible);
}

TEST_CASE("transport: no rows, no columns, no supply and no capacity are solved, not refused") {
  transport_workspace<gpu_time> workspace(2, 2);
  units const none;
  units const zeros{0, 0};
  units const counts{1, 2};
  auto const cells = costs({1, 2, 3, 4});
  auto const left_out = costs({3, 4});
  CHECK(shipped({{{}, 0, 2}, none, counts}, workspace).empty());
  CHECK(shipped({{{}, 2, 0}, counts, none, left_out}, workspace).empty());
  CHECK(workspace.solution().total == ms(11));
  CHECK(shipped({{cells, 2, 2}, zeros, counts}, workspace) == units{0, 0, 0, 0});
  CHECK(shipped({{cells, 2, 2}, counts, zeros, left_out}, workspace) == units{0, 0, 0, 0});
  transport_workspace<gpu_time> nothing;
  CHECK(shipped({{}, {}, {}}, nothing).empty());
}

TEST_CASE("transport: a row without supply is priced at its cheapest way") {
  auto const cells = costs({5, 3});
  auto const left_out = costs({9, 8});
  units const supply{2, 0};
  units const capacity{1};
  transport_workspace<gpu_time> workspace(2, 1);
  CHECK(shipped({{cells, 2, 1}, supply, capacity, left_out}, workspace) == units{1, 0});
  CHECK(workspace.solution().row_price[1] == ms(7));  // 3 and the 4 that the full column is worth
}

TEST_CASE("transport: negative costs are costs like others") {
  auto const cells = costs({-5, -9, -4, -9});
  units const supply{2, 2};
  units const capacity{9, 3};
  transport_workspace<gpu_time> workspace(2, 2);
  CHECK(shipped({{cells, 2, 2}, supply, capacity}, workspace) == units{1, 1, 0, 2});
  CHECK(workspace.solution().total == ms(-32));
}

TEST_CASE("transport: of equal costs the lowest row fills the lowest columns") {
  std::vector<gpu_time> const cells(6, ms(8));
  units const supply{3, 4};
  units const capacity{2, 2, 2};
  auto const left_out = costs({8, 8});
  transport_workspace<gpu_time> workspace(2, 3);
  CHECK(shipped({{cells, 2, 3}, supply, capacity, left_out}, workspace) == units{2, 1, 0, 0, 1, 2});
  CHECK(workspace.solution().unmatched_units[0] == 0);
  CHECK(workspace.solution().unmatched_units[1] == 1);
}

TEST_CASE("transport: a column with room goes before a full one at the same distance") {
  // Row 1 could as well fill column 0 and send row 0 to column 1, which has a lower index.
  auto const cells = costs({1, 1, 9, 1, 9, 1});
  units const supply{2, 2};
  units const capacity{2, 2, 2};
  transport_workspace<gpu_time> workspace(2, 3);
  CHECK(shipped({{cells, 2, 3}, supply, capacity}, workspace) == units{2, 0, 0, 0, 0, 2});
}

TEST_CASE("transport: of equally near columns the lowest goes first, across blocks") {
  std::size_t const columns = 200;
  std::vector<gpu_time> const cells(2 * columns, ms(1));
  units const supply{130, 3};
  units const capacity(columns, 1);
  transport_workspace<gpu_time> workspace(2, columns);
  units const flow = shipped({{cells, 2, columns}, supply, capacity}, workspace);
  for (std::size_t column = 0; column < columns; ++column) {
    CHECK(flow[column] == (column < 130 ? 1 : 0));
    CHECK(flow[columns + column] == (column >= 130 && column < 133 ? 1 : 0));
  }
}

TEST_CASE("transport: rank goes before any amount of time") {
  std::int64_t const limit = cost_traits<rank_cost>::limit;
  std::vector<rank_cost> const cells{{1, ms(-limit)}, {0, ms(limit)}};
  units const supply{3};
  units const capacity{3, 2};
  transport_workspace<rank_cost> workspace(1, 2);
  CHECK(shipped<rank_cost>({{cells, 1, 2}, supply, capacity}, workspace) == units{1, 2});
  CHECK(workspace.solution().total == rank_cost{1, ms(limit)});
}

TEST_CASE("transport: the most units at the highest cost add up exactly, one more is too large") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  auto const cells = costs({limit});
  auto const most = static_cast<std::int32_t>(transport_matcher::max_units);
  units const capacity{std::numeric_limits<std::int32_t>::max()};
  transport_workspace<gpu_time> workspace(1, 1);
  CHECK(shipped({{cells, 1, 1}, units{most}, capacity}, workspace) == units{most});
  CHECK(workspace.solution().total.count() == limit * most);
  units const beyond{most + 1};
  CHECK(solved({{cells, 1, 1}, beyond, capacity}, workspace) == solve_status::too_large);
}

TEST_CASE("transport: a cost beyond the limit is refused wherever it stands") {
  std::int64_t const beyond = cost_traits<gpu_time>::limit + 1;
  units const counts{1, 1};
  transport_workspace<gpu_time> workspace(2, 2);
  auto const good = costs({1, 2, 3, 4});
  auto const bad = costs({1, 2, 3, -beyond});
  auto const left_out = costs({1, beyond});
  CHECK(solved({{bad, 2, 2}, counts, counts}, workspace) == solve_status::cost_out_of_range);
  CHECK(solved({{good, 2, 2}, counts, counts, left_out}, workspace) ==
        solve_status::cost_out_of_range);
}

TEST_CASE("transport: what does not fit the workspace is too large, and nothing grows") {
  auto const cells = costs({1, 2, 3, 4, 5, 6});
  units const two{1, 1};
  units const three{1, 1, 1};
  transport_workspace<gpu_time> workspace(2, 2);
  CHECK(solved({{cells, 2, 3}, two, three}, workspace) == solve_status::too_large);
  CHECK(solved({{cells, 3, 2}, three, two}, workspace) == solve_status::too_large);
  shipped({{cells, 2, 2}, two, two}, workspace);
  auto const* const before = workspace.solution().flow.data();
  shipped({{cells, 1, 2}, units{2}, two}, workspace);
  CHECK(workspace.solution().flow.data() == before);
  workspace.reserve(1, 3);  // never shrinks: two rows still fit
  CHECK(workspace.solution().flow.empty());
  CHECK(shipped({{cells, 2, 3}, two, three}, workspace).size() == 6);
}

TEST_CASE("transport: sizes that disagree and negative counts are malformed") {
  auto const cells = costs({1, 2, 3, 4});
  units const two{1, 1};
  units const one{1};
  units const negative{1, -1};
  auto const left_out = costs({1});
  transport_workspace<gpu_time> workspace(2, 2);
  CHECK(solved({{cells, 2, 2}, one, two}, workspace) == solve_status::malformed);
  CHECK(solved({{cells, 2, 2}, two, one}, workspace) == solve_status::malformed);
  CHECK(solved({{cells, 2, 2}, negative, two}, workspace) == solve_status::malformed);
  CHECK(solved({{cells, 2, 2}, two, negative}, workspace) == solve_status::malformed);
  CHECK(solved({{cells, 2, 2}, two, two, left_out}, workspace) == solve_status::malformed);
  CHECK(solved({{cells, 3, 2}, two, two}, workspace) == solve_status::malformed);
}

/// Two rows and three columns: row 0 reaches 0 and 1, row 1 reaches 1 and 2.
struct sparse {
  std::vector<transport_arc<gpu_time>> arcs{{0, ms(4)}, {1, ms(1)}, {1, ms(2)}, {2, ms(7)}};
  std::vector<transport_row> rows{{0, 2}, {2, 2}};
  units supply{2, 2};
  units capacity{5, 2, 5};
  std::vector<gpu_time> left_out{ms(90), ms(90)};
  transport_workspace<gpu_time> workspace{2, 3, 9};

  [[nodiscard]] transport_problem<gpu_time> problem() const {
    return {arcs, rows, supply, capacity, left_out};
  }
  [[nodiscard]] solve_status solve(solve_budget const& budget = {}) {
    return transport_matcher{}.solve(problem(), workspace, budget);
  }
  [[nodiscard]] solve_status resolve(std::vector<std::uint32_t> const& changed) {
    return transport_matcher{}.resolve(problem(), workspace, changed);
  }
  [[nodiscard]] units flow() const {
    auto const found = workspace.solution().flow;
    return {found.begin(), found.end()};
  }
};

TEST_CASE("transport: flow is told per arc, and gaps between rows carry nothing") {
  sparse made;
  REQUIRE(made.solve() == solve_status::optimal);
  CHECK(made.flow() == units{2, 0, 2, 0});
  CHECK(made.workspace.solution().bound == made.workspace.solution().total);
  made.arcs.insert(made.arcs.begin() + 2, {9, gpu_time::forbidden()});
  made.rows[1].first = 3;
  REQUIRE(made.solve() == solve_status::optimal);
  CHECK(made.flow() == units{2, 0, 0, 2, 0});
  CHECK(certify(made.problem(), made.workspace.solution()).holds());
}

TEST_CASE("transport: a row without arcs waits, or is infeasible") {
  sparse made;
  made.rows[1].count = 0;
  REQUIRE(made.solve() == solve_status::optimal);
  CHECK(made.workspace.solution().unmatched_units[1] == 2);
  CHECK(made.workspace.solution().row_price[1] == ms(90));
  made.left_out[1] = no;
  CHECK(made.solve() == solve_status::infeasible);
  made.supply[1] = 0;
  CHECK(made.solve() == solve_status::optimal);
}

TEST_CASE("transport: a column twice in a row is two ways to it") {
  sparse made;
  made.arcs[3] = {1, ms(3)};
  made.supply = {0, 3};
  REQUIRE(made.solve() == solve_status::optimal);
  CHECK(made.flow() == units{0, 0, 2, 0});
  CHECK(certify(made.problem(), made.workspace.solution()).holds());
}

TEST_CASE("transport: a column without capacity is priced so that nobody misses it") {
  sparse made;
  made.capacity = {5, 0, 5};
  REQUIRE(made.solve() == solve_status::optimal);
  CHECK(made.flow() == units{2, 0, 0, 2});
  CHECK(made.workspace.solution().column_price[1] == ms(5));  // what the dearer of the two saves
  CHECK(certify(made.problem(), made.workspace.solution()).holds());
}

TEST_CASE("transport: rows that overlap, lie outside or lead nowhere are malformed") {
  sparse overlapping;
  overlapping.rows[1].first = 1;
  CHECK(overlapping.solve() == solve_status::malformed);
  sparse outside;
  outside.rows[1].count = 3;
  CHECK(outside.solve() == solve_status::malformed);
  outside.rows[1] = {std::numeric_limits<std::uint32_t>::max(), 2};
  CHECK(outside.solve() == solve_status::malformed);
  outside.rows[1] = {5, 0};
  CHECK(outside.solve() == solve_status::malformed);
  sparse nowhere;
  nowhere.arcs[3].column = 3;
  CHECK(nowhere.solve() == solve_status::malformed);
  sparse wide;
  wide.rows = {{0, 4}, {4, 0}};
  CHECK(wide.solve() == solve_status::malformed);
  CHECK(wide.workspace.solution().flow.empty());
}

TEST_CASE("transport: an arc that is forbidden is no arc") {
  sparse made;
  made.arcs[3].cost = no;
  CHECK(made.solve() == solve_status::cost_out_of_range);
}

TEST_CASE("transport: write_arcs writes no forbidden cell, and nothing where room is missing") {
  auto cells = costs({1, 2, 3, 4});
  cells[2] = no;
  std::vector<transport_arc<gpu_time>> arcs(3);
  std::vector<transport_row> rows(2);
  cost_matrix_view<gpu_time> const matrix{cells, 2, 2};
  CHECK(write_arcs(matrix, std::span{arcs}, std::span{rows}).size() == 3);
  CHECK(rows[1].first == 2);
  CHECK(rows[1].count == 1);
  CHECK(arcs[2].column == 1);
  CHECK(arcs[2].cost == ms(4));
  CHECK(write_arcs(matrix, std::span{arcs}.first(2), std::span{rows}).empty());
  CHECK(write_arcs(matrix, std::span{arcs}, std::span{rows}.first(1)).empty());
}

TEST_CASE("transport: resolve goes on where rows, supplies and capacities have changed") {
  sparse made;
  CHECK(made.resolve({}) == solve_status::optimal);  // nothing to go on from: as solve()
  CHECK(made.flow() == units{2, 0, 2, 0});
  made.supply[1] = 1;
  CHECK(made.resolve({1}) == solve_status::optimal);
  CHECK(made.flow() == units{1, 1, 1, 0});
  made.capacity[1] = 0;
  CHECK(made.resolve({}) == solve_status::optimal);
  CHECK(made.flow() == units{2, 0, 0, 1});
  made.capacity[1] = 9;
  made.arcs[1].cost = ms(5);
  CHECK(made.resolve({0}) == solve_status::optimal);
  CHECK(made.flow() == units{2, 0, 1, 0});
  CHECK(certify(made.problem(), made.workspace.solution()).holds());
}

TEST_CASE(
    "transport: a refused or infeasible resolve leaves no answer, and the next one is right") {
  sparse made;
  REQUIRE(made.solve() == solve_status::optimal);
  CHECK(made.resolve({2}) == solve_status::malformed);
  CHECK(made.workspace.solution().flow.empty());
  CHECK(made.resolve({}) == solve_status::optimal);
  made.arcs[0].cost = ms(cost_traits<gpu_time>::limit + 1);
  CHECK(made.resolve({0}) == solve_status::cost_out_of_range);
  CHECK(made.workspace.solution().flow.empty());
  made.arcs[0].cost = ms(4);
  made.left_out = {no, no};
  made.capacity = {1, 1, 1};
  CHECK(made.resolve({0, 1}) == solve_status::infeasible);
  CHECK(made.workspace.solution().flow.empty());
  made.capacity = {1, 1, 2};
  CHECK(made.resolve({}) == solve_status::optimal);
  CHECK(made.flow() == units{1, 1, 0, 2});
}

TEST_CASE("transport: resolve of a problem of another size starts afresh") {
  sparse made;
  REQUIRE(made.solve() == solve_status::optimal);
  made.rows.pop_back();
  made.supply.pop_back();
  made.left_out.pop_back();
  CHECK(made.resolve({}) == solve_status::optimal);
  CHECK(made.flow() == units{0, 2, 0, 0});
}

/// Every row likes the columns in the same order, so that the first choice of most is wrong.
struct contended {
  explicit contended(std::uint32_t size)
      : ones(size, 1), left_out(size, ms(100'000)), workspace{size, size} {
    for (std::uint32_t row = 0; row < size; ++row) {
      rows.push_back({row * size, size});
      for (std::uint32_t column = 0; column < size; ++column) {
        arcs.push_back({column, ms((row + 1) * (column + 1))});
      }
    }
  }
  std::vector<transport_arc<gpu_time>> arcs;
  std::vector<transport_row> rows;
  units ones;
  std::vector<gpu_time> left_out;
  transport_workspace<gpu_time> workspace;
  [[nodiscard]] transport_problem<gpu_time> problem() const {
    return {arcs, rows, ones, ones, left_out};
  }
};

TEST_CASE("transport: a budget of no pivots gives the first feasible answer with a proved bound") {
  contended made{12};
  REQUIRE(transport_matcher{}.solve(made.problem(), made.workspace) == solve_status::optimal);
  gpu_time const least = made.workspace.solution().total;
  CHECK(least == ms(364));  // the largest row takes the cheapest column: sum of i (13 - i)
  solve_budget budget;
  budget.steps = 0;
  REQUIRE(transport_matcher{}.solve(made.problem(), made.workspace, budget) ==
          solve_status::feasible);
  CHECK(made.workspace.solution().total == ms(650));  // the greedy's: sum of i²
  CHECK(made.workspace.solution().bound <= least);
  CHECK(certify_bound(made.problem(), made.workspace.solution()).holds());
  CHECK(transport_matcher{}.resolve(made.problem(), made.workspace, {}) == solve_status::optimal);
  CHECK(made.workspace.solution().total == least);
}

TEST_CASE("transport: a caller's own limit is asked and ends the work") {
  contended made{80};
  int asked = 0;
  struct stop {
    int& asked;
    static bool now(void const* context) noexcept {
      ++static_cast<stop const*>(context)->asked;
      return true;
    }
  } const limit{asked};
  solve_budget budget;
  budget.expired = stop::now;
  budget.context = &limit;
  CHECK(transport_matcher{}.solve(made.problem(), made.workspace, budget) ==
        solve_status::feasible);
  CHECK(certify_bound(made.problem(), made.workspace.solution()).holds());
  CHECK(asked == 1);
}

TEST_CASE("transport: rows that must ship do, however small the budget") {
  contended made{12};
  made.left_out.assign(12, no);
  solve_budget budget;
  budget.steps = 0;
  REQUIRE(has_solution(transport_matcher{}.solve(made.problem(), made.workspace, budget)));
  CHECK(std::ranges::all_of(made.workspace.solution().unmatched_units,
                            [](std::int32_t left) { return left == 0; }));
}

static_assert(noexcept(transport_matcher{}.solve(std::declval<transport_problem<gpu_time> const&>(),
                                                 std::declval<transport_workspace<gpu_time>&>())));
static_assert(noexcept(transport_matcher{}.resolve(
    std::declval<transport_problem<gpu_time> const&>(),
    std::declval<transport_workspace<gpu_time>&>(), std::span<std::uint32_t const>{})));
static_assert(sizeof(transport_arc<integer_cost>) == 8);
static_assert(tick_matcher<transport_matcher, transport_problem<gpu_time>>);
static_assert(tick_matcher<transport_matcher, transport_problem<integer_cost>>);
static_assert(tick_matcher<transport_matcher, transport_problem<rank_cost>>);

}  // namespace

}  // namespace transport_test
