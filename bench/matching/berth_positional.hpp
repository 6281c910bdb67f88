// SPDX-License-Identifier: BSL-1.0
// berth's positional solver behind the shapes S1c and S2c, cold and warm.
#pragma once

#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/positional.hpp>
#include <berth/solve/positional_certificate.hpp>
#include <berth/solve/positional_problem.hpp>
#include <berth/solve/positional_workspace.hpp>
#include <berth/solve/status.hpp>

#include <bench/matching/shapes/dense.hpp>
#include <bench/matching/shapes/positional.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berth_bench {

class berth_positional {
 public:
  explicit berth_positional(positional_shape const& shape)
      : rows_{shape.rows}, columns_{shape.classes}, capacity_{shape.capacity} {
    cost_.reserve(shape.cost.size());
    for (std::int32_t const cost : shape.cost) {
      cost_.emplace_back(cost);
    }
  }

  void solve_cold() {
    workspace_.emplace(rows_, columns_);
    status_ = berth::positional_matcher{}.solve(problem(), *workspace_);
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
    status_ = berth::positional_matcher{}.resolve(problem(), *workspace_, changed_);
  }

  [[nodiscard]] std::int64_t optimum() const { return workspace_->solution().total; }
  [[nodiscard]] bool is_certified() const {
    return status_ == berth::solve_status::optimal &&
           berth::certify(problem(), workspace_->solution()).holds();
  }

 private:
  [[nodiscard]] berth::positional_problem<berth::integer_cost> problem() const {
    return {{cost_, rows_, columns_}, capacity_};
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<berth::integer_cost> cost_;
  std::vector<std::int32_t> capacity_;
  std::vector<std::uint32_t> changed_;
  std::optional<berth::positional_workspace<berth::integer_cost>> workspace_;
  berth::solve_status status_ = berth::solve_status::malformed;
};

}  // namespace berth_bench
