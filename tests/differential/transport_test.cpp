// SPDX-License-Identifier: BSL-1.0
// The transportation solver against trying everything, against Boost.Graph, against the assignment
// solver on the expanded problem, and against its own prices.
#include <berth/interop/boost_graph.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/transport.hpp>

#include <tests/support/solver_instances.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace transport_test {

namespace {

using namespace berth;
using solver_instances::kind_of;

TEST_CASE_TEMPLATE("transport: equals the best of all ways to ship, and its prices prove it", Cost,
                   gpu_time, rank_cost) {
  transport_workspace<Cost> workspace(6, 6);
  std::uint64_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = random.below(6);
    std::size_t const columns = random.below(6);
    auto drawn = solver_instances::draw<Cost>(random, rows, columns, kind_of(seed));
    solver_instances::add_counts(random, drawn, 8, 9);
    auto const sparse = drawn.transport();
    Cost const least = solver_instances::least_total(solver_instances::expand(drawn));
    solve_status const status = transport_matcher{}.solve(sparse.problem(), workspace);
    solver_instances::check_least(least, status, sparse.problem(), workspace.solution());
    if (least.is_forbidden()) {
      ++infeasible;
      REQUIRE(workspace.solution().flow.empty());
    }
  }
  CHECK(infeasible > 500);
  CHECK(infeasible < 5000);
}

TEST_CASE_TEMPLATE("transport: agrees with Boost.Graph, whose prices hold as well", Cost, gpu_time,
                   rank_cost) {
  transport_workspace<Cost> workspace(40, 40);
  boost_graph_transport_workspace<Cost> oracle;
  std::uint64_t optimal = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = random.below(41);
    std::size_t const columns = random.below(41);
    auto drawn = solver_instances::draw<Cost>(random, rows, columns, kind_of(seed));
    auto const most = static_cast<std::int32_t>(20 + random.below(60));
    solver_instances::add_counts(random, drawn, most, 60);
    auto const sparse = drawn.transport();
    solve_status const status = transport_matcher{}.solve(sparse.problem(), workspace);
    REQUIRE(boost_graph_matcher{}.solve(sparse.problem(), oracle) == status);
    if (status != solve_status::optimal) {
      continue;
    }
    ++optimal;
    REQUIRE(oracle.solution().total == workspace.solution().total);
    certificate const proof = certify(sparse.problem(), workspace.solution());
    REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
    certificate const oracle_proof = certify(sparse.problem(), oracle.solution());
    REQUIRE_MESSAGE(oracle_proof.holds(), to_string(oracle_proof.defect));
  }
  CHECK(optimal > 40);
}

TEST_CASE_TEMPLATE("transport: classes cost what their members cost one by one", Cost, gpu_time,
                   rank_cost) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto drawn = solver_instances::draw<Cost>(random, 12, 90, kind_of(seed));
    solver_instances::add_counts(random, drawn, 150, 160);
    auto const sparse = drawn.transport();
    auto const expanded = solver_instances::expand(drawn);
    transport_workspace<Cost> classes(drawn.rows, drawn.columns);
    assignment_workspace<Cost> members(expanded.rows, expanded.columns);
    solve_status const status = transport_matcher{}.solve(sparse.problem(), classes);
    REQUIRE(assignment_matcher{}.solve(expanded.assignment(), members) == status);
    REQUIRE(classes.solution().total == members.solution().total);
  }
}

TEST_CASE_TEMPLATE("transport: problems of a tick's size are certified", Cost, gpu_time,
                   rank_cost) {
  transport_workspace<Cost> workspace(50, 1000);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto drawn = solver_instances::draw<Cost>(random, 50, 1000, kind_of(seed - 1));
    solver_instances::add_counts(random, drawn, 3000, 2500);
    drawn.unmatched_cost.assign(50, solver_instances::make_cost<Cost>(2, 1'500'000));
    auto const sparse = drawn.transport();
    REQUIRE(transport_matcher{}.solve(sparse.problem(), workspace) == solve_status::optimal);
    certificate const proof = certify(sparse.problem(), workspace.solution());
    REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
  }
}

}  // namespace

}  // namespace transport_test
