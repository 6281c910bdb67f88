// SPDX-License-Identifier: BSL-1.0
// berth's transportation solver behind the shapes S3 and S3c, cold and warm.
#pragma once

#include <berth/solve/certificate.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport.hpp>
#include <berth/solve/transport_problem.hpp>
#include <berth/solve/transport_workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/matching/shapes/records.hpp"
#include "bench/matching/shapes/transport.hpp"

namespace berth_bench {

class berth_transport {
 public:
  explicit berth_transport(transport_shape const& shape) : shape_{shape} { copy_costs(); }

  void solve_cold() {
    reserve();
    status_ = berth::transport_matcher{}.solve(problem(), *workspace_);
  }

  void apply(transport_change const& change) {
    berth_bench::apply(change, shape_);
    changed_ = change.rows;
    copy_costs();
    if (workspace_ && arcs_.size() > most_arcs_) {
      reserve();  // a host would do so between two ticks; the next solve is a cold one
    }
  }
  void apply(supply_change const& change) {
    berth_bench::apply(change, shape_);
    changed_ = change.rows;
  }
  void solve_warm() {
    status_ = berth::transport_matcher{}.resolve(problem(), *workspace_, changed_);
  }

  [[nodiscard]] std::int64_t optimum() const { return workspace_->solution().total; }
  [[nodiscard]] bool is_certified() const {
    return status_ == berth::solve_status::optimal &&
           berth::certify(problem(), workspace_->solution()).holds();
  }

 private:
  using cost = berth::integer_cost;

  /// Rows that arrive later may have more arcs than those that leave.
  void reserve() {
    most_arcs_ = arcs_.size() + arcs_.size() / 8 + 4 * shape_.columns;
    workspace_.emplace(shape_.rows, shape_.columns, most_arcs_);
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
  [[nodiscard]] berth::transport_problem<cost> problem() const {
    return {arcs_, rows_, shape_.supply, shape_.capacity, unmatched_cost_};
  }

  transport_shape shape_;
  std::vector<berth::transport_arc<cost>> arcs_;
  std::vector<berth::transport_row> rows_;
  std::vector<cost> unmatched_cost_;
  std::vector<std::uint32_t> changed_;
  std::size_t most_arcs_ = 0;
  std::optional<berth::transport_workspace<cost>> workspace_;
  berth::solve_status status_ = berth::solve_status::malformed;
};

}  // namespace berth_bench
