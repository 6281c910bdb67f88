// SPDX-License-Identifier: BSL-1.0
// Laws of the assignment solver on random problems of every structure: warm answers cost what cold
// ones do, every instruction set finds the same, and a budget brackets the optimum.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/integer_cost.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace assignment_property_test {

namespace {

using namespace berth;

enum class structure : std::uint8_t { uniform, ties, near_ties, distances, products, wide };
constexpr std::uint64_t structure_count = 6;
enum class leaving : std::uint8_t { nobody, dear, likely, some };
constexpr std::uint64_t leaving_count = 4;

template <class Cost>
Cost make_cost(std::int64_t value, std::int64_t rank);
template <>
integer_cost make_cost(std::int64_t value, std::int64_t) {
  return integer_cost{static_cast<std::int32_t>(value)};
}
template <>
gpu_time make_cost(std::int64_t value, std::int64_t) {
  return gpu_time{value};
}
template <>
rank_cost make_cost(std::int64_t value, std::int64_t rank) {
  return {rank, gpu_time{value}};
}

/// A problem whose rows can be drawn anew.
template <class Cost>
class changing_problem {
 public:
  changing_problem(random_source& random, std::size_t rows, std::size_t columns)
      : random_{&random},
        kind_{static_cast<structure>(random.below(structure_count))},
        leaving_{static_cast<leaving>(random.below(leaving_count))},
        forbidden_percent_{random.below(3) == 0 ? random.below(60) : 0},
        rows_{rows},
        columns_{columns},
        cells_(rows * columns),
        unmatched_cost_(leaving_ == leaving::nobody ? 0 : rows) {
    for (std::size_t column = 0; column < columns; ++column) {
      place_.push_back(random.between(0, 9999));
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
      redraw(row);
    }
  }

  void redraw(std::uint32_t row) {
    std::int64_t const place = random_->between(0, 9999);
    for (std::size_t column = 0; column < columns_; ++column) {
      cells_[row * columns_ + column] =
          random_->below(100) < forbidden_percent_ ? Cost::forbidden() : cost(draw(place, column));
    }
    if (leaving_ != leaving::nobody) {
      unmatched_cost_[row] = leaving_ == leaving::dear ? cost(dearest())
                             : leaving_ == leaving::some && random_->below(2) == 0
                                 ? Cost::forbidden()
                                 : cost(draw(place, 0));
    }
  }

  [[nodiscard]] assignment_problem<Cost> view() const {
    return {{cells_, rows_, columns_}, unmatched_cost_};
  }

 private:
  Cost cost(std::int64_t value) { return make_cost<Cost>(value, random_->between(-1, 1)); }
  [[nodiscard]] std::int64_t dearest() const {
    return kind_ == structure::wide ? std::int64_t{1} << 30 : 100'000;
  }
  std::int64_t draw(std::int64_t place, std::size_t column) {
    std::int64_t const there = columns_ == 0 ? 0 : place_[column];
    switch (kind_) {
      case structure::uniform: return random_->between(-50'000, 50'000);
      case structure::ties: return random_->between(0, 3);
      case structure::near_ties: return 1000 * (there % 3) * (place % 3) + random_->between(0, 2);
      case structure::distances: return place < there ? there - place : place - there;
      case structure::products: return place * (1 + there % 8);
      case structure::wide:  // beyond what 32-bit distances could hold
        return (std::int64_t{1} << 30) * (random_->below(2) == 0 ? 1 : -1) / (1 + there % 3);
    }
    return 0;
  }

  random_source* random_;
  structure kind_;
  leaving leaving_;
  std::uint64_t forbidden_percent_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::int64_t> place_;
  std::vector<Cost> cells_;
  std::vector<Cost> unmatched_cost_;
};

/// Half of the problems are square, where the solver takes other ways.
struct size {
  explicit size(random_source& random, std::size_t most)
      : rows{random.below(most + 1)},
        columns{random.below(2) == 0 ? rows : random.below(most + 1)} {}
  std::size_t rows;
  std::size_t columns;
};

template <class Cost>
void require_certified(assignment_problem<Cost> const& problem,
                       assignment_workspace<Cost> const& workspace) {
  certificate const proof = certify(problem, workspace.solution());
  REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
  REQUIRE(workspace.solution().bound == workspace.solution().total);
}

TEST_CASE_TEMPLATE("assignment: a warm answer costs what a cold one does, and is certified", Cost,
                   integer_cost, gpu_time, rank_cost) {
  assignment_matcher const matcher;
  std::uint64_t warm = 0;
  std::uint64_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    size const shape{random, seed % 10 == 0 ? 120u : 24u};
    changing_problem<Cost> problem{random, shape.rows, shape.columns};
    assignment_workspace<Cost> kept(shape.rows, shape.columns);
    assignment_workspace<Cost> fresh(shape.rows, shape.columns);
    solve_status status = matcher.solve(problem.view(), kept);
    for (int round = 0; round < 4 && shape.rows > 0; ++round) {
      std::vector<std::uint32_t> changed;
      for (std::uint64_t count = random.below(1 + shape.rows / 3); count > 0; --count) {
        changed.push_back(static_cast<std::uint32_t>(random.below(shape.rows)));
        problem.redraw(changed.back());
      }
      bool const had_answer = status == solve_status::optimal;
      status = matcher.resolve(problem.view(), kept, changed);
      REQUIRE(status == matcher.solve(problem.view(), fresh));
      if (status != solve_status::optimal) {
        ++refused;
        REQUIRE(kept.solution().column_of_row.empty());
        continue;
      }
      warm += had_answer ? 1u : 0u;
      REQUIRE(kept.solution().total == fresh.solution().total);
      require_certified(problem.view(), kept);
      require_certified(problem.view(), fresh);
    }
  }
  CHECK(warm > 1000);
  CHECK(refused > 100);
}

TEST_CASE_TEMPLATE("assignment: every instruction set finds the same, prices included", Cost,
                   integer_cost, gpu_time) {
  if (best_instruction_set() == instruction_set::plain) {
    MESSAGE("this machine has but one");
  }
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    size const shape{random, seed % 10 == 0 ? 150u : 40u};
    changing_problem<Cost> problem{random, shape.rows, shape.columns};
    assignment_workspace<Cost> fast(shape.rows, shape.columns);
    assignment_workspace<Cost> plain(shape.rows, shape.columns);
    std::vector<std::uint32_t> changed;
    for (int round = 0; round < 3; ++round) {
      solve_status const status = assignment_matcher{}.resolve(problem.view(), fast, changed);
      REQUIRE(assignment_matcher{instruction_set::plain}.resolve(problem.view(), plain, changed) ==
              status);
      auto const a = fast.solution();
      auto const b = plain.solution();
      REQUIRE(std::ranges::equal(a.column_of_row, b.column_of_row));
      REQUIRE(std::ranges::equal(a.row_price, b.row_price));
      REQUIRE(std::ranges::equal(a.column_price, b.column_price));
      if (shape.rows > 0) {
        changed.assign(1, static_cast<std::uint32_t>(random.below(shape.rows)));
        problem.redraw(changed[0]);
      }
    }
  }
}

TEST_CASE_TEMPLATE("assignment: a few new rows at a time among many, searched for from both ends",
                   Cost, integer_cost, gpu_time) {
  assignment_matcher const matcher;
  std::uint64_t warm = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = 96 + random.below(60);
    std::size_t const columns = random.below(2) == 0 ? rows : rows - 5 + random.below(11);
    changing_problem<Cost> problem{random, rows, columns};
    assignment_workspace<Cost> kept(rows, columns);
    assignment_workspace<Cost> plain(rows, columns);
    assignment_workspace<Cost> fresh(rows, columns);
    solve_status status = matcher.solve(problem.view(), kept);
    REQUIRE(assignment_matcher{instruction_set::plain}.solve(problem.view(), plain) == status);
    for (int round = 0; round < 12; ++round) {
      std::vector<std::uint32_t> changed;
      for (std::uint64_t count = random.below(14); count > 0; --count) {
        changed.push_back(static_cast<std::uint32_t>(random.below(rows)));
        problem.redraw(changed.back());
      }
      bool const had_answer = status == solve_status::optimal;
      status = matcher.resolve(problem.view(), kept, changed);
      REQUIRE(status == matcher.solve(problem.view(), fresh));
      REQUIRE(status ==
              assignment_matcher{instruction_set::plain}.resolve(problem.view(), plain, changed));
      if (status != solve_status::optimal) {
        continue;
      }
      warm += had_answer ? 1u : 0u;
      REQUIRE(kept.solution().total == fresh.solution().total);
      require_certified(problem.view(), kept);
      REQUIRE(std::ranges::equal(kept.solution().column_of_row, plain.solution().column_of_row));
      REQUIRE(std::ranges::equal(kept.solution().column_price, plain.solution().column_price));
      REQUIRE(std::ranges::equal(kept.solution().row_price, plain.solution().row_price));
    }
  }
  CHECK(warm > 800);
}

TEST_CASE_TEMPLATE("assignment: a budget brackets the optimum, and a large one finds it", Cost,
                   integer_cost, gpu_time) {
  assignment_matcher const matcher;
  std::uint64_t early = 0;
  std::uint64_t gaps = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    size const shape{random, 40};
    changing_problem<Cost> problem{random, shape.rows, shape.columns};
    assignment_workspace<Cost> exact(shape.rows, shape.columns);
    assignment_workspace<Cost> hasty(shape.rows, shape.columns);
    solve_status const status = matcher.solve(problem.view(), exact);
    solve_status const soon =
        matcher.solve(problem.view(), hasty, {.steps = random.below(1 + 2 * shape.rows)});
    REQUIRE(has_solution(soon) == has_solution(status));
    if (soon == solve_status::feasible) {
      ++early;
      auto const solution = hasty.solution();
      REQUIRE(solution.bound <= exact.solution().total);
      REQUIRE(exact.solution().total <= solution.total);
      gaps += solution.bound < solution.total ? 1u : 0u;
      // The prices prove the bound, and the total is what the matching costs.
      auto const view = problem.view();
      std::int64_t total = 0;
      std::int64_t bound = 0;
      auto const count = [](auto price) { return cost_traits<Cost>::price_to_raw(price); };
      for (std::uint32_t row = 0; row < shape.rows; ++row) {
        std::uint32_t const column = solution.column_of_row[row];
        Cost const cost = column == unmatched ? view.unmatched_cost[row] : view.cost(row, column);
        REQUIRE(!cost.is_forbidden());
        total += cost_traits<Cost>::to_raw(cost);
        bound += count(solution.row_price[row]);
        for (std::uint32_t other = 0; other < shape.columns; ++other) {
          REQUIRE(
              (view.cost(row, other).is_forbidden() ||
               count(solution.row_price[row]) <= cost_traits<Cost>::to_raw(view.cost(row, other)) +
                                                     count(solution.column_price[other])));
        }
      }
      for (std::uint32_t column = 0; column < shape.columns; ++column) {
        REQUIRE(count(solution.column_price[column]) >= 0);
        bound -= count(solution.column_price[column]);
      }
      REQUIRE(total == count(solution.total));
      REQUIRE(bound == count(solution.bound));
    }
    REQUIRE(matcher.resolve(problem.view(), hasty, {}) == status);  // nothing is kept of that
    if (status == solve_status::optimal) {
      REQUIRE(hasty.solution().total == exact.solution().total);
    }
    REQUIRE(matcher.solve(problem.view(), hasty, {.steps = 1'000'000}) == status);
  }
  CHECK(early > 200);
  CHECK(gaps > 100);
}

}  // namespace

}  // namespace assignment_property_test
