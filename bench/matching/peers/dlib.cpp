// SPDX-License-Identifier: BSL-1.0
#include <bench/matching/peers/dlib.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <dlib/matrix.h>
#include <dlib/optimization/max_cost_assignment.h>

namespace berth_bench {

struct dlib_assignment::matrix {
  dlib::matrix<int> cells;
};

dlib_assignment::dlib_assignment(dense_shape const& shape) : negated_{std::make_unique<matrix>()} {
  negated_->cells.set_size(static_cast<long>(shape.rows), static_cast<long>(shape.columns));
  for (std::size_t row = 0; row < shape.rows; ++row) {
    for (std::size_t column = 0; column < shape.columns; ++column) {
      negated_->cells(static_cast<long>(row), static_cast<long>(column)) =
          -shape.cost[row * shape.columns + column];
    }
  }
}

dlib_assignment::~dlib_assignment() = default;
dlib_assignment::dlib_assignment(dlib_assignment&&) noexcept = default;

void dlib_assignment::solve_cold() {
  std::vector<long> const column_of_row = dlib::max_cost_assignment(negated_->cells);
  optimum_ = 0;
  for (std::size_t row = 0; row < column_of_row.size(); ++row) {
    optimum_ -= negated_->cells(static_cast<long>(row), column_of_row[row]);
  }
}

}  // namespace berth_bench
