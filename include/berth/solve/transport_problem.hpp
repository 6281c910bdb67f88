// SPDX-License-Identifier: BSL-1.0
// The capacitated transportation problem and its solution: rows and columns are classes of equals.
// Each row ships its supply to columns in whole units or leaves units unmatched, no column takes
// more than its capacity, the sum of the costs is least.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// A view of an answer, with the prices that prove it. It lives in the workspace of the solver
/// until the next solve or reserve. The prices are the duals, per unit:
///   row_price[r] <= cost(r, c) + column_price[c]   equal where r ships to c
///   row_price[r] <= unmatched_cost[r]              equal where units of r stay unmatched
///   column_price[c] >= 0                           zero where c has capacity left
template <solver_cost Cost>
struct transport_solution {
  using price = typename cost_traits<Cost>::price;

  std::span<std::int32_t const> flow;             ///< rows × columns, row-major, no gaps
  std::span<std::int32_t const> unmatched_units;  ///< per row
  std::span<price const> row_price;
  std::span<price const> column_price;
  price total{};

  /// Units that row ships to column.
  [[nodiscard]] constexpr std::int32_t units(std::size_t row, std::size_t column) const noexcept {
    return flow[row * column_price.size() + column];
  }
};

/// The spans must outlive the call.
template <solver_cost Cost>
struct transport_problem {
  using cost_type = Cost;
  using solution_type = transport_solution<Cost>;

  cost_matrix_view<Cost> cost;             ///< per unit
  std::span<std::int32_t const> supply;    ///< units per row, >= 0
  std::span<std::int32_t const> capacity;  ///< units per column, >= 0
  /// Per row, what leaving one unit out costs; `forbidden`: all of it must go. Empty: all of all
  /// rows.
  std::span<Cost const> unmatched_cost{};
};

BERTH_NAMESPACE_END
