// SPDX-License-Identifier: BSL-1.0
// The matrix once more with its columns in a row each, for searches that start at columns: read
// downwards, each cell of the original lies in another line of the cache and on another page.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/detail/line_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Reserved without being touched: whoever never resolves pays for addresses only.
template <class Cell>
class assignment_transpose {
 public:
  /// Room for all problems up to this size that follow() makes a copy of. Throws std::bad_alloc.
  void reserve(std::size_t most_rows, std::size_t most_columns) {
    std::size_t const rows = std::min(most_rows, most_oblong * most_columns);
    std::size_t const columns = std::min(most_columns, most_oblong * most_rows);
    if (rows >= least_size && columns >= least_size) {
      cells_.reserve(columns * stride_of(rows));
    }
    forget();
  }
  void forget() noexcept {
    is_current_ = false;
    pays_ = true;
    excess_ = 0;
  }
  [[nodiscard]] bool is_current() const noexcept { return is_current_; }

  /// Brings the copy up to date with `cost`, in which only `changed_rows` differ from last time; or
  /// lets go of it where it would not pay: where searches are long; for a small matrix; for one
  /// with many more rows than columns, or fewer, where paths are short; for many changed rows; and
  /// in a copied workspace, which has no room for it.
  void follow(cost_matrix_view<Cell> cost, std::span<std::uint32_t const> changed_rows) noexcept {
    std::size_t const rows = cost.rows();
    std::size_t const columns = cost.columns();
    if (!pays_ || rows < least_size || columns < least_size || rows > most_oblong * columns ||
        columns > most_oblong * rows || columns * stride_of(rows) > cells_.capacity() ||
        changed_rows.size() > rows / 8) {
      is_current_ = false;
    } else if (is_current_) {
      copy(cost, changed_rows);
    } else {
      cells_.resize(columns * stride_of(rows));  // within what is reserved
      copy(cost);
      is_current_ = true;
    }
  }

  /// False once searches that use the copy have turned out to be long.
  [[nodiscard]] bool pays() const noexcept { return pays_; }

  /// A search has read `scans` lines of both matrices, where one from a row alone would be
  /// expected to read `alone`. Where costs are distances or products, most columns lie near one
  /// that is free; then two ends visit as many lines together as one of them alone, in twice as
  /// much memory, and the copy is given up until the next solve from nothing. What searches read
  /// beyond their share adds up, so that a few long ones among short ones do not count (a
  /// cumulative sum: Page, Biometrika 41, 1954).
  void learn_from(std::uint64_t scans, std::uint64_t alone, std::size_t columns) noexcept {
    std::uint64_t const sum = excess_ + scans;
    excess_ = sum - std::min(sum, alone - alone / 4);
    pays_ = excess_ <= columns;
  }

  /// Row c of it is column c. Requires is_current().
  [[nodiscard]] cost_matrix_view<Cell> view(std::size_t rows, std::size_t columns) const noexcept {
    return {cells_, columns, rows, stride_of(rows)};
  }

 private:
  static constexpr std::size_t least_size = 96;
  static constexpr std::size_t most_oblong = 2;
  static constexpr std::size_t tile = 16;  // cells in a line of the cache
  /// A changed row is written into every column: were they a power of two apart, all of these cells
  /// would compete for the same few places of the cache.
  static constexpr std::size_t stride_of(std::size_t rows) noexcept { return rows + tile; }

  void copy(cost_matrix_view<Cell> cost, std::span<std::uint32_t const> rows) noexcept {
    for (std::size_t column = 0; column < cost.columns(); ++column) {
      Cell* const cells = cells_.data() + column * stride_of(cost.rows());
      for (std::uint32_t const row : rows) {
        cells[row] = cost(row, column);
      }
    }
  }
  void copy(cost_matrix_view<Cell> cost) noexcept {
    for (std::size_t top = 0; top < cost.rows(); top += tile) {
      std::size_t const bottom = std::min(top + tile, cost.rows());
      for (std::size_t column = 0; column < cost.columns(); ++column) {
        Cell* const cells = cells_.data() + column * stride_of(cost.rows());
        for (std::size_t row = top; row < bottom; ++row) {
          cells[row] = cost(row, column);
        }
      }
    }
  }

  line_vector<Cell> cells_;
  bool is_current_ = false;
  bool pays_ = true;
  std::uint64_t excess_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
