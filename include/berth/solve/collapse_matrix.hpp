// SPDX-License-Identifier: BSL-1.0
// Equal columns of a dense cost matrix as one class with a capacity, for callers that have only the
// matrix. Method: partition refinement, row by row. Columns stay together while they agree with the
// first of their class; a row in which some do not splits those off. So one pass over the matrix
// is exact, and a matrix without equal columns is found out in its first rows.
// Complexity: O(rows × columns), and O(columns × classes) for each row that splits a class, of
// which there are fewer than classes.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/collapse.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/collapse_hash.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// The classes of the columns of a matrix, and the matrix with one column for each. Only the
/// constructor and reserve() allocate.
template <solver_cost Cost>
class column_classes {
 public:
  column_classes() = default;
  column_classes(std::size_t rows, std::size_t columns, std::size_t classes) {
    reserve(rows, columns, classes);
  }

  /// Makes room for matrices up to this size with up to that many classes; never shrinks. Forgets
  /// the classes. Throws std::bad_alloc.
  void reserve(std::size_t rows, std::size_t columns, std::size_t classes) {
    rows_ = classes_ = 0;
    most_rows_ = std::max(rows, most_rows_);
    first_column_.resize(std::max(classes, first_column_.size()));
    capacity_.resize(first_column_.size());
    split_from_.resize(first_column_.size());
    free_column_.resize(first_column_.size());
    cell_.resize(most_rows_ * first_column_.size());
    class_of_column_.resize(std::max(columns, class_of_column_.size()));
    twin_.resize(class_of_column_.size());
    next_.resize(class_of_column_.size());
  }

  /// Finds the classes. optimal | malformed | too_large: beyond what was reserved, which for the
  /// number of classes means that collapsing is not worth while; then there are none. Numbers are
  /// given in the order in which columns differ: by row, then by column.
  [[nodiscard]] solve_status collapse(cost_matrix_view<Cost> matrix) noexcept {
    rows_ = classes_ = columns_ = 0;
    std::size_t const columns = matrix.columns();
    if (!matrix.is_well_formed()) {
      return solve_status::malformed;
    }
    if (matrix.rows() > most_rows_ || columns > class_of_column_.size()) {
      return solve_status::too_large;
    }
    std::fill_n(class_of_column_.begin(), columns, 0u);
    std::fill_n(twin_.begin(), columns, 0u);
    std::size_t classes = 0;
    if (columns > 0 && !open(classes, 0, 0)) {
      return solve_status::too_large;
    }
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
      std::span<Cost const> const cells = matrix.row(row);
      if (splits(cells) && !split(cells, row, classes)) {
        return solve_status::too_large;
      }
      for (std::size_t at = 0; at < classes; ++at) {
        cell_[row * stride() + at] = cells[first_column_[at]];
      }
    }
    std::fill_n(capacity_.begin(), classes, 0);
    for (std::size_t column = 0; column < columns; ++column) {
      ++capacity_[class_of_column_[column]];
    }
    rows_ = matrix.rows();
    columns_ = columns;
    classes_ = classes;
    return solve_status::optimal;
  }

  /// One column per class.
  [[nodiscard]] cost_matrix_view<Cost> cost() const noexcept {
    return {cell_, rows_, classes_, stride()};
  }
  /// How many columns each class has.
  [[nodiscard]] std::span<std::int32_t const> capacity() const noexcept {
    return {capacity_.data(), classes_};
  }
  [[nodiscard]] std::span<std::uint32_t const> class_of_column() const noexcept {
    return {class_of_column_.data(), columns_};
  }

  /// Gives each row, in their order, the lowest free column of its class, `unmatched` where it has
  /// none. `column_of_row` may be the same memory. false, and rows beyond keep what they had, if a
  /// class is out of bounds or has more rows than columns. O(rows + columns).
  [[nodiscard]] bool expand(std::span<std::uint32_t const> class_of_row,
                            std::span<std::uint32_t> column_of_row) noexcept {
    // The free columns of each class, as lists in ascending order.
    for (std::size_t at = 0; at < classes_; ++at) {
      free_column_[at] = unmatched;
    }
    for (std::size_t column = columns_; column-- > 0;) {
      std::uint32_t& head = free_column_[class_of_column_[column]];
      next_[column] = head;
      head = static_cast<std::uint32_t>(column);
    }
    if (column_of_row.size() < class_of_row.size()) {
      return false;
    }
    for (std::size_t row = 0; row < class_of_row.size(); ++row) {
      std::uint32_t const at = class_of_row[row];
      if (at != unmatched && (at >= classes_ || free_column_[at] == unmatched)) {
        return false;
      }
      column_of_row[row] = at == unmatched ? unmatched : free_column_[at];
      if (at != unmatched) {
        free_column_[at] = next_[free_column_[at]];
      }
    }
    return true;
  }

 private:
  [[nodiscard]] std::size_t stride() const noexcept { return first_column_.size(); }

  /// Whether some column differs from the first of its class in this row.
  [[nodiscard]] bool splits(std::span<Cost const> cells) const noexcept {
    std::uint32_t const* const twin = twin_.data();
    bool is_any = false;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      bool const is_other = !(cells[column] == cells[twin[column]]);
      is_any = is_any | is_other;
    }
    return is_any;
  }

  bool open(std::size_t& classes, std::uint32_t column, std::uint32_t from) noexcept {
    if (classes == first_column_.size()) {
      return false;
    }
    first_column_[classes] = column;
    split_from_[classes] = from;
    ++classes;
    return true;
  }

  /// Splits the classes of columns that differ in this row; the new ones agree with the old ones
  /// in all rows before. False if there are too many.
  bool split(std::span<Cost const> cells, std::size_t row, std::size_t& classes) noexcept {
    std::size_t const first_new = classes;
    for (std::uint32_t column = 0; column < cells.size(); ++column) {
      if (cells[column] == cells[twin_[column]]) {
        continue;
      }
      std::uint32_t const from = class_of_column_[column];
      std::size_t at = first_new;
      while (at < classes &&
             (split_from_[at] != from || !(cells[first_column_[at]] == cells[column]))) {
        ++at;
      }
      if (at == classes && !open(classes, column, from)) {
        return false;
      }
      class_of_column_[column] = static_cast<std::uint32_t>(at);
      twin_[column] = first_column_[at];
    }
    for (std::size_t at = first_new; at < classes; ++at) {
      for (std::size_t before = 0; before < row; ++before) {
        cell_[before * stride() + at] = cell_[before * stride() + split_from_[at]];
      }
    }
    return true;
  }

  std::size_t most_rows_ = 0;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t classes_ = 0;
  std::vector<Cost> cell_;
  std::vector<std::int32_t> capacity_;
  std::vector<std::uint32_t> first_column_;  ///< per class, its lowest column
  std::vector<std::uint32_t> split_from_;    ///< per class, the one it was split off from
  std::vector<std::uint32_t> class_of_column_;
  std::vector<std::uint32_t> twin_;         ///< per column, the lowest of its class
  std::vector<std::uint32_t> free_column_;  ///< per class, the lowest that expand() has left
  std::vector<std::uint32_t> next_;         ///< per column, the next free one of its class
};

/// For class_index over the rows of a matrix, keyed by row number: rows are equal where all their
/// cells and their unmatched costs are. The matrix must not change while they are in use.
template <solver_cost Cost>
struct row_hash {
  cost_matrix_view<Cost> cost;
  std::span<Cost const> unmatched_cost{};

  [[nodiscard]] std::uint64_t operator()(std::uint32_t row) const noexcept {
    std::uint64_t hash = unmatched_cost.empty() ? 0 : word(unmatched_cost[row]);
    for (Cost const cell : cost.row(row)) {
      hash = detail::mixed(hash, word(cell));
    }
    return hash;
  }

 private:
  [[nodiscard]] static std::uint64_t word(Cost cell) noexcept {
    return cell.is_forbidden() ? ~std::uint64_t{0} : bytes_hash{}(cost_traits<Cost>::to_raw(cell));
  }
};
template <solver_cost Cost>
struct rows_equal {
  cost_matrix_view<Cost> cost;
  std::span<Cost const> unmatched_cost{};

  [[nodiscard]] bool operator()(std::uint32_t a, std::uint32_t b) const noexcept {
    return std::ranges::equal(cost.row(a), cost.row(b)) &&
           (unmatched_cost.empty() || unmatched_cost[a] == unmatched_cost[b]);
  }
};

BERTH_NAMESPACE_END
