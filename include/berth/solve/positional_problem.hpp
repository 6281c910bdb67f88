// SPDX-License-Identifier: BSL-1.0
// The positional matching problem and its solution: many unit rows, few columns, each of them a
// class of equal places with a capacity. AlloX is the model (Le, Sun, Chowdhury and Liu, EuroSys
// 2020, section 4): a column is (GPU type, position from the end of a machine's queue), its
// capacity the machines of the type, and a job of length p at position k delays k jobs: cost k·p.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/matching_costs.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// A view of an answer, with the prices that prove it. It lives in the workspace of the solver
/// until the next solve, resolve or reserve. The price of a row is row_price(); with it
///   row_price <= cost(r, c) + column_price[c]   equal where r takes c
///   row_price <= unmatched_cost[r]              equal where r stays unmatched
///   column_price[c] >= 0                        zero where c has capacity left
template <solver_cost Cost>
struct positional_solution {
  using price = typename cost_traits<Cost>::price;

  std::span<std::uint32_t const> column_of_row;  ///< `unmatched`: left out, or not present
  std::span<std::int32_t const> rows_in_column;
  std::span<price const> column_price;
  price total{};
  price bound{};  ///< no solution costs less; equal to total when that is optimal
};

/// The spans must outlive the call.
template <solver_cost Cost>
struct positional_problem {
  using cost_type = Cost;
  using solution_type = positional_solution<Cost>;

  cost_matrix_view<Cost> cost;
  std::span<std::int32_t const> capacity;  ///< rows that a column takes, >= 0
  /// Per row, what leaving it out costs; `forbidden`: that row must be matched. Empty: all must.
  std::span<Cost const> unmatched_cost{};
  /// Per row, 0 where it is not there at all: it takes no place and costs nothing. Empty: all are.
  std::span<std::uint8_t const> is_present{};

  [[nodiscard]] constexpr bool has_row(std::size_t row) const noexcept {
    return is_present.empty() || is_present[row] != 0;
  }
};

/// What having `row` in costs at the prices of `solution`; unreachable where it has nowhere to
/// go. Not stored, because a warm solve changes a few column prices and with them the prices of
/// nearly all rows. O(columns).
template <solver_cost Cost>
[[nodiscard]] constexpr typename cost_traits<Cost>::raw row_price(
    positional_problem<Cost> const& problem, positional_solution<Cost> const& solution,
    std::size_t row) noexcept {
  using traits = cost_traits<Cost>;
  Cost const left_out = left_out_cost(problem.unmatched_cost, row);
  auto least = left_out.is_forbidden() ? traits::unreachable : traits::to_raw(left_out);
  for (std::size_t column = 0; column < problem.cost.columns(); ++column) {
    if (Cost const cost = problem.cost(row, column); !cost.is_forbidden()) {
      auto const asked = traits::to_raw(cost) + traits::price_to_raw(solution.column_price[column]);
      least = asked < least ? asked : least;
    }
  }
  return least;
}

BERTH_NAMESPACE_END
