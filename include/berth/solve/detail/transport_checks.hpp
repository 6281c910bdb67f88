// SPDX-License-Identifier: BSL-1.0
// What the transportation solver refuses, and the numbers beyond all prices that follow from the
// costs.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// More rows than this, or more units in all, are too_large: sums would leave the safe range.
inline constexpr std::size_t max_transport_rows = std::size_t{1} << 18;
inline constexpr std::int64_t max_transport_units = std::int64_t{1} << 20;

template <class Cost>
[[nodiscard]] bool transport_fits(transport_problem<Cost> const& problem,
                                  transport_memory<Cost> const& memory) noexcept {
  if (problem.rows.size() > max_transport_rows || problem.columns() > (std::size_t{1} << 31) ||
      problem.rows.size() > memory.row_price.size() ||
      problem.columns() > memory.column_price.size() || problem.arcs.size() > memory.flow.size()) {
    return false;
  }
  std::int64_t units = 0;
  for (std::int32_t const supply : problem.supply) {
    units += supply;
  }
  return units <= max_transport_units;
}

/// Whether the arcs of a row lead to columns, and its costs are in range. O(arcs of the row).
template <class Cost>
[[nodiscard]] solve_status check_transport_row(transport_problem<Cost> const& problem,
                                               std::size_t row) noexcept {
  using traits = cost_traits<Cost>;
  auto const columns = static_cast<std::uint32_t>(problem.columns());
  bool leads_somewhere = true;
  bool in_range = traits::in_range(left_out_cost(problem.unmatched_cost, row));
  for (transport_arc<Cost> const& arc : problem.arcs_of(row)) {
    leads_somewhere = leads_somewhere && arc.column < columns;
    in_range = in_range && traits::in_range(arc.cost) && !arc.cost.is_forbidden();
  }
  return !leads_somewhere ? solve_status::malformed
         : in_range       ? solve_status::optimal
                          : solve_status::cost_out_of_range;
}

/// Whether the rows whose units must all go have more of them than all columns take: then nothing
/// has to be tried. O(rows + columns).
template <class Cost>
[[nodiscard]] bool must_ship_too_much(transport_problem<Cost> const& problem) noexcept {
  std::int64_t units = 0;
  for (std::size_t row = 0; row < problem.rows.size(); ++row) {
    units += left_out_cost(problem.unmatched_cost, row).is_forbidden() ? problem.supply[row] : 0;
  }
  for (std::int32_t const room : problem.capacity) {
    units -= room;
  }
  return units > 0;
}

/// Sets what leaving a unit of each row out costs, and the two numbers that stand for "not if it
/// can be avoided" and "not at all". A way through the network visits a row at most once, on at
/// most two arcs, so that 2 × min(rows, columns) + 1 costs bound every price without `dear`. With
/// 2^18 rows and costs of 2^40 `dear` stays below 2^60 and `closed` below 2^62; the sum of a cost
/// and two prices fits. An ordered group that starts with an integer has raw{1} beyond all that
/// starts with zero.
template <class Cost>
void set_transport_limits(transport_problem<Cost> const& problem,
                          transport_memory<Cost>& memory) noexcept {
  using traits = cost_traits<Cost>;
  constexpr auto largest = traits::limit * typename traits::raw{1};
  auto const depth = static_cast<std::int64_t>(std::min(problem.rows.size(), problem.columns()));
  memory.dear = (2 * depth + 3) * largest;
  memory.closed = (8 * depth + 16) * largest;
  memory.must_ship = false;
  for (std::size_t row = 0; row < problem.rows.size(); ++row) {
    Cost const left_out = left_out_cost(problem.unmatched_cost, row);
    memory.waiting[row] = left_out.is_forbidden() ? memory.dear : traits::to_raw(left_out);
    memory.must_ship = memory.must_ship || (left_out.is_forbidden() && problem.supply[row] > 0);
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
