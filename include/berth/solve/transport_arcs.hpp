// SPDX-License-Identifier: BSL-1.0
// From a dense cost matrix to the arcs of a transportation problem, in the caller's memory.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/transport_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Writes one arc for each cell that is not forbidden, row by row without gaps, and where each row
/// lies; returns the arcs written. `arcs` needs room for every such cell, `rows` for every row, and
/// there are at most 2^32 - 1 cells; of what does not fit nothing is written, so that the problem
/// made of it is malformed. O(rows × columns).
template <solver_cost Cost>
constexpr std::span<transport_arc<Cost> const> write_arcs(cost_matrix_view<Cost> cost,
                                                          std::span<transport_arc<Cost>> arcs,
                                                          std::span<transport_row> rows) noexcept {
  std::size_t written = 0;
  if (!cost.is_well_formed() || rows.size() < cost.rows()) {
    return {};
  }
  for (std::size_t row = 0; row < cost.rows(); ++row) {
    std::size_t const first = written;
    auto const cells = cost.row(row);
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (cells[column].is_forbidden()) {
        continue;
      }
      if (written == arcs.size()) {
        return {};
      }
      arcs[written++] = {static_cast<std::uint32_t>(column), cells[column]};
    }
    rows[row] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(written - first)};
  }
  return arcs.first(written);
}

BERTH_NAMESPACE_END
