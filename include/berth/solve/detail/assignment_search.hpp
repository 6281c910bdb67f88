// SPDX-License-Identifier: BSL-1.0
// The exact part of the assignment solver: a row enters by its shortest alternating path, and a
// column that nobody wants any more gives up its price (Jonker and Volgenant, Computing 38, 1987;
// rectangular: Crouse, IEEE TAES 52(4), 2016). Leaving a row out is a column of its own with room
// for it alone: it needs no memory and no price.
// Between calls, with r(i) the cheapest way for row i to go at the prices: a row that has a column,
// or was left out, goes that cheapest way; no price is negative; a column that has no row has
// price zero, but for those that release() is still to be called for.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/assignment_workspace.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/detail/assignment_scanner.hpp>
#include <berth/solve/detail/assignment_word.hpp>
#include <berth/solve/matching_costs.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// A problem half solved: views of the matrix and of the workspace.
template <class Cost, class Word>
struct assignment_search {
  using word = assignment_word<Word>;
  /// Pairs are searched one column at a time, as the lowest index would be by hand; integers settle
  /// all columns that are equally near at once.
  static constexpr bool settles_all_ties = std::integral<Word>;

  cost_matrix_view<Cost> cost;
  assignment_numbers<Word>& numbers;
  assignment_indices& indices;
  scanner<Cost, Word> scan;
  Word base{};              ///< integers only: no cell, price included, is below it
  std::uint64_t scans = 0;  ///< rows read by enter() so far

  [[nodiscard]] std::uint32_t rows() const noexcept {
    return static_cast<std::uint32_t>(cost.rows());
  }
  [[nodiscard]] std::uint32_t columns() const noexcept {
    return static_cast<std::uint32_t>(cost.columns());
  }
  [[nodiscard]] Word priced(std::uint32_t row, std::uint32_t column) const noexcept {
    return to_word<Word>(cost(row, column)) + numbers.column_price[column];
  }
  /// What a row that has a column goes for: it is not worth a look into the matrix.
  [[nodiscard]] Word row_price(std::uint32_t row) const noexcept {
    return numbers.own_cost[row] + numbers.column_price[indices.column_of_row[row]];
  }

  void match(std::uint32_t row, std::uint32_t column) noexcept {
    indices.column_of_row[row] = column;
    indices.row_of_column[column] = row;
    numbers.own_cost[row] = to_word<Word>(cost(row, column));
  }

  /// Lets `root`, which has no place, in; false if there is no way.
  bool enter(std::uint32_t root) noexcept {
    Word const start = start_of(root);
    if (start == word::unreachable) {
      return false;
    }
    std::fill_n(numbers.distance.begin(), columns(), word::unreachable);
    std::uint32_t settled = 0;
    std::uint32_t visited = 0;
    Word level{};
    std::uint32_t exit_row = unmatched;  // the row that is cheapest to leave out, so far
    Word exit = word::unreachable;
    std::uint32_t end = unmatched;
    reached_line<Cost, Word> lines[lines_at_once]{{cost.row(root).data(), Word{} - start, root}};
    std::size_t count = 1;
    for (;;) {
      for (auto const& line : std::span{lines, count}) {
        if (Word const left_out = numbers.left_out[line.index]; left_out < word::unreachable) {
          if (Word const distance = line.offset + left_out; distance < exit) {
            exit = distance;
            exit_row = line.index;
          }
        }
      }
      scans += count;
      Word const nearest =
          scan.relax(std::span{lines, count}, numbers.column_price.data(), word::unreachable,
                     columns(), numbers.distance.data(), indices.reached_from.data());
      if (visited == settled || nearest == level) {
        if (nearest == word::unreachable || exit < nearest) {
          break;
        }
        level = nearest;
        end = settle(level, settled);
        if (end != unmatched) {
          break;
        }
      }
      for (count = 0; count < lines_at_once && visited < settled; ++count) {
        std::uint32_t const row = indices.row_of_column[indices.settled[visited++]];
        lines[count] = {cost.row(row).data(), level - row_price(row), row};
      }
    }
    if (end == unmatched) {
      if (exit_row == unmatched) {
        return false;
      }
      level = exit;
      end = indices.column_of_row[exit_row];
      indices.column_of_row[exit_row] = unmatched;
    }
    take_path(root, end, level, settled);
    return true;
  }

  /// Ends a search at distance `level`: the settled columns ask for what they were nearer, and each
  /// row of the path gives its column to the row before it, up to root.
  void take_path(std::uint32_t root, std::uint32_t end, Word level,
                 std::uint32_t settled) noexcept {
    for (std::uint32_t i = 0; i < settled; ++i) {
      Word& price = numbers.column_price[indices.settled[i]];
      price = price + (level - numbers.settled_at[i]);
    }
    while (end != unmatched) {
      std::uint32_t const row = indices.reached_from[end];
      std::uint32_t const given_up = indices.column_of_row[row];
      match(row, end);
      end = row == root ? unmatched : given_up;
    }
  }

  /// Writes down what each row goes for at the prices.
  void price_rows() noexcept {
    for (std::uint32_t row = 0; row < rows(); ++row) {
      std::uint32_t const column = indices.column_of_row[row];
      numbers.row_price[row] = column == unmatched ? numbers.left_out[row] : row_price(row);
    }
  }

  /// Brings the price of `root`, a column without a row, down to zero, or to where a row takes it;
  /// in the latter case another column may have been given up at price zero. Needs row_price and
  /// keeps it up to date. A search from the columns: O(rows) for each column it meets.
  void release(std::uint32_t root) noexcept {
    std::fill_n(numbers.row_distance.begin(), rows(), word::unreachable);
    std::uint32_t settled = 0;
    std::uint32_t column = root;
    Word level{};
    std::uint32_t end_column = root;  // which column, or row that was left out, ends the path
    std::uint32_t end_row = unmatched;
    Word end = numbers.column_price[root];
    for (;;) {
      indices.settled[settled] = column;
      numbers.settled_at[settled++] = level;
      std::uint32_t const nearest = relax_rows(column, level);
      if (nearest == unmatched || !(numbers.row_distance[nearest] < end)) {
        break;
      }
      level = numbers.row_distance[nearest];
      column = indices.column_of_row[nearest];
      if (column == unmatched) {
        end_row = nearest;
        end = level;
        break;
      }
      numbers.row_distance[nearest] = word::settled;
      if (Word const all = level + numbers.column_price[column]; all < end) {
        end_column = column;
        end = all;
      }
    }
    for (std::uint32_t i = 0; i < settled; ++i) {
      Word const fall = end - numbers.settled_at[i];
      std::uint32_t const fallen = indices.settled[i];
      numbers.column_price[fallen] = numbers.column_price[fallen] - fall;
      if (std::uint32_t const row = indices.row_of_column[fallen]; row != unmatched) {
        numbers.row_price[row] = numbers.row_price[row] - fall;
      }
    }
    if (end_row == unmatched) {
      if (end_column == root) {
        return;
      }
      end_row = indices.row_of_column[end_column];
      indices.row_of_column[end_column] = unmatched;
    }
    while (end_row != unmatched) {
      std::uint32_t const taken = indices.entered_by[end_row];
      std::uint32_t const before = indices.row_of_column[taken];
      match(end_row, taken);
      end_row = before;
    }
  }

  /// Gives back what free columns still ask for.
  void release_all() noexcept {
    bool has_priced_rows = false;
    for (std::uint32_t column = 0; column < columns(); ++column) {
      if (indices.row_of_column[column] != unmatched || !(Word{} < numbers.column_price[column])) {
        continue;
      }
      if (!has_priced_rows) {
        price_rows();
        has_priced_rows = true;
      }
      release(column);
    }
  }

  /// Moves all prices by the same amount so that the lowest is zero. Only where every column has a
  /// row: a free one has price zero already.
  void level_prices() noexcept {
    if (columns() == 0) {
      return;
    }
    auto const first = numbers.column_price.begin();
    Word const lowest = *std::min_element(first, first + columns());
    for (std::uint32_t column = 0; column < columns(); ++column) {
      numbers.column_price[column] = numbers.column_price[column] - lowest;
    }
  }

 private:
  [[nodiscard]] Word start_of(std::uint32_t root) const noexcept {
    if constexpr (std::integral<Word>) {
      return base;
    } else {
      Word start = numbers.left_out[root];
      auto const cells = cost.row(root);
      for (std::uint32_t column = 0; column < cells.size(); ++column) {
        if (!cells[column].is_forbidden()) {
          start = std::min(start, priced(root, column));
        }
      }
      return start;
    }
  }

  /// Settles columns at distance `level`, or returns one that is free.
  std::uint32_t settle(Word level, std::uint32_t& settled) noexcept {
    std::uint32_t* const first = indices.settled.data() + settled;
    std::uint32_t* last = scan.collect(std::span{numbers.distance}.first(columns()), level, first);
    for (std::uint32_t* column = first; column != last; ++column) {
      if (indices.row_of_column[*column] == unmatched) {
        return *column;
      }
    }
    if constexpr (!settles_all_ties) {
      last = first + 1;
    }
    for (std::uint32_t* column = first; column != last; ++column) {
      numbers.distance[*column] = word::settled;
      numbers.settled_at[settled++] = level;
    }
    return unmatched;
  }

  /// Brings the distances of the rows up to date with `column` in the tree and returns the nearest
  /// row that is not: one that was left out before one with a column, then the lowest.
  std::uint32_t relax_rows(std::uint32_t column, Word level) noexcept {
    Word const offset = level + numbers.column_price[column];
    std::uint32_t nearest = unmatched;
    Word least = word::unreachable;
    for (std::uint32_t row = 0; row < rows(); ++row) {
      Word& distance = numbers.row_distance[row];
      if (distance < Word{}) {
        continue;
      }
      if (Cost const cell = cost(row, column); !cell.is_forbidden()) {
        Word const through = to_word<Word>(cell) - numbers.row_price[row] + offset;
        if (through < distance) {
          distance = through;
          indices.entered_by[row] = column;
        }
      }
      if (distance < least ||
          (nearest != unmatched && distance == least && indices.column_of_row[row] == unmatched &&
           indices.column_of_row[nearest] != unmatched)) {
        least = distance;
        nearest = row;
      }
    }
    return nearest;
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
