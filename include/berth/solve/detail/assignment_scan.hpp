// SPDX-License-Identifier: BSL-1.0
// The loops over a row of the matrix in which the assignment solver spends its time, in plain
// C++. What they return is their definition: the vectorised ones return the same.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/assignment_word.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// The two cheapest ways for a row to go, prices included.
template <class Word>
struct two_least {
  Word least = assignment_word<Word>::unreachable;
  Word second = assignment_word<Word>::unreachable;  ///< equal to least where two tie
  std::uint32_t column = 0;                          ///< the lowest at `least`
};

/// What the matrix is like: which arithmetic is safe depends on it.
template <class Word>
struct cost_extent {
  Word least = assignment_word<Word>::unreachable;  ///< above `greatest`: no cell is allowed
  Word greatest = std::numeric_limits<Word>::min();
  bool has_forbidden = false;
};

/// A line of the matrix that a search has come to: through it, a column is cell + price + offset
/// away.
template <class Cost, class Word>
struct reached_line {
  Cost const* cells = nullptr;
  Word offset{};
  std::uint32_t index = 0;
};

/// So many lines at most are gone through together. What they share, the prices and distances of
/// the columns, is read once, and they come from memory side by side.
inline constexpr std::size_t lines_at_once = 4;

/// `first` is the column that a loop starts at: the vectorised loops leave the last few to these.
template <class Cost, class Word>
struct plain_scan {
  using word = assignment_word<Word>;

  /// Over cell + price.
  static void find_two_least(Cost const* cells, Word const* price, std::size_t first,
                             std::size_t columns, two_least<Word>& found) noexcept {
    for (std::size_t column = first; column < columns; ++column) {
      if (cells[column].is_forbidden()) {
        continue;
      }
      Word const value = to_word<Word>(cells[column]) + price[column];
      if (value < found.least) {
        found.second = found.least;
        found.least = value;
        found.column = static_cast<std::uint32_t>(column);
      } else if (value < found.second) {
        found.second = value;
      }
    }
  }

  /// The lowest column from `first` on that has no row and where cell + price is `value`; `columns`
  /// if there is none.
  static std::uint32_t find_free_at(Cost const* cells, Word const* price, Word value,
                                    std::uint32_t const* row_of_column, std::size_t first,
                                    std::size_t columns) noexcept {
    std::size_t column = first;
    while (column < columns &&
           (row_of_column[column] != unmatched || cells[column].is_forbidden() ||
            to_word<Word>(cells[column]) + price[column] != value)) {
      ++column;
    }
    return static_cast<std::uint32_t>(column);
  }

  /// Lowers the distances to what they are through `lines`, in their order, where that is below
  /// `bound`. Returns the least that they are, or would be but for the bound, of the columns that
  /// are not settled; `least` is that of the columns before `first`.
  static Word relax(std::span<reached_line<Cost, Word> const> lines, Word const* price, Word bound,
                    std::size_t first, std::size_t columns, Word* distance,
                    std::uint32_t* reached_from, Word least) noexcept {
    for (auto const& line : lines) {
      for (std::size_t column = first; column < columns; ++column) {
        if (distance[column] < Word{}) {
          continue;
        }
        if (!line.cells[column].is_forbidden()) {
          Word const through = to_word<Word>(line.cells[column]) + price[column] + line.offset;
          if (through < distance[column] && through < bound) {
            distance[column] = through;
            reached_from[column] = line.index;
          }
          least = through < least ? through : least;
        }
        least = distance[column] < least ? distance[column] : least;
      }
    }
    return least;
  }

  /// Appends the columns at `level` to `found` and returns the end of it.
  static std::uint32_t* collect(Word const* distance, Word level, std::size_t first,
                                std::size_t columns, std::uint32_t* found) noexcept {
    for (std::size_t column = first; column < columns; ++column) {
      if (distance[column] == level) {
        *found++ = static_cast<std::uint32_t>(column);
      }
    }
    return found;
  }

  static void survey(Cost const* cells, std::size_t first, std::size_t columns,
                     cost_extent<Word>& extent) noexcept {
    for (std::size_t column = first; column < columns; ++column) {
      if (cells[column].is_forbidden()) {
        extent.has_forbidden = true;
        continue;
      }
      Word const value = to_word<Word>(cells[column]);
      extent.least = value < extent.least ? value : extent.least;
      extent.greatest = extent.greatest < value ? value : extent.greatest;
    }
  }

  /// Where the row has a cheaper cell than those before it, writes down the cell and the row.
  static void lower(Cost const* cells, std::uint32_t row, std::size_t first, std::size_t columns,
                    Word* least, std::uint32_t* least_row) noexcept {
    for (std::size_t column = first; column < columns; ++column) {
      if (!cells[column].is_forbidden() && to_word<Word>(cells[column]) < least[column]) {
        least[column] = to_word<Word>(cells[column]);
        least_row[column] = row;
      }
    }
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
