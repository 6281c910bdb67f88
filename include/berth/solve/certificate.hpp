// SPDX-License-Identifier: BSL-1.0
// Proof of optimality by complementary slackness: a solution and prices that satisfy the conditions
// below cannot be beaten, whoever found them and however (Ahuja, Magnanti, Orlin, Network Flows,
// 1993, section 9.3). The check shares no code with a solver, is exact, and believes nothing it can
// compute itself.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/certifier.hpp>
#include <berth/solve/detail/transport_certifier.hpp>
#include <berth/solve/transport_problem.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

namespace detail {

template <solver_cost Cost>
struct assignment_units {
  assignment_solution<Cost> const& solution;
  [[nodiscard]] constexpr std::int64_t shipped(std::size_t row, std::size_t column) const noexcept {
    return solution.column_of_row[row] == column ? 1 : 0;
  }
  [[nodiscard]] constexpr std::int64_t left_out(std::size_t row) const noexcept {
    return solution.column_of_row[row] == unmatched ? 1 : 0;
  }
  [[nodiscard]] static constexpr std::int64_t supply(std::size_t) noexcept { return 1; }
  [[nodiscard]] static constexpr std::int64_t capacity(std::size_t) noexcept { return 1; }
};

}  // namespace detail

/// Whether `solution` is an optimum of `problem`, else what is wrong first. O(rows × columns), no
/// allocation. Any numbers may be passed: a bad one is a defect, not an overflow.
template <solver_cost Cost>
[[nodiscard]] constexpr certificate certify(assignment_problem<Cost> const& problem,
                                            assignment_solution<Cost> const& solution) noexcept {
  std::size_t const rows = problem.cost.rows();
  std::size_t const columns = problem.cost.columns();
  if (solution.column_of_row.size() != rows || solution.row_of_column.size() != columns) {
    return {certificate_defect::shape};
  }
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t const column = solution.column_of_row[row];
    if (column != unmatched && (column >= columns || solution.row_of_column[column] != row)) {
      return {certificate_defect::matching, row, column};
    }
  }
  for (std::uint32_t column = 0; column < columns; ++column) {
    std::uint32_t const row = solution.row_of_column[column];
    if (row != unmatched && (row >= rows || solution.column_of_row[row] != column)) {
      return {certificate_defect::matching, row, column};
    }
  }
  detail::assignment_units<Cost> const units{solution};
  return detail::certifier<Cost, detail::assignment_units<Cost>>{
      problem.cost,          problem.unmatched_cost, solution.row_price,
      solution.column_price, solution.total,         units}
      .run();
}

/// The same for the transportation problem. O(arcs + rows + columns); allocates a number per
/// column, and throws std::bad_alloc.
template <solver_cost Cost>
[[nodiscard]] certificate certify(transport_problem<Cost> const& problem,
                                  transport_solution<Cost> const& solution) {
  return detail::transport_certifier<Cost>{problem, solution}.optimum();
}

/// Whether `solution` is one of `problem`, and its bound is proved by its prices: what a solver
/// that stopped early promises. As certify() otherwise.
template <solver_cost Cost>
[[nodiscard]] certificate certify_bound(transport_problem<Cost> const& problem,
                                        transport_solution<Cost> const& solution) {
  return detail::transport_certifier<Cost>{problem, solution}.bound();
}

BERTH_NAMESPACE_END
