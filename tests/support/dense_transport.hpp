// SPDX-License-Identifier: BSL-1.0
// A transportation problem written down as a dense matrix, and its flow read back as one: what
// tests and oracles can be read by.
#pragma once

#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/transport_arcs.hpp>
#include <berth/solve/transport_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tests {

/// Owns all its numbers. Forbidden cells are arcs that are missing.
template <class Cost>
class dense_transport {
 public:
  dense_transport(berth::cost_matrix_view<Cost> cost, std::vector<std::int32_t> supply,
                  std::vector<std::int32_t> capacity, std::vector<Cost> unmatched_cost = {})
      : arcs_(cost.rows() * cost.columns()),
        rows_(cost.rows()),
        supply_{std::move(supply)},
        capacity_{std::move(capacity)},
        unmatched_cost_{std::move(unmatched_cost)} {
    arcs_.resize(berth::write_arcs<Cost>(cost, std::span{arcs_}, std::span{rows_}).size());
  }

  [[nodiscard]] berth::transport_problem<Cost> problem() const {
    return {arcs_, rows_, supply_, capacity_, unmatched_cost_};
  }

 private:
  std::vector<berth::transport_arc<Cost>> arcs_;
  std::vector<berth::transport_row> rows_;
  std::vector<std::int32_t> supply_;
  std::vector<std::int32_t> capacity_;
  std::vector<Cost> unmatched_cost_;
};

/// rows × columns, row-major.
template <class Cost>
std::vector<std::int32_t> dense_flow(berth::transport_problem<Cost> const& problem,
                                     berth::transport_solution<Cost> const& solution) {
  std::vector<std::int32_t> flow(problem.rows.size() * problem.columns());
  for (std::size_t row = 0; row < problem.rows.size(); ++row) {
    berth::transport_row const lies = problem.rows[row];
    for (std::size_t arc = lies.first; arc < std::size_t{lies.first} + lies.count; ++arc) {
      flow[row * problem.columns() + problem.arcs[arc].column] += solution.flow[arc];
    }
  }
  return flow;
}

}  // namespace tests
