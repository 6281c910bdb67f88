// SPDX-License-Identifier: BSL-1.0
// A read-only dense cost matrix that lives in the caller's memory. A forbidden cell is a pair that
// may not be matched at any price.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>

#include <cstddef>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Row-major; `stride` cells lie between the starts of two rows, so that a matrix may sit in a
/// larger buffer. The cells must outlive the view.
template <solver_cost Cost>
class cost_matrix_view {
 public:
  constexpr cost_matrix_view() noexcept = default;
  constexpr cost_matrix_view(std::span<Cost const> cells, std::size_t rows,
                             std::size_t columns) noexcept
      : cost_matrix_view{cells, rows, columns, columns} {}
  constexpr cost_matrix_view(std::span<Cost const> cells, std::size_t rows, std::size_t columns,
                             std::size_t stride) noexcept
      : cells_{cells}, rows_{rows}, columns_{columns}, stride_{stride} {}

  [[nodiscard]] constexpr std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] constexpr std::size_t columns() const noexcept { return columns_; }
  /// Requires a well-formed view and `row` < rows().
  [[nodiscard]] constexpr std::span<Cost const> row(std::size_t row) const noexcept {
    return columns_ == 0 ? std::span<Cost const>{} : cells_.subspan(row * stride_, columns_);
  }
  /// Requires a well-formed view, `row` < rows() and `column` < columns().
  [[nodiscard]] constexpr Cost operator()(std::size_t row, std::size_t column) const noexcept {
    return cells_[row * stride_ + column];
  }
  /// Whether every cell lies within the buffer. Written with a division: a product could wrap.
  [[nodiscard]] constexpr bool is_well_formed() const noexcept {
    if (rows_ == 0 || columns_ == 0) {
      return true;
    }
    return stride_ >= columns_ && cells_.size() >= columns_ &&
           rows_ - 1 <= (cells_.size() - columns_) / stride_;
  }

 private:
  std::span<Cost const> cells_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t stride_ = 0;
};

BERTH_NAMESPACE_END
