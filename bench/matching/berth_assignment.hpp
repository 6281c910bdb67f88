// SPDX-License-Identifier: BSL-1.0
// berth's assignment solver behind the shapes S1 and S2, cold and warm.
#pragma once

#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/status.hpp>

#include <bench/matching/shapes/dense.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berth_bench {

class berth_assignment {
 public:
  explicit berth_assignment(dense_shape const& shape) : rows_{shape.rows}, columns_{shape.columns} {
    cost_.reserve(shape.cost.size());
    for (std::int32_t const cost : shape.cost) {
      cost_.emplace_back(cost);
    }
  }

  void solve_cold() {
    workspace_.emplace(rows_, columns_);
    status_ = berth::assignment_matcher{}.solve(problem(), *workspace_);
  }

  void apply(matrix_change const& change) {
    changed_ = change.rows;
    for (std::size_t i = 0; i < change.rows.size(); ++i) {
      for (std::size_t column = 0; column < columns_; ++column) {
        cost_[change.rows[i] * columns_ + column] =
            berth::integer_cost{change.cost[i * columns_ + column]};
      }
    }
  }
  void solve_warm() {
    status_ = berth::assignment_matcher{}.resolve(problem(), *workspace_, changed_);
  }

  [[nodiscard]] std::int64_t optimum() const { return workspace_->solution().total; }
  [[nodiscard]] bool is_certified() const {
    return status_ == berth::solve_status::optimal &&
           berth::certify(problem(), workspace_->solution()).holds();
  }

 private:
  [[nodiscard]] berth::assignment_problem<berth::integer_cost> problem() const {
    return {{cost_, rows_, columns_}};
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<berth::integer_cost> cost_;
  std::vector<std::uint32_t> changed_;
  std::optional<berth::assignment_workspace<berth::integer_cost>> workspace_;
  berth::solve_status status_ = berth::solve_status::malformed;
};

}  // namespace berth_bench
