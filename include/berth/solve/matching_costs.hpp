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

/// What leaving a unit of `row` out costs; no unmatched costs at all means that nothing may be left
/// out.
template <class Cost>
[[nodiscard]] constexpr Cost left_out_cost(std::span<Cost const> unmatched_cost,
                                           std::size_t row) noexcept {
  return unmatched_cost.empty() ? Cost::forbidden() : unmatched_cost[row];
}

/// Whether the entries of one row are forbidden or within the limit of the solvers.
template <class Cost>
[[nodiscard]] constexpr bool row_is_in_range(std::span<Cost const> cells, Cost left_out) noexcept {
  auto const is_in_range = [](Cost entry) { return cost_traits<Cost>::in_range(entry); };
  return std::ranges::all_of(cells, is_in_range) && is_in_range(left_out);
}

/// The same for every row.
template <class Cost>
[[nodiscard]] constexpr bool costs_are_in_range(cost_matrix_view<Cost> cost,
                                                std::span<Cost const> unmatched_cost) noexcept {
  for (std::size_t row = 0; row < cost.rows(); ++row) {
    if (!row_is_in_range(cost.row(row), left_out_cost(unmatched_cost, row))) {
      return false;
    }
  }
  return true;
}

BERTH_NAMESPACE_END
