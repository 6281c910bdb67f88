// SPDX-License-Identifier: BSL-1.0
// The flow of tasks through a tree against Boost.Graph on the same network without its tree, warm
// against cold over long sequences of changes, its certificate on all the way; and whatever a
// budget does to it.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/interop/boost_graph.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/task_flow.hpp>
#include <berth/solve/task_flow_certificate.hpp>

#include <tests/support/forall.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace task_flow_test {

namespace {

using namespace berth;
using tests::expect;

template <class Cost>
Cost make(std::int64_t rank, std::int64_t value);
template <>
integer_cost make(std::int64_t, std::int64_t value) {
  return integer_cost{static_cast<std::int32_t>(value)};
}
template <>
gpu_time make(std::int64_t, std::int64_t value) {
  return gpu_time{value};
}
template <>
rank_cost make(std::int64_t rank, std::int64_t value) {
  return {rank, gpu_time{value}};
}

template <class Cost>
Cost sum(Cost a, Cost b) {
  return a + b;
}
template <>
integer_cost sum(integer_cost a, integer_cost b) {
  return integer_cost{a.value() + b.value()};
}

/// A random tree of up to three levels with tasks on it. Costs are drawn with a spread of its own,
/// from all the same to all different, below zero too.
template <class Cost>
struct network {
  std::vector<task_flow_place<Cost>> places;
  std::vector<task_flow_way<Cost>> ways;
  std::vector<Cost> out;
  std::size_t ways_per_task = 0;
  std::uint32_t spread = 1;
  bool may_force = false;

  explicit network(tests::byte_source& source) {
    auto const machines = static_cast<std::uint32_t>(source.below(7));
    auto const racks = static_cast<std::uint32_t>(1 + source.below(3));
    spread = source.one_of<std::uint32_t>({1, 2, 3, 5, 20, 200});
    may_force = source.chance(60);
    bool const has_costs = source.chance(128);
    for (std::uint32_t m = 0; m < machines; ++m) {
      std::uint32_t const parent =
          source.chance(20) ? no_place : machines + static_cast<std::uint32_t>(source.below(racks));
      places.push_back({parent, slots(source), has_costs ? cost(source) : Cost{}});
    }
    bool const has_cluster = source.chance(200);
    for (std::uint32_t r = 0; r < racks; ++r) {
      places.push_back(
          {has_cluster ? machines + racks : no_place, 0, has_costs ? cost(source) : Cost{}});
    }
    if (has_cluster) {
      places.push_back({no_place, 0, Cost{}});
    }
    ways_per_task = source.below(5);
    std::size_t const tasks = source.below(12);
    ways.resize(tasks * ways_per_task);
    out.resize(tasks);
    for (std::size_t task = 0; task < tasks; ++task) {
      draw_task(source, task);
    }
  }

  static std::int32_t slots(tests::byte_source& source) {
    return static_cast<std::int32_t>(source.one_of({1, 1, 2, 3, 0}));
  }
  Cost cost(tests::byte_source& source) const {
    std::int64_t const value = source.below(spread);
    return make<Cost>(source.below(2), source.chance(30) ? -value : value);
  }
  void draw_task(tests::byte_source& source, std::size_t task) {
    for (std::size_t way = 0; way < ways_per_task; ++way) {
      auto const place =
          static_cast<std::uint32_t>(source.below(static_cast<std::uint32_t>(places.size())));
      ways[task * ways_per_task + way] = {place,
                                          source.chance(40) ? Cost::forbidden() : cost(source)};
    }
    out[task] = may_force && source.chance(60)
                    ? Cost::forbidden()
                    : sum(cost(source), make<Cost>(0, source.below(2 * spread)));
  }
  [[nodiscard]] task_flow_problem<Cost> problem() const {
    return {places, ways, ways_per_task, out};
  }

  [[nodiscard]] bool is_parent(std::uint32_t place) const {
    return std::any_of(places.begin(), places.end(),
                       [place](auto const& child) { return child.parent == place; });
  }

  /// The optimum by Boost.Graph, a column for every slot: all ways of a task down to a machine
  /// added up. Nothing if there is none.
  [[nodiscard]] std::optional<typename cost_traits<Cost>::price> optimum() const {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t place = 0; place < places.size(); ++place) {
      slots.insert(slots.end(), static_cast<std::size_t>(places[place].slots), place);
    }
    std::vector<Cost> cells;
    for (std::size_t task = 0; task < out.size(); ++task) {
      for (std::uint32_t const machine : slots) {
        cells.push_back(least_cost(task, machine));
      }
    }
    boost_graph_assignment_workspace<Cost> oracle;
    solve_status const status = boost_graph_matcher{}.solve(
        assignment_problem<Cost>{{cells, out.size(), slots.size()}, out}, oracle);
    if (status != solve_status::optimal) {
      return std::nullopt;
    }
    return oracle.solution().total;
  }
  [[nodiscard]] Cost least_cost(std::size_t task, std::uint32_t machine) const {
    Cost least = Cost::forbidden();
    Cost below = Cost{};
    for (std::uint32_t at = machine; at != no_place; at = places[at].parent) {
      for (auto const& way : problem().ways_of(task)) {
        if (!way.cost.is_forbidden() && way.place == at) {
          least = std::min(least, sum(way.cost, below));
        }
      }
      below = sum(below, places[at].cost);
    }
    return least;
  }
};

/// Solves cold and checks the answer against the oracle.
template <class Cost>
void check_cold(network<Cost> const& drawn, task_flow_workspace<Cost>& workspace) {
  solve_status const status = task_flow_matcher{}.solve(drawn.problem(), workspace);
  auto const optimum = drawn.optimum();
  expect(status == (optimum ? solve_status::optimal : solve_status::infeasible),
         std::string{"status is "} + to_string(status));
  if (optimum) {
    expect(workspace.solution().total == *optimum, "not the optimum");
    certificate const proof = certify(drawn.problem(), workspace.solution());
    expect(proof.holds(), to_string(proof.defect));
  } else {
    expect(workspace.solution().machine.empty(), "an answer that is none");
  }
}

TEST_CASE_TEMPLATE("task_flow: finds the optimum of Boost.Graph, and its prices prove it", Cost,
                   integer_cost, gpu_time, rank_cost) {
  task_flow_workspace<Cost> workspace(16, 16, 8);
  BERTH_FORALL(7'000, 3'000, 280,
               [&](tests::byte_source& source) { check_cold(network<Cost>{source}, workspace); });
}

TEST_CASE_TEMPLATE("task_flow: after any sequence of changes it is where a fresh solve would be",
                   Cost, integer_cost, gpu_time, rank_cost) {
  task_flow_workspace<Cost> warm(16, 16, 8);
  task_flow_workspace<Cost> cold(16, 16, 8);
  BERTH_FORALL(17'000, 1'500, 500, [&](tests::byte_source& source) {
    network<Cost> drawn{source};
    static_cast<void>(task_flow_matcher{}.solve(drawn.problem(), warm));
    for (int step = 0; step < 8 && !source.dry(); ++step) {
      std::vector<std::uint32_t> changed;
      for (std::size_t i = drawn.out.empty() ? 0 : source.below(4); i > 0; --i) {
        changed.push_back(source.below(static_cast<std::uint32_t>(drawn.out.size())));
        drawn.draw_task(source, changed.back());
      }
      for (std::uint32_t place = 0; place < drawn.places.size(); ++place) {
        if (!drawn.is_parent(place) && source.chance(40)) {
          drawn.places[place].slots = network<Cost>::slots(source);
        }
      }
      solve_budget budget;
      budget.steps = source.chance(80) ? source.below(3) : solve_budget::unlimited;
      solve_status const status =
          task_flow_matcher{}.resolve(drawn.problem(), warm, changed, budget);
      check_cold(drawn, cold);
      auto const fresh = cold.solution();
      auto const kept = warm.solution();
      expect(has_solution(status) == !fresh.way.empty() || drawn.out.empty(),
             std::string{"status is "} + to_string(status));
      if (status == solve_status::optimal) {
        expect(kept.total == fresh.total, "not the optimum");
        certificate const proof = certify(drawn.problem(), kept);
        expect(proof.holds(), to_string(proof.defect));
      } else if (status == solve_status::feasible) {
        expect(!budget.is_unlimited(), "stopped without a reason");
        expect(kept.bound <= fresh.total && fresh.total <= kept.total, "a bound that is none");
      }
    }
  });
}

TEST_CASE("task_flow: equal calls give equal answers, whatever the workspace did before") {
  BERTH_FORALL(27'000, 500, 160, [](tests::byte_source& source) {
    network<gpu_time> const before{source};
    network<gpu_time> const drawn{source};
    task_flow_workspace<gpu_time> used(16, 16, 8);
    task_flow_workspace<gpu_time> fresh(40, 60, 5);
    static_cast<void>(task_flow_matcher{}.solve(before.problem(), used));
    solve_status const status = task_flow_matcher{}.solve(drawn.problem(), used);
    expect(status == task_flow_matcher{}.solve(drawn.problem(), fresh), "another status");
    auto const a = used.solution();
    auto const b = fresh.solution();
    expect(std::ranges::equal(a.machine, b.machine) && std::ranges::equal(a.way, b.way) &&
               std::ranges::equal(a.price, b.price) && std::ranges::equal(a.flow, b.flow),
           "another answer");
  });
}

}  // namespace

}  // namespace task_flow_test
