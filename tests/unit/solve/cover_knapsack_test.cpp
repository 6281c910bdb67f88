// SPDX-License-Identifier: BSL-1.0
// Both cover solvers on small cases that can be checked by hand.
#include <berth/core/cost.hpp>
#include <berth/solve/cover_greedy.hpp>
#include <berth/solve/cover_knapsack.hpp>

#include <tests/support/costs.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace cover_knapsack_test {

namespace {

using namespace berth;
using tests::ms;

using items = std::vector<cover_item<gpu_time>>;
using indexes = std::vector<std::uint32_t>;

template <class Solver>
indexes chosen(items const& from, std::int32_t need, cover_workspace<gpu_time>& workspace) {
  REQUIRE(has_solution(Solver{}.solve({from, need}, workspace)));
  cover_solution<gpu_time> const solution = workspace.solution();
  return {solution.chosen.begin(), solution.chosen.end()};
}

TEST_CASE_TEMPLATE("cover: the case on which a plain prefix pays 8 is solved for 1.5", Solver,
                   cover_knapsack, cover_greedy) {
  items const three{{9, ms(0)}, {8, ms(80)}, {1, ms(15)}};  // tenths
  cover_workspace<gpu_time> workspace(3, 10);
  CHECK(chosen<Solver>(three, 10, workspace) == indexes{0, 2});
  CHECK(workspace.solution().total == ms(15));
  CHECK(workspace.solution().size == 10);
}

TEST_CASE_TEMPLATE("cover: among equals the later-listed item yields", Solver, cover_knapsack,
                   cover_greedy) {
  items const four{{2, ms(5)}, {2, ms(5)}, {2, ms(5)}, {2, ms(5)}};
  cover_workspace<gpu_time> workspace(4, 4);
  CHECK(chosen<Solver>(four, 2, workspace) == indexes{3});
  CHECK(chosen<Solver>(four, 4, workspace) == indexes{2, 3});
  CHECK(chosen<Solver>(four, 3, workspace) == indexes{2, 3});
}

TEST_CASE("cover_knapsack: at equal cost fewer items yield, wherever they are listed") {
  items const three{{4, ms(6)}, {2, ms(3)}, {2, ms(3)}};
  cover_workspace<gpu_time> workspace(3, 4);
  CHECK(chosen<cover_knapsack>(three, 4, workspace) == indexes{0});
}

TEST_CASE_TEMPLATE("cover: an item that costs nothing is not taken for nothing", Solver,
                   cover_knapsack, cover_greedy) {
  items const three{{1, ms(0)}, {4, ms(0)}, {1, ms(0)}};
  cover_workspace<gpu_time> workspace(3, 4);
  CHECK(chosen<Solver>(three, 4, workspace) == indexes{1});
}

TEST_CASE_TEMPLATE("cover: one item larger than the need is enough", Solver, cover_knapsack,
                   cover_greedy) {
  items const two{{3, ms(9)}, {100, ms(10)}};
  cover_workspace<gpu_time> workspace(2, 4);
  CHECK(chosen<Solver>(two, 4, workspace) == indexes{1});
  CHECK(workspace.solution().size == 100);
}

TEST_CASE_TEMPLATE("cover: a forbidden item never yields", Solver, cover_knapsack, cover_greedy) {
  items const two{{4, gpu_time::forbidden()}, {4, ms(1'000'000)}};
  cover_workspace<gpu_time> workspace(2, 8);
  CHECK(chosen<Solver>(two, 4, workspace) == indexes{1});
  CHECK(Solver{}.solve({two, 5}, workspace) == solve_status::infeasible);
  CHECK(workspace.solution().chosen.empty());
}

TEST_CASE_TEMPLATE("cover: nothing needed is covered by nothing", Solver, cover_knapsack,
                   cover_greedy) {
  items const one{{4, ms(0)}};
  cover_workspace<gpu_time> workspace(1, 4);
  for (std::int32_t const need : {0, -3}) {
    CHECK(Solver{}.solve({one, need}, workspace) == solve_status::optimal);
    CHECK(workspace.solution().chosen.empty());
  }
  CHECK(Solver{}.solve({{}, 1}, workspace) == solve_status::infeasible);
}

TEST_CASE_TEMPLATE("cover: rank goes before any amount of time", Solver, cover_knapsack,
                   cover_greedy) {
  std::int64_t const limit = cost_traits<rank_cost>::limit;
  std::vector<cover_item<rank_cost>> const two{{4, {1, ms(0)}}, {4, {0, ms(limit)}}};
  cover_workspace<rank_cost> workspace(2, 4);
  REQUIRE(has_solution(Solver{}.template solve<rank_cost>({two, 4}, workspace)));
  REQUIRE(workspace.solution().chosen.size() == 1);
  CHECK(workspace.solution().chosen[0] == 1);
}

TEST_CASE_TEMPLATE("cover: bad sizes, costs and needs are refused by name", Solver, cover_knapsack,
                   cover_greedy) {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  cover_workspace<gpu_time> workspace(2, 4);
  auto const status = [&](items const& from, std::int32_t need) {
    return Solver{}.solve({from, need}, workspace);
  };
  CHECK(status({{0, ms(1)}}, 1) == solve_status::malformed);
  CHECK(status({{1, ms(-1)}}, 1) == solve_status::malformed);
  CHECK(status({{1, ms(limit + 1)}}, 1) == solve_status::cost_out_of_range);
  CHECK(status({{1, ms(limit)}}, 1) != solve_status::cost_out_of_range);
  CHECK(status({{5, ms(1)}}, 5) == solve_status::too_large);
  CHECK(status({{1, ms(1)}, {1, ms(1)}, {1, ms(1)}}, 1) == solve_status::too_large);
  CHECK(workspace.solution().chosen.empty());
  workspace.reserve(3, 5);
  CHECK(has_solution(status({{5, ms(1)}}, 5)));
}

template <class Solver>
constexpr bool never_throws = noexcept(Solver{}.solve(
    std::declval<cover_problem<gpu_time> const&>(), std::declval<cover_workspace<gpu_time>&>()));
static_assert(never_throws<cover_knapsack> && never_throws<cover_greedy>);

}  // namespace

}  // namespace cover_knapsack_test
