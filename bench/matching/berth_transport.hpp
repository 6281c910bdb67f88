// SPDX-License-Identifier: BSL-1.0
// berth's transportation solver behind the shapes S3 and S3c, cold and warm.
#pragma once

#include <berth/solve/integer_cost.hpp>
#include <berth/solve/transport.hpp>
#include <berth/solve/transport_problem.hpp>
#include <berth/solve/transport_workspace.hpp>

#include <bench/matching/berth_engine.hpp>
#include <bench/matching/shapes/records.hpp>
#include <bench/matching/shapes/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

class berth_transport : public berth_engine<berth_transport, berth::transport_matcher,
                                            berth::transport_workspace<berth::integer_cost>> {
  using cost = berth::integer_cost;

 public:
  explicit berth_transport(transport_shape const& shape) : shape_{shape} { copy_costs(); }

  void solve_cold() {
    most_arcs_ = room_for_arcs();
    solve_in_fresh_workspace(shape_.rows, shape_.columns, most_arcs_);
  }

  void apply(transport_change const& change) {
    berth_bench::apply(change, shape_);
    changed_ = change.rows;
    copy_costs();
    if (workspace_ && arcs_.size() > most_arcs_) {
      // A host would do so between two ticks; the next solve is a cold one.
      most_arcs_ = room_for_arcs();
      workspace_.emplace(shape_.rows, shape_.columns, most_arcs_);
    }
  }
  void apply(supply_change const& change) {
    berth_bench::apply(change, shape_);
    changed_ = change.rows;
  }
  [[nodiscard]] berth::transport_problem<cost> problem() const {
    return {arcs_, rows_, shape_.supply, shape_.capacity, unmatched_cost_};
  }

 private:
  /// Rows that arrive later may have more arcs than those that leave.
  [[nodiscard]] std::size_t room_for_arcs() const {
    return arcs_.size() + arcs_.size() / 8 + 4 * shape_.columns;
  }

  void copy_costs() {
    arcs_.clear();
    rows_.clear();
    unmatched_cost_.clear();
    for (std::size_t row = 0; row < shape_.rows; ++row) {
      std::uint32_t const first = shape_.first_arc[row];
      rows_.push_back({first, shape_.first_arc[row + 1] - first});
      unmatched_cost_.emplace_back(shape_.unmatched_cost[row]);
    }
    for (std::size_t arc = 0; arc < shape_.arcs(); ++arc) {
      arcs_.push_back({shape_.column[arc], cost{shape_.cost[arc]}});
    }
  }

  transport_shape shape_;
  std::vector<berth::transport_arc<cost>> arcs_;
  std::vector<berth::transport_row> rows_;
  std::vector<cost> unmatched_cost_;
  std::size_t most_arcs_ = 0;
};

}  // namespace berth_bench
