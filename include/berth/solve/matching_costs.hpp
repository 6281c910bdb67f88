// SPDX-License-Identifier: BSL-1.0
// What every matcher, the ones here or one behind the same seam, asks of a cost matrix and its
// unmatched costs before and while it solves.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Whether the sizes of a matcher's costs agree: no unmatched costs, or one per row.
template <class Cost>
[[nodiscard]] constexpr bool costs_are_well_formed(cost_matrix_view<Cost> cost,
                                                   std::span<Cost const> unmatched_cost) noexcept {
  return cost.is_well_formed() && (unmatched_cost.empty() || unmatched_cost.size() == cost.rows());
}

/// Whether every entry is forbidden or within the limit of the solvers.
template <class Cost>
[[nodiscard]] constexpr bool costs_are_in_range(cost_matrix_view<Cost> cost,
                                                std::span<Cost const> unmatched_cost) noexcept {
  auto const is_in_range = [](Cost entry) { return cost_traits<Cost>::in_range(entry); };
  for (std::size_t row = 0; row < cost.rows(); ++row) {
    if (!std::ranges::all_of(cost.row(row), is_in_range)) {
      return false;
    }
  }
  return std::ranges::all_of(unmatched_cost, is_in_range);
}

/// What leaving a unit of `row` out costs; no unmatched costs at all means that nothing may be left
/// out.
template <class Cost>
[[nodiscard]] constexpr Cost left_out_cost(std::span<Cost const> unmatched_cost,
                                           std::size_t row) noexcept {
  return unmatched_cost.empty() ? Cost::forbidden() : unmatched_cost[row];
}

/// The highest price of a row at which none of its reduced costs is negative; unreachable if the
/// row has no way to go at all.
template <class Cost>
[[nodiscard]] constexpr typename cost_traits<Cost>::raw first_price(
    std::span<Cost const> cells, Cost left_out,
    std::span<typename cost_traits<Cost>::raw const> column_price) noexcept {
  using traits = cost_traits<Cost>;
  auto price = left_out.is_forbidden() ? traits::unreachable : traits::to_raw(left_out);
  for (std::size_t column = 0; column < cells.size(); ++column) {
    if (!cells[column].is_forbidden()) {
      price = std::min(price, traits::to_raw(cells[column]) + column_price[column]);
    }
  }
  return price;
}

BERTH_NAMESPACE_END
