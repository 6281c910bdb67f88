// SPDX-License-Identifier: BSL-1.0
// Random problems for the solvers, of the structures that break solvers: ties, near ties, products,
// negative costs, forbidden cells, idle rows and full columns.
#pragma once

#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/integer_cost.hpp>

#include <tests/support/dense_transport.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace solver_instances {

enum class structure : std::uint8_t { uniform, ties, near_ties, products, negative, extreme };
inline constexpr std::uint64_t structure_count = 6;
/// They take turns.
[[nodiscard]] constexpr structure kind_of(std::uint64_t number) noexcept {
  return static_cast<structure>(number % structure_count);
}

template <class Cost>
Cost make_cost(std::int64_t rank, std::int64_t time);
template <>
inline berth::gpu_time make_cost(std::int64_t, std::int64_t time) {
  return berth::gpu_time{time};
}
template <>
inline berth::integer_cost make_cost(std::int64_t, std::int64_t time) {
  std::int64_t const limit = berth::cost_traits<berth::integer_cost>::limit;
  std::int64_t const nearer =
      time > limit    ? time - (berth::cost_traits<berth::gpu_time>::limit - limit)
      : time < -limit ? time + (berth::cost_traits<berth::gpu_time>::limit - limit)
                      : time;
  return berth::integer_cost{static_cast<std::int32_t>(nearer)};
}
template <>
inline berth::rank_cost make_cost(std::int64_t rank, std::int64_t time) {
  return {rank, berth::gpu_time{time}};
}

/// A problem that owns its numbers.
template <class Cost>
struct instance {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Cost> cells;
  std::vector<Cost> unmatched_cost;
  std::vector<std::int32_t> supply;
  std::vector<std::int32_t> capacity;

  [[nodiscard]] berth::cost_matrix_view<Cost> cost() const { return {cells, rows, columns}; }
  [[nodiscard]] berth::assignment_problem<Cost> assignment() const {
    return {cost(), unmatched_cost};
  }
  [[nodiscard]] tests::dense_transport<Cost> transport() const {
    return {cost(), supply, capacity, unmatched_cost};
  }
};

inline std::int64_t draw_time(berth::random_source& random, structure kind, std::size_t row,
                              std::size_t column) {
  switch (kind) {
    case structure::uniform: return random.between(0, 1'000'000);
    case structure::ties: return random.between(0, 3);
    case structure::near_ties:
      return static_cast<std::int64_t>(1000 * (1 + (row % 3) * (column % 3))) +
             random.between(0, 1);
    case structure::products:
      return static_cast<std::int64_t>((row * 37 % 11 + 1) * (column % 8 + 1));
    case structure::negative: return random.between(-50, 50);
    case structure::extreme: {
      std::int64_t const limit = berth::cost_traits<berth::gpu_time>::limit;
      return random.below(2) == 0 ? limit - random.between(0, 2) : random.between(0, 2) - limit;
    }
  }
  return 0;
}

/// `forbidden_percent` of the cells; staying unmatched is free to all, to some or to none.
template <class Cost>
instance<Cost> draw(berth::random_source& random, std::size_t rows, std::size_t columns,
                    structure kind) {
  instance<Cost> drawn{rows, columns, {}, {}, {}, {}};
  std::uint64_t const forbidden_percent = random.below(3) == 0 ? 0 : random.below(70);
  std::int64_t const rank_span = random.between(0, 3);
  auto const cost = [&](std::size_t row, std::size_t column) {
    return make_cost<Cost>(random.between(-rank_span, rank_span),
                           draw_time(random, kind, row, column));
  };
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      drawn.cells.push_back(random.below(100) < forbidden_percent ? Cost::forbidden()
                                                                  : cost(row, column));
    }
  }
  std::uint64_t const mode = random.below(4);  // none may stay, some may, all may (twice as often)
  for (std::size_t row = 0; row < rows && mode > 0; ++row) {
    drawn.unmatched_cost.push_back(mode == 1 && random.below(2) == 0 ? Cost::forbidden()
                                                                     : cost(row, row));
  }
  return drawn;
}

/// Supplies and capacities whose sums stay within the bounds, zeros included.
template <class Cost>
void add_counts(berth::random_source& random, instance<Cost>& drawn, std::int32_t most_units,
                std::int32_t most_capacity) {
  auto const spread = [&](std::size_t count, std::int32_t most, std::vector<std::int32_t>& into) {
    into.assign(count, 0);
    for (std::int32_t unit = 0; unit < most && count > 0; ++unit) {
      if (random.below(4) != 0) {
        ++into[random.below(count)];
      }
    }
  };
  spread(drawn.rows, most_units, drawn.supply);
  spread(drawn.columns, most_capacity, drawn.capacity);
}

/// The least total over every way to match, by trying all of them; forbidden if there is none.
/// Sums with the saturating arithmetic of the cost, which the solvers do not use. columns <= 20.
template <class Cost>
Cost least_total(instance<Cost> const& problem) {
  std::size_t const masks = std::size_t{1} << problem.columns;
  std::vector<Cost> best(masks, Cost::forbidden());
  best[0] = Cost{};
  for (std::size_t row = 0; row < problem.rows; ++row) {
    std::vector<Cost> next(masks, Cost::forbidden());
    for (std::size_t mask = 0; mask < masks; ++mask) {
      if (best[mask].is_forbidden()) {
        continue;
      }
      if (!problem.unmatched_cost.empty()) {
        Cost const stays = best[mask] + problem.unmatched_cost[row];
        next[mask] = stays < next[mask] ? stays : next[mask];
      }
      for (std::size_t column = 0; column < problem.columns; ++column) {
        std::size_t const with = mask | (std::size_t{1} << column);
        Cost const goes = best[mask] + problem.cells[row * problem.columns + column];
        if (with != mask && goes < next[with]) {
          next[with] = goes;
        }
      }
    }
    best = next;
  }
  Cost least = Cost::forbidden();
  for (Cost const total : best) {
    least = total < least ? total : least;
  }
  return least;
}

/// One row for each unit and one column for each place: the transportation problem as an
/// assignment.
template <class Cost>
instance<Cost> expand(instance<Cost> const& problem) {
  instance<Cost> expanded;
  for (std::size_t row = 0; row < problem.rows; ++row) {
    for (std::int32_t unit = 0; unit < problem.supply[row]; ++unit) {
      ++expanded.rows;
      if (!problem.unmatched_cost.empty()) {
        expanded.unmatched_cost.push_back(problem.unmatched_cost[row]);
      }
      for (std::size_t column = 0; column < problem.columns; ++column) {
        for (std::int32_t place = 0; place < problem.capacity[column]; ++place) {
          expanded.cells.push_back(problem.cells[row * problem.columns + column]);
        }
      }
    }
  }
  for (std::int32_t const capacity : problem.capacity) {
    expanded.columns += static_cast<std::size_t>(capacity);
  }
  return expanded;
}

/// What a solver has to answer where `least` is the least total: that, with prices that prove it,
/// or that there is no way to match at all.
template <class Cost, class Problem, class Solution>
void check_least(Cost least, berth::solve_status status, Problem const& problem,
                 Solution const& solution) {
  if (least.is_forbidden()) {
    REQUIRE(status == berth::solve_status::infeasible);
    return;
  }
  REQUIRE(status == berth::solve_status::optimal);
  REQUIRE(solution.total == least);
  berth::certificate const proof = certify(problem, solution);
  REQUIRE_MESSAGE(proof.holds(), to_string(proof.defect));
}

}  // namespace solver_instances
