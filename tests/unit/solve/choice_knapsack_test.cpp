// SPDX-License-Identifier: BSL-1.0
// The multiple-choice knapsack on ladders that can be checked by hand: both ways, the ties, and
// what is refused.
#include <berth/core/cost.hpp>
#include <berth/solve/choice_knapsack.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matcher.hpp>

#include <tests/support/costs.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace choice_knapsack_test {

namespace {

using namespace berth;
using tests::ms;

using ladder = std::vector<choice_option<gpu_time>>;
using indexes = std::vector<std::uint32_t>;

static_assert(tick_matcher<choice_knapsack, choice_problem<gpu_time>>);
static_assert(tick_matcher<choice_knapsack, choice_problem<integer_cost>>);
static_assert(tick_matcher<choice_knapsack, choice_problem<rank_cost>>);

/// Ladders of items, with a workspace for eight of them and a capacity of 32.
struct ladders {
  explicit ladders(std::vector<ladder> const& of_items) {
    for (ladder const& item : of_items) {
      options.insert(options.end(), item.begin(), item.end());
      counts.push_back(static_cast<std::uint32_t>(item.size()));
    }
  }
  [[nodiscard]] choice_problem<gpu_time> within(std::int32_t capacity) const {
    return {options, counts, capacity};
  }
  solve_status solve(std::int32_t capacity) {
    return choice_knapsack{}.solve(within(capacity), workspace);
  }
  [[nodiscard]] indexes chosen() const {
    auto const solution = workspace.solution();
    return {solution.chosen.begin(), solution.chosen.end()};
  }

  std::vector<choice_option<gpu_time>> options;
  std::vector<std::uint32_t> counts;
  choice_workspace<gpu_time> workspace{8, 32};
};

TEST_CASE("choice_knapsack: takes the largest gains of concave ladders") {
  ladders jobs({{{0, ms(0)}, {1, ms(10)}, {2, ms(14)}, {3, ms(16)}},
                {{0, ms(0)}, {1, ms(8)}, {2, ms(14)}, {3, ms(19)}}});
  REQUIRE(jobs.solve(4) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{1, 3});  // 10 + 19; 2 and 2 would be 14 + 14
  CHECK(jobs.workspace.solution().total == ms(29));
  CHECK(jobs.workspace.solution().bound == ms(29));
  CHECK(jobs.workspace.solution().size == 4);
}

TEST_CASE("choice_knapsack: climbs over a step that gains nothing to one that does") {
  ladders jobs({{{0, ms(0)}, {1, ms(0)}, {4, ms(90)}}, {{0, ms(0)}, {1, ms(20)}, {2, ms(39)}}});
  REQUIRE(jobs.solve(4) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{2, 0});
  REQUIRE(jobs.solve(3) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{0, 2});
  CHECK(jobs.workspace.solution().size == 2);
}

TEST_CASE("choice_knapsack: where the last step does not fit, a smaller one elsewhere does") {
  // By gain per unit the first item would climb to 3 and block the second, whose 2 + 2 is more.
  ladders jobs({{{0, ms(0)}, {3, ms(31)}}, {{0, ms(0)}, {2, ms(20)}, {4, ms(40)}}});
  REQUIRE(jobs.solve(4) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{0, 2});
}

TEST_CASE("choice_knapsack: ties go to the least size, then to the item listed first") {
  ladders equal({{{0, ms(0)}, {1, ms(5)}, {2, ms(10)}}, {{0, ms(0)}, {1, ms(5)}, {2, ms(10)}}});
  for (bool const by_table : {false, true}) {
    CAPTURE(by_table);
    REQUIRE((by_table ? choice_knapsack{}.solve_by_table(equal.within(3), equal.workspace)
                      : equal.solve(3)) == solve_status::optimal);
    CHECK(equal.chosen() == indexes{2, 1});
  }
  ladders idle({{{0, ms(0)}, {1, ms(5)}, {2, ms(5)}}});
  for (bool const by_table : {false, true}) {
    CAPTURE(by_table);
    REQUIRE((by_table ? choice_knapsack{}.solve_by_table(idle.within(9), idle.workspace)
                      : idle.solve(9)) == solve_status::optimal);
    CHECK(idle.workspace.solution().size == 1);
  }
}

TEST_CASE("choice_knapsack: items keep their minimum, at a loss if need be") {
  ladders jobs({{{2, ms(-7)}, {3, ms(-3)}}, {{1, ms(4)}, {2, ms(6)}}});
  REQUIRE(jobs.solve(3) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{0, 0});
  CHECK(jobs.workspace.solution().total == ms(-3));
  REQUIRE(jobs.solve(4) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{1, 0});
  CHECK(jobs.solve(2) == solve_status::infeasible);
  CHECK(jobs.workspace.solution().chosen.empty());
}

TEST_CASE("choice_knapsack: a forbidden option is never chosen") {
  ladders jobs({{{0, ms(0)}, {1, gpu_time::forbidden()}, {2, ms(3)}}});
  REQUIRE(jobs.solve(1) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{0});
  REQUIRE(jobs.solve(2) == solve_status::optimal);
  CHECK(jobs.chosen() == indexes{2});
  ladders none({{{0, gpu_time::forbidden()}}});
  CHECK(none.solve(2) == solve_status::infeasible);
}

TEST_CASE("choice_knapsack: no items, no capacity and an item without options") {
  CHECK(ladders({}).solve(0) == solve_status::optimal);
  ladders jobs({{{0, ms(1)}, {1, ms(9)}}});
  REQUIRE(jobs.solve(0) == solve_status::optimal);
  CHECK(jobs.workspace.solution().total == ms(1));
  ladders nothing({{{0, ms(1)}}, {}});
  CHECK(nothing.solve(4) == solve_status::infeasible);
  CHECK(choice_knapsack{}.solve_by_table(nothing.within(4), nothing.workspace) ==
        solve_status::infeasible);
}

TEST_CASE("choice_knapsack: bad sizes, values and counts are refused by name, with no answer") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  auto const status = [](std::vector<ladder> const& items, std::int32_t capacity) {
    ladders jobs(items);
    auto const answer = jobs.solve(capacity);
    CHECK(jobs.workspace.solution().chosen.empty());
    return answer;
  };
  CHECK(status({{{-1, ms(0)}}}, 4) == solve_status::malformed);
  CHECK(status({{{1, ms(0)}, {1, ms(1)}}}, 4) == solve_status::malformed);
  CHECK(status({{{2, ms(0)}, {1, ms(1)}}}, 4) == solve_status::malformed);
  CHECK(status({{{1, ms(0)}}}, -1) == solve_status::malformed);
  CHECK(status({{{0, ms(limit + 1)}}}, 4) == solve_status::cost_out_of_range);
  CHECK(status({{{0, ms(-limit - 1)}}}, 4) == solve_status::cost_out_of_range);
  CHECK(status(std::vector<ladder>(9, ladder{{0, ms(0)}}), 4) == solve_status::too_large);
  CHECK(status({{{0, ms(0)}, {1, ms(1)}, {2, ms(9)}}}, 33) == solve_status::too_large);
  ladders short_of_one({{{0, ms(0)}, {1, ms(1)}}});
  short_of_one.options.pop_back();
  REQUIRE(short_of_one.solve(4) == solve_status::malformed);
  ladders solved({{{0, ms(0)}, {1, ms(1)}}});
  REQUIRE(solved.solve(4) == solve_status::optimal);
  REQUIRE(solved.solve(-1) == solve_status::malformed);
  CHECK(solved.workspace.solution().chosen.empty());
}

TEST_CASE("choice_knapsack: concave ladders need no table and know no largest capacity") {
  ladders jobs({{{0, ms(0)}, {1, ms(2)}}, {{0, ms(0)}, {1, ms(1)}}});
  choice_workspace<gpu_time> workspace;
  workspace.reserve_concave(2);
  std::int32_t const most = std::numeric_limits<std::int32_t>::max();
  REQUIRE(choice_knapsack{}.solve(jobs.within(most), workspace) == solve_status::optimal);
  CHECK(workspace.solution().total == ms(3));
  CHECK(choice_knapsack{}.solve_by_table(jobs.within(4), workspace) == solve_status::too_large);
  workspace.reserve(2, 4);
  workspace.reserve_concave(2);
  CHECK(choice_knapsack{}.solve_by_table(jobs.within(4), workspace) == solve_status::optimal);
}

TEST_CASE("choice_knapsack: values at the limit add up exactly") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  ladders jobs(std::vector<ladder>(8, ladder{{0, ms(-limit)}, {1, ms(limit)}, {3, ms(limit)}}));
  REQUIRE(jobs.solve(8) == solve_status::optimal);
  CHECK(jobs.workspace.solution().total == ms(8 * limit));
  REQUIRE(jobs.solve(0) == solve_status::optimal);
  CHECK(jobs.workspace.solution().total == ms(-8 * limit));
}

TEST_CASE("choice_knapsack: rank goes before any amount of time") {
  std::int64_t const limit = cost_traits<rank_cost>::limit;
  std::vector<choice_option<rank_cost>> const options{
      {0, {0, ms(0)}}, {1, {1, ms(-limit)}}, {0, {0, ms(0)}}, {1, {0, ms(limit)}}};
  std::vector<std::uint32_t> const counts{2, 2};
  choice_workspace<rank_cost> workspace(2, 1);
  choice_problem<rank_cost> const problem{options, counts, 1};
  REQUIRE(choice_knapsack{}.solve(problem, workspace) == solve_status::optimal);
  CHECK(workspace.solution().chosen[0] == 1);
  REQUIRE(choice_knapsack{}.solve_by_table(problem, workspace) == solve_status::optimal);
  CHECK(workspace.solution().chosen[0] == 1);
}

}  // namespace

}  // namespace choice_knapsack_test
