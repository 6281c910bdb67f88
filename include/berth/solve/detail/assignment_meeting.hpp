// SPDX-License-Identifier: BSL-1.0
// A row enters by its shortest alternating path, searched for from both ends: from the row on, and
// from the columns that nobody has back (Pohl, Machine Intelligence 6, 1971; when to stop: Goldberg
// and Harrelson, SODA 2005, section 4). Where few columns are free, one search from the row would
// visit rows / free columns of them on average; two that meet visit about the square root of all
// rows each.
// Both ends see the same: lines of a matrix, that lead to places, each of which leads on to one
// line. From the row on, lines are rows and places are columns; from the columns back, lines are
// columns and places are rows. A row that may be left out is a path to its end of its own.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/assignment_workspace.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/detail/assignment_search.hpp>
#include <berth/solve/detail/assignment_word.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// The invariants between calls are those of assignment_search, and numbers.minus_row_price is what
/// its name says for rows that have a column, zero for others. For costs that are one integer.
template <class Cost, class Word>
class assignment_meeting {
  using word = assignment_word<Word>;

 public:
  /// `columns` is the transposed matrix. Both must outlive this.
  assignment_meeting(assignment_search<Cost, Word>& search, cost_matrix_view<Cost> columns) noexcept
      : search_{search},
        numbers_{search.numbers},
        indices_{search.indices},
        ahead_{search.cost,
               numbers_.column_price.data(),
               indices_.row_of_column.data(),
               numbers_.distance.data(),
               indices_.reached_from.data(),
               indices_.settled.data(),
               numbers_.settled_at.data()},
        back_{columns,
              numbers_.minus_row_price.data(),
              indices_.column_of_row.data(),
              numbers_.row_distance.data(),
              indices_.entered_by.data(),
              indices_.settled_back.data(),
              numbers_.settled_back_at.data()} {
    for (std::uint32_t row = 0; row < search_.rows(); ++row) {
      back_.price[row] =
          indices_.column_of_row[row] == unmatched ? Word{} : Word{} - search_.row_price(row);
    }
    for (std::uint32_t column = 0; column < search_.columns(); ++column) {
      if (ahead_.line_of[column] == unmatched) {
        back_.found_at[free_] = Word{};
        back_.lines[free_++] = column;
      }
    }
  }

  /// Lines that the last search has read.
  [[nodiscard]] std::uint64_t scans() const noexcept { return ahead_.scanned + back_.scanned; }

  [[nodiscard]] std::uint32_t free_columns() const noexcept { return free_; }

  /// Lets `root`, which has no place, in; false if there is no way. Requires a free column.
  bool enter(std::uint32_t root) noexcept {
    auto const found = search_.scan.find_two_least(search_.cost.row(root), ahead_.price);
    Word const start = std::min(found.least, numbers_.left_out[root]);
    if (start == word::unreachable) {
      return false;
    }
    start_ahead(root, start);
    start_back();
    path_ = {numbers_.left_out[root] == word::unreachable ? word::unreachable
                                                          : numbers_.left_out[root] - start,
             root, unmatched};
    // Whatever leads through a line that neither end has looked at is as long as both tops.
    while (ahead_.top() < path_.length - back_.top()) {
      // The end that has found less has fewer ways that lead nowhere.
      if (ahead_.found <= back_.found) {
        advance(ahead_, back_);
      } else {
        advance(back_, ahead_);
      }
    }
    if (path_.length == word::unreachable) {
      return false;
    }
    move_prices();
    back_.price[root] = Word{} - (start + path_.length);
    take_path(root);
    return true;
  }

 private:
  /// One end. `lines` are those found so far, in the order of their distances `found_at`; the first
  /// `scanned` of them have told their places how near they are.
  struct side {
    cost_matrix_view<Cost> cost;
    Word* price;                   ///< of a place; that of a line is with the other end
    std::uint32_t const* line_of;  ///< where a place leads on to
    Word* distance;                ///< of a place, so far; as found_at() once its line is found
    std::uint32_t* reached_from;   ///< of a place, the line before it
    std::uint32_t* lines;
    Word* found_at;
    std::uint32_t found = 0;
    std::uint32_t scanned = 0;
    Word level{};    ///< of the line found last
    Word nearest{};  ///< of the places whose line is not found

    /// The least distance of a line that is not scanned.
    [[nodiscard]] Word top() const noexcept { return scanned < found ? level : nearest; }
  };

  /// The shortest path so far goes from `row` over to `column`; unmatched: that row is left out.
  struct crossing {
    Word length = word::unreachable;
    std::uint32_t row = unmatched;
    std::uint32_t column = unmatched;
  };

  /// How the distance of a place is kept once its line is found: negative, as the scans want it.
  /// Its own inverse.
  static constexpr Word found_at(Word distance) noexcept { return Word{-1} - distance; }

  void start_ahead(std::uint32_t root, Word start) noexcept {
    std::fill_n(ahead_.distance, search_.columns(), word::unreachable);
    ahead_.lines[0] = root;
    ahead_.found_at[0] = Word{};
    ahead_.found = 1;
    ahead_.scanned = 0;
    ahead_.level = Word{};
    back_.price[root] = Word{} - start;
  }

  void start_back() noexcept {
    // Without a branch, and not through members, which it might write to: that makes vectors of it.
    std::uint32_t const rows = search_.rows();
    Word const* const left_out = numbers_.left_out.data();
    Word const* const price = back_.price;
    std::uint32_t const* const column_of_row = back_.line_of;
    Word* const distance = back_.distance;
    for (std::uint32_t row = 0; row < rows; ++row) {
      Word const cost = left_out[row];
      Word const minus_price = price[row];
      Word const exit = cost + (cost == word::unreachable ? Word{} : minus_price);
      distance[row] = column_of_row[row] == unmatched ? found_at(word::unreachable) : exit;
    }
    std::fill_n(back_.reached_from, rows, unmatched);
    back_.found = free_;
    back_.scanned = 0;
    back_.level = Word{};
  }

  /// The next few lines of `own` that are found, and after the last one those that are nearest now.
  void advance(side& own, side& other) noexcept {
    reached_line<Cost, Word> lines[lines_at_once];
    std::size_t count = 0;
    while (count < lines_at_once && own.scanned < own.found) {
      std::uint32_t const line = own.lines[own.scanned];
      lines[count++] = {own.cost.row(line).data(), own.found_at[own.scanned++] + other.price[line],
                        line};
    }
    own.nearest = search_.scan.relax(std::span{lines, count}, own.price, path_.length,
                                     own.cost.columns(), own.distance, own.reached_from);
    // No place is nearer than the level, so what lies farther on the other side cannot matter.
    for (std::uint32_t i = 0; i < other.found && other.found_at[i] < path_.length - own.level;
         ++i) {
      consider(own, other.lines[i], other.found_at[i]);
    }
    if (own.scanned == own.found && own.nearest < path_.length - other.top()) {
      find_nearest(own, other);
    }
  }

  void find_nearest(side& own, side const& other) noexcept {
    own.level = own.nearest;
    std::size_t const places = own.cost.columns();
    std::uint32_t* const first = own.lines + own.found;
    std::uint32_t* const last =
        search_.scan.collect(std::span<Word const>{own.distance, places}, own.level, first);
    for (std::uint32_t* place = first; place != last; ++place) {
      own.distance[*place] = found_at(own.level);
      *place = own.line_of[*place];
      own.found_at[own.found++] = own.level;
      consider(other, *place, own.level);
    }
  }

  /// A place of `reaching` is a line of the other end, at distance `rest` from there.
  void consider(side const& reaching, std::uint32_t place, Word rest) noexcept {
    Word const marked = reaching.distance[place];
    Word const distance = marked < Word{} ? found_at(marked) : marked;
    if (distance < path_.length - rest) {
      std::uint32_t const before = reaching.reached_from[place];
      path_ = &reaching == &ahead_ ? crossing{distance + rest, before, place}
                                   : crossing{distance + rest, place, before};
    }
  }

  /// Prices rise by how much nearer to the row something is than the free columns are. What neither
  /// end has found is in between: beyond `reach`, and farther than `rest` from a free column.
  void move_prices() noexcept {
    Word const reach = std::min(ahead_.top(), path_.length);
    Word const rest = path_.length - reach;
    if (Word{} < rest) {
      for (std::uint32_t column = 0; column < search_.columns(); ++column) {
        ahead_.price[column] += rest;
      }
      for (std::uint32_t row = 0; row < search_.rows(); ++row) {
        back_.price[row] -= back_.line_of[row] == unmatched ? Word{} : rest;
      }
    }
    for (std::uint32_t i = 1; i < ahead_.found && ahead_.found_at[i] < reach; ++i) {
      std::uint32_t const row = ahead_.lines[i];
      ahead_.price[back_.line_of[row]] += reach - ahead_.found_at[i];
      back_.price[row] -= reach - ahead_.found_at[i];
    }
    for (std::uint32_t i = 0; i < back_.found && back_.found_at[i] < rest; ++i) {
      std::uint32_t const column = back_.lines[i];
      ahead_.price[column] -= rest - back_.found_at[i];
      if (std::uint32_t const row = ahead_.line_of[column]; row != unmatched) {
        back_.price[row] += rest - back_.found_at[i];
      }
    }
  }

  /// Each row of the path goes over to the next column of it; the last one may be left out.
  void take_path(std::uint32_t root) noexcept {
    std::uint32_t row = path_.row;
    std::uint32_t given_up = indices_.column_of_row[row];
    std::uint32_t column = path_.column;
    for (std::uint32_t moving = row;;) {
      if (column == unmatched) {
        indices_.column_of_row[moving] = unmatched;
        back_.price[moving] = Word{};
        break;
      }
      std::uint32_t const next = indices_.row_of_column[column];
      search_.match(moving, column);
      if (next == unmatched) {
        free_ = static_cast<std::uint32_t>(std::remove(back_.lines, back_.lines + free_, column) -
                                           back_.lines);
        break;
      }
      moving = next;
      column = back_.reached_from[next];
    }
    while (row != root) {
      row = ahead_.reached_from[given_up];
      std::uint32_t const before = indices_.column_of_row[row];
      search_.match(row, given_up);
      given_up = before;
    }
  }

  assignment_search<Cost, Word>& search_;
  assignment_numbers<Word>& numbers_;
  assignment_indices& indices_;
  side ahead_;
  side back_;
  std::uint32_t free_ = 0;  ///< columns without a row: the first lines of back_
  crossing path_;
};

}  // namespace detail
BERTH_NAMESPACE_END
