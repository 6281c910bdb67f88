// SPDX-License-Identifier: BSL-1.0
// The positional solver on small cases that can be checked by hand: ties, guards, edges, rows that
// come and go.
#include <berth/core/cost.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matcher.hpp>
#include <berth/solve/positional.hpp>
#include <berth/solve/positional_certificate.hpp>

#include <tests/support/costs.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace positional_test {

namespace {

using namespace berth;
using tests::costs;
using tests::ms;
using tests::no;

using places = std::vector<std::int32_t>;
using indices = std::vector<std::uint32_t>;

template <class Cost>
indices certified(positional_problem<Cost> const& problem,
                  positional_workspace<Cost> const& workspace) {
  positional_solution<Cost> const solution = workspace.solution();
  certificate const proof = certify(problem, solution);
  REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
  return {solution.column_of_row.begin(), solution.column_of_row.end()};
}

/// Solves and returns who goes where; every optimum is certified on the way.
template <class Cost>
indices matched(positional_problem<Cost> const& problem, positional_workspace<Cost>& workspace) {
  REQUIRE(positional_matcher{}.solve(problem, workspace) == solve_status::optimal);
  return certified(problem, workspace);
}
template <class Cost>
indices rematched(positional_problem<Cost> const& problem, positional_workspace<Cost>& workspace,
                  indices const& changed) {
  REQUIRE(positional_matcher{}.resolve(problem, workspace, changed) == solve_status::optimal);
  return certified(problem, workspace);
}

TEST_CASE("positional: the shortest job goes last, as on one machine") {
  // One machine, three positions: a job of length p that is k-th from the end delays k jobs.
  auto const cells = costs({5, 10, 15, 1, 2, 3, 3, 6, 9});
  places const capacity{1, 1, 1};
  positional_workspace<gpu_time> workspace(3, 3);
  CHECK(matched({{cells, 3, 3}, capacity}, workspace) == indices{0, 2, 1});
  CHECK(workspace.solution().total == ms(5 + 3 + 6));
  CHECK(workspace.solution().bound == workspace.solution().total);
}

TEST_CASE("positional: a column takes as many rows as its capacity, and its price says so") {
  auto const cells = costs({1, 9, 1, 8, 1, 7});
  places const capacity{2, 5};
  positional_workspace<gpu_time> workspace(3, 2);
  positional_problem<gpu_time> const problem{{cells, 3, 2}, capacity};
  CHECK(matched(problem, workspace) == indices{0, 0, 1});
  CHECK(workspace.solution().rows_in_column[0] == 2);
  CHECK(workspace.solution().column_price[0] == ms(6));  // one more place there saves 7 - 1
  CHECK(workspace.solution().column_price[1] == ms(0));
  CHECK(row_price(problem, workspace.solution(), 1) == 7);
}

TEST_CASE("positional: who loses least by waiting waits") {
  auto const cells = costs({5, 5, 5});
  auto const left_out = costs({7, 20, 9});
  places const capacity{1};
  positional_workspace<gpu_time> workspace(3, 1);
  CHECK(matched({{cells, 3, 1}, capacity, left_out}, workspace) ==
        indices{unmatched, 0, unmatched});
  CHECK(workspace.solution().total == ms(7 + 5 + 9));
  CHECK(workspace.solution().column_price[0] == ms(4));
}

TEST_CASE("positional: of equal columns the lowest with room, and a column before being left out") {
  std::vector<gpu_time> const cells(6, ms(8));
  auto const left_out = costs({8, 8});
  places const capacity{1, 0, 1};
  positional_workspace<gpu_time> workspace(2, 3);
  CHECK(matched({{cells, 2, 3}, capacity, left_out}, workspace) == indices{0, 2});
}

TEST_CASE("positional: a row leaves, and its place goes to whoever gains most by it") {
  auto const cells = costs({1, 9, 1, 5, 1, 7});
  places const capacity{1, 3};
  std::vector<std::uint8_t> present{1, 1, 1};
  positional_workspace<gpu_time> workspace(3, 2);
  positional_problem<gpu_time> const problem{{cells, 3, 2}, capacity, {}, present};
  CHECK(matched(problem, workspace) == indices{0, 1, 1});
  present[0] = 0;
  CHECK(rematched(problem, workspace, {0}) == indices{unmatched, 1, 0});
  CHECK(workspace.solution().total == ms(6));
  present[0] = 1;
  CHECK(rematched(problem, workspace, {0}) == indices{0, 1, 1});
  CHECK(workspace.solution().total == ms(13));
}

TEST_CASE("positional: the last row in a column leaves, and the price goes with it") {
  auto const cells = costs({1, 4, 1, 4});
  places const capacity{1, 1};
  std::vector<std::uint8_t> present{1, 1};
  positional_workspace<gpu_time> workspace(2, 2);
  positional_problem<gpu_time> const problem{{cells, 2, 2}, capacity, {}, present};
  matched(problem, workspace);
  CHECK(workspace.solution().column_price[0] == ms(3));
  present = {0, 0};
  CHECK(rematched(problem, workspace, {0, 1}) == indices{unmatched, unmatched});
  CHECK(workspace.solution().column_price[0] == ms(0));
  CHECK(workspace.solution().total == ms(0));
}

TEST_CASE(
    "positional: changed costs and capacities are enough for a warm solve, listed twice or not") {
  auto cells = costs({1, 9, 2, 5});
  places capacity{1, 1};
  positional_workspace<gpu_time> workspace(2, 2);
  positional_problem<gpu_time> const problem{{cells, 2, 2}, capacity};
  CHECK(matched(problem, workspace) == indices{0, 1});
  cells[0] = ms(8);
  CHECK(rematched(problem, workspace, {0, 0}) == indices{1, 0});
  capacity = {2, 0};
  CHECK(rematched(problem, workspace, {}) == indices{0, 0});
  CHECK(workspace.solution().total == ms(10));
  capacity = {0, 2};
  CHECK(rematched(problem, workspace, {}) == indices{1, 1});
}

TEST_CASE("positional: a warm solve without an answer to start from is a cold one") {
  auto const cells = costs({1, 9, 2, 5});
  places const capacity{1, 1};
  positional_workspace<gpu_time> workspace(2, 2);
  CHECK(rematched({{cells, 2, 2}, capacity}, workspace, {}) == indices{0, 1});
  CHECK(rematched({{cells, 1, 2}, capacity}, workspace, {0}) == indices{0});  // another size
  workspace.reserve(2, 2);
  CHECK(workspace.solution().column_of_row.empty());
  CHECK(rematched({{cells, 2, 2}, capacity}, workspace, {1}) == indices{0, 1});
}

TEST_CASE(
    "positional: too little capacity is infeasible if nobody may stay, and solvable again after") {
  auto const cells = costs({5, 5, 5});
  places capacity{2};
  std::vector<std::uint8_t> present{1, 1, 0};
  positional_workspace<gpu_time> workspace(3, 1);
  positional_problem<gpu_time> const problem{{cells, 3, 1}, capacity, {}, present};
  matched(problem, workspace);
  present[2] = 1;
  CHECK(positional_matcher{}.resolve(problem, workspace, indices{2}) == solve_status::infeasible);
  CHECK(workspace.solution().column_of_row.empty());
  CHECK(positional_matcher{}.solve(problem, workspace) == solve_status::infeasible);
  capacity[0] = 3;
  CHECK(rematched(problem, workspace, {}) == indices{0, 0, 0});
}

TEST_CASE("positional: forbidden cells carry nothing") {
  std::vector<gpu_time> const cells{no, ms(9), ms(1), ms(5), no, no};
  places const capacity{2, 1};
  std::vector<gpu_time> const left_out{no, no, ms(3)};
  positional_workspace<gpu_time> workspace(3, 2);
  CHECK(matched({{cells, 3, 2}, capacity, left_out}, workspace) == indices{1, 0, unmatched});
  CHECK(positional_matcher{}.solve({{cells, 3, 2}, capacity}, workspace) ==
        solve_status::infeasible);
}

TEST_CASE("positional: no rows, no columns and no capacity are solved, not refused") {
  positional_workspace<gpu_time> workspace(2, 2);
  auto const cells = costs({1, 2, 3, 4});
  auto const left_out = costs({3, 4});
  CHECK(matched({{{}, 0, 2}, places{1, 2}}, workspace).empty());
  CHECK(matched<gpu_time>({{{}, 2, 0}, {}, left_out}, workspace) == indices{unmatched, unmatched});
  CHECK(workspace.solution().total == ms(7));
  CHECK(matched({{cells, 2, 2}, places{0, 0}, left_out}, workspace) ==
        indices{unmatched, unmatched});
  positional_workspace<gpu_time> nothing;
  CHECK(matched({}, nothing).empty());
}

TEST_CASE("positional: rank goes before any amount of time, and integers may be negative") {
  std::int64_t const limit = cost_traits<rank_cost>::limit;
  std::vector<rank_cost> const cells{{1, ms(-limit)}, {0, ms(limit)}};
  positional_workspace<rank_cost> ranked(1, 2);
  CHECK(matched<rank_cost>({{cells, 1, 2}, places{1, 1}}, ranked) == indices{1});
  std::vector<integer_cost> const numbers{integer_cost{-5}, integer_cost{-9}, integer_cost{-4},
                                          integer_cost{-9}};
  positional_workspace<integer_cost> plain(2, 2);
  CHECK(matched<integer_cost>({{numbers, 2, 2}, places{2, 1}}, plain) == indices{0, 1});
  CHECK(plain.solution().total == -14);
}

TEST_CASE(
    "positional: the highest costs add up exactly, one beyond is refused wherever it stands") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  std::size_t const rows = 3000;
  std::vector<gpu_time> cells(rows * 2, ms(limit));
  places const capacity{2000, 1000};
  positional_workspace<gpu_time> workspace(rows, 2);
  positional_problem<gpu_time> const problem{{cells, rows, 2}, capacity};
  matched(problem, workspace);
  CHECK(workspace.solution().total.count() == limit * static_cast<std::int64_t>(rows));
  cells[5999] = ms(-limit - 1);
  CHECK(positional_matcher{}.resolve(problem, workspace, indices{2999}) ==
        solve_status::cost_out_of_range);
  CHECK(workspace.solution().column_of_row.empty());
  CHECK(positional_matcher{}.resolve(problem, workspace, indices{2999}) ==
        solve_status::cost_out_of_range);
  std::vector<gpu_time> const left_out(rows, ms(limit + 1));
  CHECK(positional_matcher{}.solve({{cells, rows, 2}, capacity, left_out}, workspace) ==
        solve_status::cost_out_of_range);
}

TEST_CASE("positional: what does not fit the workspace is too large, and nothing grows") {
  auto const cells = costs({1, 2, 3, 4, 5, 6});
  positional_workspace<gpu_time> workspace(2, 2);
  positional_matcher const matcher;
  CHECK(matcher.solve({{cells, 2, 3}, places{1, 1, 1}}, workspace) == solve_status::too_large);
  CHECK(matcher.solve({{cells, 3, 2}, places{2, 2}}, workspace) == solve_status::too_large);
  workspace.reserve(1, 3);  // never shrinks: two rows still fit
  CHECK(matched({{cells, 2, 3}, places{1, 1, 1}}, workspace).size() == 2);
}

TEST_CASE(
    "positional: sizes that disagree, negative capacities and rows out of bounds are malformed") {
  auto const cells = costs({1, 2, 3, 4});
  places const two{1, 1};
  places const one{1};
  places const negative{1, -1};
  auto const left_out = costs({1});
  std::vector<std::uint8_t> const present{1};
  positional_workspace<gpu_time> workspace(2, 2);
  positional_matcher const matcher;
  CHECK(matcher.solve({{cells, 2, 2}, one}, workspace) == solve_status::malformed);
  CHECK(matcher.solve({{cells, 2, 2}, negative}, workspace) == solve_status::malformed);
  CHECK(matcher.solve({{cells, 2, 2}, two, left_out}, workspace) == solve_status::malformed);
  CHECK(matcher.solve({{cells, 2, 2}, two, {}, present}, workspace) == solve_status::malformed);
  CHECK(matcher.solve({{cells, 3, 2}, two}, workspace) == solve_status::malformed);
  matched({{cells, 2, 2}, two}, workspace);
  CHECK(matcher.resolve({{cells, 2, 2}, two}, workspace, indices{2}) == solve_status::malformed);
  CHECK(workspace.solution().column_of_row.empty());
  CHECK(matcher.resolve({{cells, 2, 2}, negative}, workspace, {}) == solve_status::malformed);
}

TEST_CASE("positional: a budget of nothing still places everybody, with a gap that is true") {
  auto const cells = costs({1, 9, 2, 5, 2, 6});
  places const capacity{1, 2};
  positional_workspace<gpu_time> workspace(3, 2);
  positional_problem<gpu_time> const problem{{cells, 3, 2}, capacity};
  matched(problem, workspace);
  gpu_time const optimum = workspace.solution().total;
  REQUIRE(positional_matcher{}.solve(problem, workspace, {.steps = 0}) == solve_status::feasible);
  CHECK(workspace.solution().bound <= optimum);
  CHECK(optimum <= workspace.solution().total);
  CHECK(workspace.solution().rows_in_column[0] == 1);
  CHECK_FALSE(certify(problem, workspace.solution()).holds());
  CHECK(rematched(problem, workspace, {}).size() == 3);
}

TEST_CASE("positional: whoever asks the time can end the solve") {
  auto const cells = costs({1, 9, 2, 5, 2, 6});
  places const capacity{1, 2};
  positional_workspace<gpu_time> workspace(3, 2);
  solve_budget budget;
  int asked = 0;
  budget.expired = [](void const* context) noexcept {
    ++*const_cast<int*>(static_cast<int const*>(context));
    return true;
  };
  budget.context = &asked;
  CHECK(positional_matcher{}.solve({{cells, 3, 2}, capacity}, workspace, budget) ==
        solve_status::feasible);
  CHECK(asked == 1);
}

TEST_CASE("positional: the certificate refuses what is not optimal") {
  auto const cells = costs({1, 9, 2, 5});
  places const capacity{1, 1};
  positional_problem<gpu_time> const problem{{cells, 2, 2}, capacity};
  indices column_of_row{0, 1};
  places rows_in_column{1, 1};
  auto price = costs({0, 0});
  auto const defect = [&](std::int64_t total) {
    return certify(problem, {column_of_row, rows_in_column, price, ms(total), ms(total)}).defect;
  };
  CHECK(defect(6) == certificate_defect::slackness);  // row 1 would rather have column 0
  price[0] = ms(3);
  CHECK(defect(6) == certificate_defect::none);
  CHECK(defect(7) == certificate_defect::total);
  price[0] = ms(-3);
  CHECK(defect(6) == certificate_defect::column_price_negative);
  price[0] = no;
  CHECK(defect(6) == certificate_defect::price_range);
  price[0] = ms(3);
  column_of_row = {0, unmatched};
  CHECK(defect(1) == certificate_defect::conservation);
  rows_in_column = {1, 0};
  CHECK(defect(1) == certificate_defect::forbidden_used);  // nobody may stay
  column_of_row = {0, 0};
  rows_in_column = {2, 0};
  CHECK(defect(3) == certificate_defect::capacity);
  column_of_row = {0, 2};
  rows_in_column = {1, 0};
  CHECK(defect(1) == certificate_defect::matching);
  column_of_row = {0};
  CHECK(defect(1) == certificate_defect::shape);
}

static_assert(tick_matcher<positional_matcher, positional_problem<gpu_time>>);
static_assert(tick_matcher<positional_matcher, positional_problem<rank_cost>>);
static_assert(tick_matcher<positional_matcher, positional_problem<integer_cost>>);
static_assert(noexcept(positional_matcher{}.resolve(
    std::declval<positional_problem<gpu_time> const&>(),
    std::declval<positional_workspace<gpu_time>&>(), std::span<std::uint32_t const>{})));

}  // namespace

}  // namespace positional_test
