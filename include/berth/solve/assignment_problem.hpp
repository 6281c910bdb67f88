// SPDX-License-Identifier: BSL-1.0
// The rectangular assignment problem and its solution: each row takes one column or stays
// unmatched, each column serves at most one row, the sum of the costs is least.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>

#include <cstdint>
#include <limits>
#include <span>

BERTH_NAMESPACE_BEGIN

/// In column_of_row: the row stays unmatched. In row_of_column: the column serves nobody.
inline constexpr std::uint32_t unmatched = std::numeric_limits<std::uint32_t>::max();

/// A view of an answer, with the prices that prove it. It lives in the workspace of the solver
/// until the next solve or reserve. The prices are the duals:
///   row_price[r] <= cost(r, c) + column_price[c]   equal where r takes c
///   row_price[r] <= unmatched_cost[r]              equal where r stays unmatched
///   column_price[c] >= 0                           zero where c serves nobody
/// so a row's price is what having that row in costs, and a column's what a second one like it
/// saves. After solve_status::feasible they need not be equal or zero where it says so, and prove
/// `bound`: the sum of the row prices less that of the column prices.
template <solver_cost Cost>
struct assignment_solution {
  using price = typename cost_traits<Cost>::price;

  std::span<std::uint32_t const> column_of_row;
  std::span<std::uint32_t const> row_of_column;
  std::span<price const> row_price;
  std::span<price const> column_price;
  price total{};  ///< matched cells plus the unmatched costs of the rows left out
  price bound{};  ///< no solution costs less; equal to total unless the solver stopped early
};

/// The spans must outlive the call. Rows may outnumber columns and the other way round.
template <solver_cost Cost>
struct assignment_problem {
  using cost_type = Cost;
  using solution_type = assignment_solution<Cost>;

  cost_matrix_view<Cost> cost;
  /// Per row, what leaving it out costs; `forbidden`: that row must be matched. Empty: all must.
  std::span<Cost const> unmatched_cost{};
};

BERTH_NAMESPACE_END
