// SPDX-License-Identifier: BSL-1.0
// The capacitated transportation problem and its solution: rows and columns are classes of equals.
// Each row ships its supply along its arcs in whole units or leaves units unmatched, no column
// takes more than its capacity, the sum of the costs is least. Sparse: a pair without an arc may
// not be matched at any price.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// A column that a row may ship to.
template <solver_cost Cost>
struct transport_arc {
  std::uint32_t column = 0;
  Cost cost{};  ///< per unit; never forbidden
};

/// Where the arcs of a row lie. Rows with arcs follow each other in rising order and do not
/// overlap; gaps are allowed, so that a row can be replaced in place.
struct transport_row {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// A view of an answer, with the prices that prove it. It lives in the workspace of the solver
/// until the next solve or reserve. The prices are the duals, per unit:
///   row_price[r] <= cost(a) + column_price[c]   for each arc a of r to c, equal where a is used
///   row_price[r] <= unmatched_cost[r]           equal where units of r stay unmatched
///   column_price[c] >= 0                        zero where c has capacity left
/// An answer that is only feasible keeps the inequalities; the equalities are what it lacks.
template <solver_cost Cost>
struct transport_solution {
  using price = typename cost_traits<Cost>::price;

  std::span<std::int32_t const> flow;             ///< per arc of the problem, zero in the gaps
  std::span<std::int32_t const> unmatched_units;  ///< per row
  std::span<price const> row_price;
  std::span<price const> column_price;
  price total{};
  price bound{};  ///< no solution costs less; equals total where that is optimal
};

/// The spans must outlive the call.
template <solver_cost Cost>
struct transport_problem {
  using cost_type = Cost;
  using solution_type = transport_solution<Cost>;

  std::span<transport_arc<Cost> const> arcs;
  std::span<transport_row const> rows;     ///< a row may have no arcs, and at most one per column
  std::span<std::int32_t const> supply;    ///< units per row, >= 0
  std::span<std::int32_t const> capacity;  ///< units per column, >= 0
  /// Per row, what leaving one unit out costs; `forbidden`: all of it must go. Empty: all of all
  /// rows.
  std::span<Cost const> unmatched_cost{};

  [[nodiscard]] constexpr std::size_t columns() const noexcept { return capacity.size(); }
  /// Requires rows that lie within the arcs.
  [[nodiscard]] constexpr std::span<transport_arc<Cost> const> arcs_of(
      std::size_t row) const noexcept {
    return arcs.subspan(rows[row].first, rows[row].count);
  }
  /// Whether the sizes agree, no count is negative, and the rows lie in order within the arcs. Not
  /// whether arcs lead to columns that exist. O(rows + columns).
  [[nodiscard]] constexpr bool is_well_formed() const noexcept {
    if (supply.size() != rows.size() ||
        (!unmatched_cost.empty() && unmatched_cost.size() != rows.size())) {
      return false;
    }
    std::int32_t signs = 0;
    for (std::int32_t const units : supply) {
      signs |= units;
    }
    for (std::int32_t const units : capacity) {
      signs |= units;
    }
    if (signs < 0) {
      return false;
    }
    std::size_t end = 0;
    for (transport_row const& row : rows) {
      if (row.first > arcs.size() || row.count > arcs.size() - row.first ||
          row.count > capacity.size() || (row.count > 0 && row.first < end)) {
        return false;
      }
      end = row.count > 0 ? std::size_t{row.first} + row.count : end;
    }
    return true;
  }
};

BERTH_NAMESPACE_END
