// SPDX-License-Identifier: BSL-1.0
// The positional solver on random problems of every structure: against trying everything, against
// the assignment of the expanded problem, against itself cold after any sequence of warm solves,
// under any budget and with every instruction set.
#include <berth/core/random.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/positional.hpp>
#include <berth/solve/positional_certificate.hpp>

#include <tests/support/solver_instances.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace positional_property_test {

namespace {

using namespace berth;
using solver_instances::instance;
using solver_instances::kind_of;

/// Unit rows, a few of them absent, and capacities that are sometimes short.
template <class Cost>
struct positional_instance {
  positional_instance(random_source& random, std::size_t rows, std::size_t columns,
                      std::uint64_t seed)
      : drawn{solver_instances::draw<Cost>(random, rows, columns, kind_of(seed))} {
    auto const most = static_cast<std::int32_t>(rows + random.below(rows + 2));
    solver_instances::add_counts(random, drawn, 0, most);
    if (random.below(2) == 0) {
      for (std::size_t row = 0; row < rows; ++row) {
        present.push_back(random.below(5) == 0 ? 0 : 1);
      }
    }
  }

  [[nodiscard]] positional_problem<Cost> problem() const {
    return {drawn.cost(), drawn.capacity, drawn.unmatched_cost, present};
  }
  /// One column per place, one row per present row.
  [[nodiscard]] instance<Cost> expanded() {
    drawn.supply.clear();
    for (std::size_t row = 0; row < drawn.rows; ++row) {
      drawn.supply.push_back(problem().has_row(row) ? 1 : 0);
    }
    return solver_instances::expand(drawn);
  }

  instance<Cost> drawn;
  std::vector<std::uint8_t> present;
};

TEST_CASE_TEMPLATE("positional: equals the best of all ways to match, and its prices prove it",
                   Cost, gpu_time, rank_cost) {
  positional_workspace<Cost> workspace(7, 5);
  std::uint64_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = random.below(8);
    std::size_t const columns = random.below(6);
    positional_instance<Cost> made{random, rows, columns, seed};
    Cost const least = solver_instances::least_total(made.expanded());
    solve_status const status = positional_matcher{}.solve(made.problem(), workspace);
    solver_instances::check_least(least, status, made.problem(), workspace.solution());
    if (least.is_forbidden()) {
      ++infeasible;
      REQUIRE(workspace.solution().column_of_row.empty());
    }
  }
  CHECK(infeasible > 500);
  CHECK(infeasible < 5000);
}

TEST_CASE_TEMPLATE("positional: samples and lists that run dry change nothing in the optimum", Cost,
                   gpu_time, rank_cost) {
  std::uint64_t optimal = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = 100 + random.below(900);
    std::size_t const columns = 1 + random.below(12);
    positional_instance<Cost> made{random, rows, columns, seed};
    positional_workspace<Cost> workspace(rows, columns);
    solve_status const status = positional_matcher{}.solve(made.problem(), workspace);
    if (seed <= 12) {  // the assignment of the expanded problem is slow, and agrees
      auto const members = made.expanded();
      assignment_workspace<Cost> oracle(members.rows, members.columns);
      REQUIRE(assignment_matcher{}.solve(members.assignment(), oracle) == status);
      REQUIRE(oracle.solution().total == workspace.solution().total);
    }
    if (status != solve_status::optimal) {
      REQUIRE(status == solve_status::infeasible);
      continue;
    }
    ++optimal;
    certificate const proof = certify(made.problem(), workspace.solution());
    REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
  }
  CHECK(optimal > 20);
}

TEST_CASE_TEMPLATE("positional: after any warm solves the optimum is that of a cold one", Cost,
                   gpu_time, rank_cost) {
  std::uint64_t optimal = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = 1 + random.below(60);
    std::size_t const columns = 1 + random.below(8);
    positional_instance<Cost> made{random, rows, columns, seed};
    made.present.assign(rows, 1);
    positional_workspace<Cost> warm(rows, columns);
    positional_workspace<Cost> cold(rows, columns);
    for (int tick = 0; tick < 20; ++tick) {
      CAPTURE(tick);
      auto const other = solver_instances::draw<Cost>(random, rows, columns, kind_of(seed));
      std::vector<std::uint32_t> changed;
      for (std::uint64_t i = random.below(5); i > 0; --i) {
        std::size_t const row = random.below(rows);
        changed.push_back(static_cast<std::uint32_t>(row));
        made.present[row] = random.below(3) == 0 ? 0 : 1;
        for (std::size_t cell = row * columns; cell < (row + 1) * columns; ++cell) {
          made.drawn.cells[cell] = other.cells[cell];
        }
      }
      if (random.below(3) == 0) {
        made.drawn.capacity[random.below(columns)] = static_cast<std::int32_t>(random.below(20));
      }
      solve_status const status = positional_matcher{}.resolve(made.problem(), warm, changed);
      REQUIRE(positional_matcher{}.solve(made.problem(), cold) == status);
      if (status != solve_status::optimal) {
        REQUIRE(status == solve_status::infeasible);
        continue;
      }
      ++optimal;
      REQUIRE(warm.solution().total == cold.solution().total);
      certificate const proof = certify(made.problem(), warm.solution());
      REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
    }
  }
  CHECK(optimal > 1000);
}

TEST_CASE_TEMPLATE("positional: every instruction set finds the same, prices included", Cost,
                   integer_cost, gpu_time) {
  if (best_instruction_set() == instruction_set::plain) {
    MESSAGE("this machine has but one");
  }
  std::uint64_t optimal = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = 1 + random.below(300);
    std::size_t const columns = 1 + random.below(20);
    positional_instance<Cost> made{random, rows, columns, seed};
    positional_workspace<Cost> fast(rows, columns);
    positional_workspace<Cost> plain(rows, columns);
    std::vector<std::uint32_t> changed;
    for (int round = 0; round < 3; ++round) {
      solve_status const status = positional_matcher{}.resolve(made.problem(), fast, changed);
      REQUIRE(positional_matcher{instruction_set::plain}.resolve(made.problem(), plain, changed) ==
              status);
      optimal += status == solve_status::optimal ? 1u : 0u;
      auto const a = fast.solution();
      auto const b = plain.solution();
      REQUIRE(a.total == b.total);
      REQUIRE(std::ranges::equal(a.column_of_row, b.column_of_row));
      REQUIRE(std::ranges::equal(a.column_price, b.column_price));
      if (status == solve_status::optimal) {
        certificate const proof = certify(made.problem(), b);
        REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
      }
      changed.assign(1, static_cast<std::uint32_t>(random.below(rows)));
      std::size_t const other = random.below(rows);
      for (std::size_t column = 0; column < columns; ++column) {
        made.drawn.cells[changed[0] * columns + column] =
            made.drawn.cells[other * columns + columns - 1 - column];
      }
    }
  }
  CHECK(optimal > 200);
}

TEST_CASE_TEMPLATE("positional: every budget ends with a solution if there is one, and a true gap",
                   Cost, gpu_time, rank_cost) {
  std::uint64_t short_of_optimal = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = 1 + random.below(300);
    std::size_t const columns = 1 + random.below(10);
    positional_instance<Cost> made{random, rows, columns, seed};
    positional_workspace<Cost> workspace(rows, columns);
    solve_status const status = positional_matcher{}.solve(made.problem(), workspace);
    auto const optimum = workspace.solution().total;
    for (std::uint64_t const steps : {0u, 1u, 3u, 20u}) {
      CAPTURE(steps);
      solve_status const ended =
          positional_matcher{}.solve(made.problem(), workspace, {.steps = steps});
      if (status == solve_status::infeasible) {
        REQUIRE(ended == solve_status::infeasible);
        continue;
      }
      REQUIRE(has_solution(ended));
      auto const solution = workspace.solution();
      REQUIRE(solution.bound <= optimum);
      REQUIRE(optimum <= solution.total);
      std::vector<std::int32_t> taken(columns);
      auto total = cost_traits<Cost>::from_raw({});
      for (std::size_t row = 0; row < rows; ++row) {
        std::uint32_t const at = solution.column_of_row[row];
        if (made.problem().has_row(row)) {
          total += at == unmatched ? made.drawn.unmatched_cost[row]
                                   : made.drawn.cells[row * columns + at];
        }
        if (at != unmatched) {
          ++taken[at];
        }
      }
      REQUIRE(total == solution.total);
      for (std::size_t column = 0; column < columns; ++column) {
        REQUIRE(taken[column] == solution.rows_in_column[column]);
        REQUIRE(taken[column] <= made.drawn.capacity[column]);
      }
      short_of_optimal += ended == solve_status::feasible ? 1 : 0;
    }
  }
  CHECK(short_of_optimal > 100);
}

}  // namespace

}  // namespace positional_property_test
