// SPDX-License-Identifier: BSL-1.0
// Laws of the transportation solver where it goes on from its last answer or stops early: a warm
// answer is as good as a cold one whatever has changed, a bound holds, and neither depends on
// anything but the input.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace transport_property_test {

namespace {

using namespace berth;

template <class Cost>
Cost cost_of(std::int64_t rank, std::int64_t time);
template <>
gpu_time cost_of(std::int64_t rank, std::int64_t time) {
  return gpu_time{rank * 1000 + time};
}
template <>
integer_cost cost_of(std::int64_t rank, std::int64_t time) {
  return integer_cost{static_cast<std::int32_t>(rank * 1000 + time)};
}
template <>
rank_cost cost_of(std::int64_t rank, std::int64_t time) {
  return {rank, gpu_time{time}};
}

/// A problem that changes row by row and owns its numbers.
template <class Cost>
class changing_problem {
 public:
  changing_problem(random_source& random, std::size_t rows, std::size_t columns)
      : random_{random}, span_{random.below(2) == 0 ? 3 : 900}, must_{random.below(4) == 0} {
    capacity_.resize(columns);
    change_capacities();
    arcs_of_.resize(rows);
    supply_.resize(rows);
    unmatched_cost_.resize(rows);
    for (std::uint32_t row = 0; row < rows; ++row) {
      change_row(row);
    }
  }

  void change_row(std::uint32_t row) {
    auto& arcs = arcs_of_[row];
    arcs.clear();
    std::uint64_t const density = random_.below(101);
    for (std::uint32_t column = 0; column < capacity_.size(); ++column) {
      if (random_.below(100) < density) {
        arcs.push_back({column, draw()});
      }
    }
    supply_[row] = static_cast<std::int32_t>(random_.below(7));
    bool const may_wait = !must_ || random_.below(3) > 0;
    unmatched_cost_[row] =
        may_wait ? cost_of<Cost>(3, random_.between(0, span_)) : Cost::forbidden();
  }
  void change_supply(std::uint32_t row) {
    supply_[row] = static_cast<std::int32_t>(random_.below(9));
  }
  void change_capacities() {
    for (std::int32_t& units : capacity_) {
      if (random_.below(3) == 0) {
        units = static_cast<std::int32_t>(random_.below(8));
      }
    }
  }

  /// Lays the rows out anew, gaps included.
  [[nodiscard]] transport_problem<Cost> problem() {
    arcs_.clear();
    rows_.clear();
    for (auto const& arcs : arcs_of_) {
      arcs_.resize(arcs_.size() + random_.below(3));
      rows_.push_back(
          {static_cast<std::uint32_t>(arcs_.size()), static_cast<std::uint32_t>(arcs.size())});
      arcs_.insert(arcs_.end(), arcs.begin(), arcs.end());
    }
    return {arcs_, rows_, supply_, capacity_, unmatched_cost_};
  }

 private:
  [[nodiscard]] Cost draw() {
    return cost_of<Cost>(random_.between(0, 2), random_.between(-span_ / 3, span_));
  }

  random_source& random_;
  std::int64_t span_;
  bool must_;
  std::vector<std::vector<transport_arc<Cost>>> arcs_of_;
  std::vector<transport_arc<Cost>> arcs_;
  std::vector<transport_row> rows_;
  std::vector<std::int32_t> supply_;
  std::vector<std::int32_t> capacity_;
  std::vector<Cost> unmatched_cost_;
};

struct sizes {
  std::size_t rows;
  std::size_t columns;
};
/// Mostly small; now and then large enough for price rounds and shortlists.
sizes draw_sizes(random_source& random, std::uint64_t seed) {
  return seed % 25 == 0 ? sizes{40 + random.below(20), 80 + random.below(40)}
                        : sizes{1 + random.below(9), 1 + random.below(9)};
}

TEST_CASE_TEMPLATE("transport: whatever changes, a warm answer costs what a cold one does", Cost,
                   gpu_time, integer_cost, rank_cost) {
  std::uint64_t optimal = 0;
  std::uint64_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto const [rows, columns] = draw_sizes(random, seed);
    changing_problem<Cost> changing{random, rows, columns};
    transport_workspace<Cost> warm(rows, columns, 3 * rows * (columns + 1));
    transport_workspace<Cost> cold(rows, columns, 3 * rows * (columns + 1));
    std::vector<std::uint32_t> changed;
    for (int tick = 0; tick < 8; ++tick) {
      CAPTURE(tick);
      transport_problem<Cost> const problem = changing.problem();
      solve_status const status = transport_matcher{}.solve(problem, cold);
      REQUIRE(transport_matcher{}.resolve(problem, warm, changed) == status);
      if (has_solution(status)) {
        ++optimal;
        REQUIRE(warm.solution().total == cold.solution().total);
        certificate const proof = certify(problem, warm.solution());
        REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
        REQUIRE(certify(problem, cold.solution()).holds());
      } else {
        ++infeasible;
        REQUIRE(status == solve_status::infeasible);
        REQUIRE(warm.solution().flow.empty());
      }
      changed.clear();
      for (std::uint64_t i = random.below(4); i > 0; --i) {
        auto const row = static_cast<std::uint32_t>(random.below(rows));
        random.below(2) == 0 ? changing.change_row(row) : changing.change_supply(row);
        changed.push_back(row);
      }
      if (random.below(2) == 0) {
        changing.change_capacities();
      }
    }
  }
  CHECK(optimal > 8000);
  CHECK(infeasible > 500);
}

TEST_CASE_TEMPLATE("transport: cut short anywhere, the answer is a solution and its bound holds",
                   Cost, gpu_time, integer_cost, rank_cost) {
  std::uint64_t stopped = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto const [rows, columns] = draw_sizes(random, seed);
    changing_problem<Cost> changing{random, rows, columns};
    transport_workspace<Cost> workspace(rows, columns, 3 * rows * (columns + 1));
    transport_problem<Cost> const problem = changing.problem();
    solve_status const status = transport_matcher{}.solve(problem, workspace);
    auto const least = workspace.solution().total;
    solve_budget budget;
    budget.steps = random.below(1 + (rows + columns) / 2);
    solve_status const early = transport_matcher{}.solve(problem, workspace, budget);
    REQUIRE(has_solution(early) == has_solution(status));
    if (!has_solution(status)) {
      continue;
    }
    stopped += early == solve_status::feasible ? 1 : 0;
    REQUIRE(!(workspace.solution().total < least));
    REQUIRE(!(least < workspace.solution().bound));
    certificate const proof = certify_bound(problem, workspace.solution());
    REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
    REQUIRE(certify(problem, workspace.solution()).holds() == (early == solve_status::optimal));
    REQUIRE(transport_matcher{}.resolve(problem, workspace, {}) == solve_status::optimal);
    REQUIRE(workspace.solution().total == least);
  }
  CHECK(stopped > 200);
}

TEST_CASE("transport: what a workspace has solved before does not change a cold answer") {
  transport_workspace<integer_cost> used(60, 130, 30'000);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto const [rows, columns] = draw_sizes(random, seed);
    changing_problem<integer_cost> changing{random, rows, columns};
    transport_problem<integer_cost> const problem = changing.problem();
    transport_workspace<integer_cost> fresh(rows, columns, problem.arcs.size());
    REQUIRE(transport_matcher{}.solve(problem, fresh) == transport_matcher{}.solve(problem, used));
    REQUIRE(std::ranges::equal(fresh.solution().flow, used.solution().flow));
    REQUIRE(std::ranges::equal(fresh.solution().row_price, used.solution().row_price));
    REQUIRE(std::ranges::equal(fresh.solution().column_price, used.solution().column_price));
  }
}

}  // namespace

}  // namespace transport_property_test
