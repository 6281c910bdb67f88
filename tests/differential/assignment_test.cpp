// SPDX-License-Identifier: BSL-1.0
// The assignment solver against trying everything, against Boost.Graph, and against its own prices.
#include <berth/interop/boost_graph.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>

#include <tests/support/solver_instances.hpp>

#include <cstdint>
#include <type_traits>

#include <doctest/doctest.h>

namespace assignment_test {

namespace {

using namespace berth;
using solver_instances::kind_of;
using solver_instances::structure;

TEST_CASE_TEMPLATE("assignment: equals the best of all matchings, and its prices prove it", Cost,
                   gpu_time, rank_cost) {
  assignment_workspace<Cost> workspace(7, 7);
  std::uint64_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = random.below(8);
    std::size_t const columns = random.below(8);
    auto const drawn = solver_instances::draw<Cost>(random, rows, columns, kind_of(seed));
    Cost const least = solver_instances::least_total(drawn);
    solve_status const status = assignment_matcher{}.solve(drawn.assignment(), workspace);
    solver_instances::check_least(least, status, drawn.assignment(), workspace.solution());
    if (least.is_forbidden()) {
      ++infeasible;
      REQUIRE(workspace.solution().column_of_row.empty());
    }
  }
  CHECK(infeasible > 500);  // both outcomes were met
  CHECK(infeasible < 5000);
}

TEST_CASE_TEMPLATE("assignment: agrees with Boost.Graph, whose prices hold as well", Cost, gpu_time,
                   rank_cost) {
  assignment_workspace<Cost> workspace(40, 40);
  boost_graph_assignment_workspace<Cost> oracle;
  std::uint64_t optimal = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = random.below(41);
    std::size_t const columns = random.below(41);
    auto const drawn = solver_instances::draw<Cost>(random, rows, columns, kind_of(seed));
    solve_status const status = assignment_matcher{}.solve(drawn.assignment(), workspace);
    REQUIRE(boost_graph_matcher{}.solve(drawn.assignment(), oracle) == status);
    if (status != solve_status::optimal) {
      continue;
    }
    ++optimal;
    REQUIRE(oracle.solution().total == workspace.solution().total);
    certificate const proof = certify(drawn.assignment(), workspace.solution());
    REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
    certificate const oracle_proof = certify(drawn.assignment(), oracle.solution());
    REQUIRE_MESSAGE(oracle_proof.holds(), to_string(oracle_proof.defect));
  }
  CHECK(optimal > 40);
}

TEST_CASE_TEMPLATE("assignment: a thousand rows are certified", Cost, gpu_time, rank_cost) {
  assignment_workspace<Cost> workspace(1000, 1000);
  for (structure const kind : {structure::uniform, structure::ties, structure::near_ties}) {
    auto const seed = static_cast<std::uint64_t>(kind) + 11;
    CAPTURE(seed);
    random_source random{seed};
    auto drawn = solver_instances::draw<Cost>(random, 1000, 1000, kind);
    drawn.unmatched_cost.assign(1000, solver_instances::make_cost<Cost>(1, 900'000));
    REQUIRE(assignment_matcher{}.solve(drawn.assignment(), workspace) == solve_status::optimal);
    certificate const proof = certify(drawn.assignment(), workspace.solution());
    REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
  }
}

TEST_CASE_TEMPLATE("assignment: a constant added to a row moves the total alone", Cost, gpu_time,
                   rank_cost) {
  assignment_workspace<Cost> before(12, 12);
  assignment_workspace<Cost> after(12, 12);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto drawn = solver_instances::draw<Cost>(random, 1 + random.below(12), random.below(13),
                                              kind_of(seed % 5));
    solve_status const status = assignment_matcher{}.solve(drawn.assignment(), before);
    std::size_t const row = random.below(drawn.rows);
    Cost const shift = solver_instances::make_cost<Cost>(2, random.between(-99, 99));
    for (std::size_t column = 0; column < drawn.columns; ++column) {
      Cost& cell = drawn.cells[row * drawn.columns + column];
      cell = cell + shift;
    }
    if (!drawn.unmatched_cost.empty()) {
      drawn.unmatched_cost[row] = drawn.unmatched_cost[row] + shift;
    }
    REQUIRE(assignment_matcher{}.solve(drawn.assignment(), after) == status);
    if (status == solve_status::optimal) {
      ++compared;
      REQUIRE(after.solution().total == before.solution().total + shift);
      if constexpr (std::is_same_v<Cost, rank_cost>) {  // integers may take another optimum
        for (std::size_t i = 0; i < drawn.rows; ++i) {
          REQUIRE(after.solution().column_of_row[i] == before.solution().column_of_row[i]);
        }
      }
    }
  }
  CHECK(compared > 100);
}

}  // namespace

}  // namespace assignment_test
