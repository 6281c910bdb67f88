// SPDX-License-Identifier: BSL-1.0
// What berth's engines have in common: a matcher, its workspace, and what was answered.
#pragma once

#include <berth/solve/certificate.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/status.hpp>

#include <bench/matching/shapes/dense.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berth_bench {

/// `Engine` derives from this and has problem().
template <class Engine, class Matcher, class Workspace>
class berth_engine {
 public:
  void solve_warm() { status_ = Matcher{}.resolve(self().problem(), *workspace_, changed_); }
  [[nodiscard]] std::int64_t optimum() const { return workspace_->solution().total; }
  [[nodiscard]] bool is_certified() const {
    return status_ == berth::solve_status::optimal &&
           certify(self().problem(), workspace_->solution()).holds();
  }

 protected:
  template <class... Sizes>
  void solve_in_fresh_workspace(Sizes... sizes) {
    workspace_.emplace(sizes...);
    status_ = Matcher{}.solve(self().problem(), *workspace_);
  }

  std::vector<std::uint32_t> changed_;
  std::optional<Workspace> workspace_;

 private:
  [[nodiscard]] Engine const& self() const { return static_cast<Engine const&>(*this); }
  berth::solve_status status_ = berth::solve_status::malformed;
};

/// A dense matrix of costs as berth takes it.
class cost_matrix {
 public:
  cost_matrix(std::size_t rows, std::size_t columns, std::vector<std::int32_t> const& costs)
      : rows_{rows}, columns_{columns} {
    cells_.reserve(costs.size());
    for (std::int32_t const cost : costs) {
      cells_.emplace_back(cost);
    }
  }
  void apply(matrix_change const& change) {
    for (std::size_t i = 0; i < change.rows.size(); ++i) {
      for (std::size_t column = 0; column < columns_; ++column) {
        cells_[change.rows[i] * columns_ + column] =
            berth::integer_cost{change.cost[i * columns_ + column]};
      }
    }
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] berth::cost_matrix_view<berth::integer_cost> view() const {
    return {cells_, rows_, columns_};
  }

 private:
  std::size_t rows_;
  std::size_t columns_;
  std::vector<berth::integer_cost> cells_;
};

}  // namespace berth_bench
