// SPDX-License-Identifier: BSL-1.0
// The flow of tasks through a tree, on networks small enough to check by hand; what is refused; and
// what a budget leaves.
#include <berth/core/cost.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matcher.hpp>
#include <berth/solve/task_flow.hpp>
#include <berth/solve/task_flow_certificate.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace task_flow_test {

namespace {

using namespace berth;

using place = task_flow_place<integer_cost>;
using way = task_flow_way<integer_cost>;
using indexes = std::vector<std::uint32_t>;

static_assert(tick_matcher<task_flow_matcher, task_flow_problem<integer_cost>>);
static_assert(tick_matcher<task_flow_matcher, task_flow_problem<gpu_time>>);
static_assert(tick_matcher<task_flow_matcher, task_flow_problem<rank_cost>>);

integer_cost units(std::int32_t value) {
  return integer_cost{value};
}
integer_cost forbidden() {
  return integer_cost::forbidden();
}

/// Machines 0, 1 in rack 4; machines 2, 3 in rack 5; both under cluster 6. Two ways a task.
struct small_network {
  std::vector<place> places{{4, 1, {}}, {4, 1, {}}, {5, 1, {}},       {5, 1, {}},
                            {6, 0, {}}, {6, 0, {}}, {no_place, 0, {}}};
  std::vector<way> ways;
  std::vector<integer_cost> out;
  task_flow_workspace<integer_cost> workspace{8, 7, 2};

  void add(way first, way second, integer_cost unscheduled) {
    ways.push_back(first);
    ways.push_back(second);
    out.push_back(unscheduled);
  }
  [[nodiscard]] task_flow_problem<integer_cost> problem() const { return {places, ways, 2, out}; }
  solve_status solve(solve_budget const& budget = {}) {
    return task_flow_matcher{}.solve(problem(), workspace, budget);
  }
  solve_status resolve(indexes const& changed, solve_budget const& budget = {}) {
    return task_flow_matcher{}.resolve(problem(), workspace, changed, budget);
  }
  [[nodiscard]] indexes machines() const {
    auto const solution = workspace.solution();
    return {solution.machine.begin(), solution.machine.end()};
  }
  [[nodiscard]] std::int64_t total() const { return workspace.solution().total; }
  [[nodiscard]] std::int64_t price(std::size_t at) const { return workspace.solution().price[at]; }
  [[nodiscard]] bool is_proved() const { return certify(problem(), workspace.solution()).holds(); }
};

TEST_CASE("task_flow: every task takes its cheapest way while slots last") {
  small_network network;
  network.add({0, units(3)}, {6, units(9)}, units(50));
  network.add({5, units(2)}, {6, units(9)}, units(50));
  network.add({}, {}, units(7));
  REQUIRE(network.solve() == solve_status::optimal);
  CHECK(network.machines() == indexes{0, 2, no_place});
  CHECK(network.total() == 3 + 2 + 7);
  CHECK(network.workspace.solution().bound == network.total());
  CHECK(network.workspace.solution().flow[2] == 1);
  CHECK(network.is_proved());
}

TEST_CASE("task_flow: a task gives way to one that has less choice, and the slot gets a price") {
  small_network network;
  network.add({0, units(1)}, {5, units(4)}, units(50));
  network.add({0, units(2)}, {}, units(50));
  REQUIRE(network.solve() == solve_status::optimal);
  CHECK(network.machines() == indexes{2, 0});
  CHECK(network.total() == 4 + 2);
  CHECK(network.price(0) >= 3);   // what task 0 loses by going elsewhere
  CHECK(network.price(0) <= 48);  // what task 1 would lose by staying out
  CHECK(network.is_proved());
}

TEST_CASE("task_flow: where slots are scarce the ones that lose least stay out") {
  small_network network;
  for (std::int32_t const out : {40, 20, 60, 10, 50, 30}) {
    network.add({6, units(5)}, {}, units(out));
  }
  REQUIRE(network.solve() == solve_status::optimal);
  auto const machines = network.machines();
  CHECK(machines[1] == no_place);
  CHECK(machines[3] == no_place);
  CHECK(network.total() == 4 * 5 + 20 + 10);
  CHECK(network.price(6) >= 15);
  CHECK(network.price(6) <= 25);
  CHECK(network.is_proved());
}

TEST_CASE("task_flow: branches of the tree cost what they say, negative ones included") {
  small_network network;
  network.places[4].cost = units(7);
  network.places[2].cost = units(-3);
  network.add({6, units(1)}, {4, units(0)}, units(50));
  network.add({6, units(1)}, {}, units(50));
  network.add({6, units(1)}, {}, units(50));
  REQUIRE(network.solve() == solve_status::optimal);
  CHECK(network.machines()[0] < 2);           // its rack costs it nothing by its own way
  CHECK(network.total() == 0 + (1 - 3) + 1);  // the other two share rack 5
  CHECK(network.is_proved());
}

TEST_CASE("task_flow: nothing at all is a problem too") {
  task_flow_workspace<integer_cost> workspace;
  CHECK(task_flow_matcher{}.solve<integer_cost>({}, workspace) == solve_status::optimal);
  CHECK(workspace.solution().total == 0);
  small_network no_tasks;
  CHECK(no_tasks.solve() == solve_status::optimal);
  CHECK(no_tasks.is_proved());
  small_network no_places;
  no_places.places.clear();
  no_places.add({}, {}, units(4));
  CHECK(no_places.solve() == solve_status::optimal);
  CHECK(no_places.total() == 4);
}

TEST_CASE(
    "task_flow: a task that must go and cannot makes the problem infeasible, with no answer") {
  small_network network;
  network.add({0, units(1)}, {}, forbidden());
  REQUIRE(network.solve() == solve_status::optimal);
  network.add({0, units(1)}, {}, forbidden());
  CHECK(network.solve() == solve_status::infeasible);
  CHECK(network.workspace.solution().machine.empty());
  network.ways[3] = {3, units(900)};
  CHECK(network.resolve({1}) == solve_status::optimal);
  CHECK(network.machines() == indexes{0, 3});
  network.ways[3] = {};
  network.out[1] = units(5);
  CHECK(network.resolve({1}) == solve_status::optimal);
  CHECK(network.total() == 6);
}

TEST_CASE("task_flow: malformed networks, costs out of range and sizes are refused by name") {
  auto const status = [](auto spoil) {
    small_network network;
    network.add({0, units(1)}, {6, units(1)}, units(1));
    REQUIRE(network.solve() == solve_status::optimal);
    spoil(network);
    solve_status const answer = network.solve();
    CHECK(network.workspace.solution().machine.empty());
    CHECK(network.workspace.solution().price.empty());
    return answer;
  };
  using broken = small_network&;
  constexpr std::int32_t limit = std::int32_t{1} << 30;
  CHECK(status([](broken n) { n.ways[0].place = 7; }) == solve_status::malformed);
  CHECK(status([](broken n) { n.places[0].parent = 7; }) == solve_status::malformed);
  CHECK(status([](broken n) { n.places[4].parent = 4; }) == solve_status::malformed);
  CHECK(status([](broken n) { n.places[6].parent = 4; }) == solve_status::malformed);
  CHECK(status([](broken n) { n.places[0].slots = -1; }) == solve_status::malformed);
  CHECK(status([](broken n) { n.places[4].slots = 1; }) == solve_status::malformed);
  CHECK(status([](broken n) { n.places[0].cost = forbidden(); }) == solve_status::malformed);
  CHECK(status([](broken n) { n.ways.pop_back(); }) == solve_status::malformed);
  CHECK(status([](broken n) { n.ways[0].cost = units(limit + 1); }) ==
        solve_status::cost_out_of_range);
  CHECK(status([](broken n) { n.out[0] = units(-limit - 1); }) == solve_status::cost_out_of_range);
  CHECK(status([](broken n) { n.places[0].cost = units(limit + 1); }) ==
        solve_status::cost_out_of_range);
  CHECK(status([](broken n) { n.places[0].slots = std::numeric_limits<std::int32_t>::max(); }) ==
        solve_status::too_large);
  CHECK(status([](broken n) {
          while (n.out.size() <= 8) {
            n.add({}, {}, {});
          }
        }) == solve_status::too_large);
  CHECK(status([](broken n) { n.places.push_back({}); }) == solve_status::too_large);
}

TEST_CASE("task_flow: a tree deeper than its limit is refused, one as deep is not") {
  for (std::size_t const levels :
       {task_flow_matcher::max_levels, task_flow_matcher::max_levels + 1}) {
    std::vector<place> places;
    for (std::uint32_t level = 0; level < levels; ++level) {
      places.push_back({level + 1 < levels ? level + 1 : no_place, level == 0 ? 1 : 0, units(1)});
    }
    std::vector<way> const ways{{static_cast<std::uint32_t>(levels - 1), units(0)}};
    std::vector<integer_cost> const out{units(1000)};
    task_flow_problem<integer_cost> const problem{places, ways, 1, out};
    task_flow_workspace<integer_cost> workspace(1, levels, 1);
    bool const fits = levels == task_flow_matcher::max_levels;
    CHECK(task_flow_matcher{}.solve(problem, workspace) ==
          (fits ? solve_status::optimal : solve_status::too_large));
    if (fits) {
      CHECK(workspace.solution().total == static_cast<std::int64_t>(levels) - 1);
      CHECK(certify(problem, workspace.solution()).holds());
    }
  }
}

TEST_CASE("task_flow: a task that leaves makes room for the one that wants it most") {
  small_network network;
  network.places[1].slots = network.places[2].slots = network.places[3].slots = 0;
  network.add({0, units(1)}, {}, units(50));
  network.add({0, units(1)}, {}, units(30));
  network.add({6, units(1)}, {}, units(20));
  network.add({}, {}, units(0));
  REQUIRE(network.solve() == solve_status::optimal);
  CHECK(network.machines() == indexes{0, no_place, no_place, no_place});
  network.ways[0] = network.ways[1] = {};
  network.out[0] = units(0);
  REQUIRE(network.resolve({0, 0}) == solve_status::optimal);  // named twice is named
  CHECK(network.machines() == indexes{no_place, 0, no_place, no_place});
  CHECK(network.is_proved());
  network.ways[2] = {};
  network.out[1] = units(0);
  REQUIRE(network.resolve({1}) == solve_status::optimal);
  CHECK(network.machines() == indexes{no_place, no_place, 0, no_place});
  CHECK(network.total() == 1);
  CHECK(network.is_proved());
}

TEST_CASE("task_flow: slots that go put tasks out, slots that come take them in") {
  small_network network;
  network.places[3].slots = 2;
  for (std::int32_t const out : {50, 40, 30, 20}) {
    network.add({3, units(1)}, {}, units(out));
  }
  REQUIRE(network.solve() == solve_status::optimal);
  CHECK(network.total() == 1 + 1 + 30 + 20);
  network.places[3].slots = 1;
  REQUIRE(network.resolve({}) == solve_status::optimal);
  CHECK(network.total() == 1 + 40 + 30 + 20);
  CHECK(network.is_proved());
  network.places[3].slots = 3;
  REQUIRE(network.resolve({}) == solve_status::optimal);
  CHECK(network.total() == 1 + 1 + 1 + 20);
  CHECK(network.is_proved());
  network.places[3].slots = 0;
  REQUIRE(network.resolve({}) == solve_status::optimal);
  CHECK(network.total() == 50 + 40 + 30 + 20);
  CHECK(network.is_proved());
}

TEST_CASE("task_flow: a task under an aggregator keeps its machine when others leave") {
  small_network network;
  for (int task = 0; task < 4; ++task) {
    network.add({6, units(5)}, {}, units(50));
  }
  REQUIRE(network.solve() == solve_status::optimal);
  indexes const before = network.machines();
  network.ways[2] = {};
  REQUIRE(network.resolve({1}) == solve_status::optimal);
  indexes after = before;
  after[1] = no_place;
  CHECK(network.machines() == after);
}

TEST_CASE("task_flow: resolve without an answer, or of another tree, solves from nothing") {
  small_network network;
  network.add({0, units(1)}, {}, units(9));
  CHECK(network.resolve({}) == solve_status::optimal);
  CHECK(network.total() == 1);
  network.places[0].cost = units(2);
  network.ways[0] = {4, units(1)};
  network.places[1].cost = units(3);
  CHECK(network.resolve({}) == solve_status::optimal);  // task 0 is not named
  CHECK(network.total() == 3);
  network.add({0, units(4)}, {}, units(9));
  CHECK(network.resolve({}) == solve_status::optimal);
  CHECK(network.is_proved());
}

TEST_CASE("task_flow: a bad change is refused, and the next resolve starts from nothing") {
  small_network network;
  for (int task = 0; task < 5; ++task) {
    network.add({0, units(1)}, {}, units(9));
  }
  REQUIRE(network.solve() == solve_status::optimal);
  CHECK(network.resolve({5}) == solve_status::malformed);
  CHECK(network.workspace.solution().machine.empty());
  REQUIRE(network.resolve({}) == solve_status::optimal);
  network.ways[0].place = 99;
  CHECK(network.resolve({0}) == solve_status::malformed);
  network.ways[0].place = 0;
  CHECK(network.resolve({}) == solve_status::optimal);
  CHECK(network.is_proved());
}

TEST_CASE(
    "task_flow: a budget leaves a feasible answer with a proved bound, and can be gone on from") {
  small_network network;
  for (std::int32_t const cost : {1, 2, 3, 4, 5, 6, 7, 8}) {
    network.add({0, units(cost)}, {5, units(2 * cost)}, units(40 - cost));
  }
  REQUIRE(network.solve() == solve_status::optimal);
  std::int64_t const optimum = network.total();
  bool was_short = false;
  for (std::uint64_t steps = 0; steps < 8; ++steps) {
    CAPTURE(steps);
    solve_budget budget;
    budget.steps = steps;
    solve_status const status = network.solve(budget);
    REQUIRE(has_solution(status));
    was_short = was_short || status == solve_status::feasible;
    CHECK(network.total() >= optimum);
    CHECK(network.workspace.solution().bound <= optimum);
    CHECK((status == solve_status::optimal) ==
          (network.total() == network.workspace.solution().bound && network.is_proved()));
    CHECK(network.resolve({}) == solve_status::optimal);
    CHECK(network.total() == optimum);
    CHECK(network.is_proved());
  }
  CHECK(was_short);
}

TEST_CASE("task_flow: a clock that has run out ends the search, but not for who must go") {
  small_network network;
  network.add({0, units(1)}, {1, units(2)}, units(9));
  network.add({0, units(1)}, {}, forbidden());
  network.add({0, units(1)}, {2, units(1)}, forbidden());
  solve_budget budget;
  budget.expired = [](void const*) noexcept { return true; };
  REQUIRE(has_solution(network.solve(budget)));
  CHECK(network.machines()[1] == 0);
  CHECK(network.machines()[2] == 2);
}

TEST_CASE("task_flow: costs at the limit do not overflow, even where a chain adds them up") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  std::uint32_t const machines = 60;
  std::vector<task_flow_place<gpu_time>> places;
  std::vector<task_flow_way<gpu_time>> ways;
  for (std::uint32_t m = 0; m < machines; ++m) {
    places.push_back({no_place, 1, {}});
    ways.push_back({m, gpu_time{-limit}});
    ways.push_back({m + 1 < machines ? m + 1 : m, gpu_time{limit}});
  }
  ways[0].cost = gpu_time::forbidden();  // pushes everyone one machine on, at the highest price
  ways[1].place = 0;
  std::vector<gpu_time> out(machines, gpu_time::forbidden());
  task_flow_problem<gpu_time> const problem{places, ways, 2, out};
  task_flow_workspace<gpu_time> workspace(machines, machines, 2);
  CHECK(task_flow_matcher{}.solve(problem, workspace) == solve_status::optimal);
  CHECK(certify(problem, workspace.solution()).holds());
  out[0] = gpu_time{limit};
  ways[1].place = 1;
  CHECK(task_flow_matcher{}.solve(problem, workspace) == solve_status::optimal);
  CHECK(certify(problem, workspace.solution()).holds());
}

TEST_CASE("task_flow: rank goes before any amount of time") {
  std::int64_t const limit = cost_traits<rank_cost>::limit;
  std::vector<task_flow_place<rank_cost>> const places{{no_place, 1, {}}};
  std::vector<task_flow_way<rank_cost>> const ways{{0, {0, gpu_time{limit}}}, {0, {0, {}}}};
  std::vector<rank_cost> const out{{2, {}}, {1, {}}};
  task_flow_workspace<rank_cost> workspace(2, 1, 1);
  task_flow_problem<rank_cost> const problem{places, ways, 1, out};
  REQUIRE(task_flow_matcher{}.solve(problem, workspace) == solve_status::optimal);
  CHECK(workspace.solution().machine[0] == 0);
  CHECK(workspace.solution().total == rank_cost{1, gpu_time{limit}});
  CHECK(certify(problem, workspace.solution()).holds());
}

}  // namespace

}  // namespace task_flow_test
