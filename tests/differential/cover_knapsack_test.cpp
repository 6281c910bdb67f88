// SPDX-License-Identifier: BSL-1.0
// Both cover solvers against trying every subset.
#include <berth/solve/cover_greedy.hpp>
#include <berth/solve/cover_knapsack.hpp>

#include <tests/support/solver_instances.hpp>

#include <bit>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace cover_knapsack_test {

namespace {

using namespace berth;

template <class Cost>
struct subset {
  Cost total = Cost::forbidden();
  int count = 0;
  std::uint32_t mask = 0;
};

/// The documented order: cost, then count, then the later-listed item where two subsets differ,
/// which is the larger mask.
template <class Cost>
subset<Cost> best_of_all(std::vector<cover_item<Cost>> const& items, std::int32_t need) {
  subset<Cost> best;
  for (std::uint32_t mask = 0; mask < (std::uint32_t{1} << items.size()); ++mask) {
    subset<Cost> tried{Cost{}, std::popcount(mask), mask};
    std::int64_t size = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if ((mask >> i & 1u) != 0) {
        size += items[i].size;
        tried.total = tried.total + items[i].cost;
      }
    }
    if (size >= need && !tried.total.is_forbidden() &&
        (tried.total < best.total || (tried.total == best.total && tried.count <= best.count))) {
      best = tried.count < best.count || tried.total < best.total || tried.mask > best.mask ? tried
                                                                                            : best;
    }
  }
  return best;
}

template <class Cost>
std::vector<cover_item<Cost>> draw_items(random_source& random) {
  std::vector<cover_item<Cost>> items(random.below(11));
  std::int64_t const most = random.below(2) == 0 ? 4 : 1'000'000;
  for (cover_item<Cost>& item : items) {
    item.size = static_cast<std::int32_t>(random.between(1, 8));
    item.cost = random.below(12) == 0 ? Cost::forbidden()
                                      : solver_instances::make_cost<Cost>(random.between(0, 2),
                                                                          random.between(0, most));
  }
  return items;
}

template <class Cost>
void check_minimal(std::vector<cover_item<Cost>> const& items, std::int32_t need,
                   cover_solution<Cost> const& solution) {
  std::int64_t size = 0;
  for (std::uint32_t const index : solution.chosen) {
    size += items[index].size;
  }
  REQUIRE(size == solution.size);
  REQUIRE(size >= need);
  for (std::uint32_t const index : solution.chosen) {
    REQUIRE(size - items[index].size < need);
  }
}

TEST_CASE_TEMPLATE("cover_knapsack: finds the best subset, and of equals the documented one", Cost,
                   gpu_time, rank_cost) {
  cover_workspace<Cost> workspace(10, 40);
  std::uint64_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto const items = draw_items<Cost>(random);
    auto const need = static_cast<std::int32_t>(random.between(0, 40));
    subset<Cost> const best = best_of_all(items, need);
    solve_status const status = cover_knapsack{}.solve({items, need}, workspace);
    if (best.total.is_forbidden()) {
      ++infeasible;
      REQUIRE(status == solve_status::infeasible);
      continue;
    }
    REQUIRE(status == solve_status::optimal);
    REQUIRE(workspace.solution().total == best.total);
    REQUIRE(workspace.solution().bound == best.total);
    std::uint32_t mask = 0;
    for (std::uint32_t const index : workspace.solution().chosen) {
      mask |= std::uint32_t{1} << index;
    }
    REQUIRE(mask == best.mask);
    check_minimal(items, need, workspace.solution());
  }
  CHECK(infeasible > 200);
  CHECK(infeasible < 3500);
}

TEST_CASE_TEMPLATE("cover_greedy: covers without a redundant item, seldom dearer than the best",
                   Cost, gpu_time, rank_cost) {
  cover_workspace<Cost> workspace(10, 40);
  int covered = 0;
  int optimal = 0;
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto const items = draw_items<Cost>(random);
    auto const need = static_cast<std::int32_t>(random.between(1, 40));
    subset<Cost> const best = best_of_all(items, need);
    solve_status const status = cover_greedy{}.solve({items, need}, workspace);
    if (best.total.is_forbidden()) {
      REQUIRE(status == solve_status::infeasible);
      continue;
    }
    REQUIRE(has_solution(status));
    check_minimal(items, need, workspace.solution());
    Cost const total = workspace.solution().total;
    Cost const bound = workspace.solution().bound;
    REQUIRE(bound <= best.total);
    REQUIRE(best.total <= total);
    REQUIRE(total <= best.total + best.total);
    REQUIRE((status == solve_status::optimal) == (bound == total));
    proved += status == solve_status::optimal ? 1 : 0;
    ++covered;
    optimal += total == best.total ? 1 : 0;
  }
  CHECK(covered > 500);
  CHECK(optimal * 100 >= covered * 97);
  CHECK(proved > 50);
  CHECK(proved < covered);
}

}  // namespace

}  // namespace cover_knapsack_test
