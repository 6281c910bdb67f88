// SPDX-License-Identifier: BSL-1.0
// The cheap part of the assignment solver: most rows find their place by looking at one row of the
// matrix at a time (Jonker and Volgenant, Computing 38, 1987, sections 4.1 to 4.3). Row reduction
// is bounded: on near ties it can raise prices a little for ever (a price war), and the searches
// that follow are exact anyhow.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/detail/assignment_search.hpp>
#include <berth/solve/detail/budget_meter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Where every row and every column will be matched: a column asks minus its cheapest cell, and is
/// given to that row if the row has none yet. False if a column has no cell at all.
template <class Cost, class Word>
bool reduce_columns(assignment_search<Cost, Word>& search) noexcept {
  auto& price = search.numbers.column_price;
  auto& cheapest_row = search.indices.reached_from;
  std::fill_n(price.begin(), search.columns(), assignment_word<Word>::unreachable);
  for (std::uint32_t row = 0; row < search.rows(); ++row) {
    search.scan.lower(search.cost.row(row), row, price.data(), cheapest_row.data());
  }
  // A row keeps the first column that wants it; `waiting` counts how many do.
  std::fill_n(search.indices.waiting.begin(), search.rows(), 0u);
  for (std::uint32_t column = 0; column < search.columns(); ++column) {
    if (price[column] == assignment_word<Word>::unreachable) {
      return false;
    }
    price[column] = Word{} - price[column];
    std::uint32_t const row = cheapest_row[column];
    if (search.indices.waiting[row]++ == 0) {
      search.match(row, column);
    }
  }
  // Reduction transfer: a row that only one column wants could pay up to its second choice.
  for (std::uint32_t row = 0; row < search.rows(); ++row) {
    if (search.indices.waiting[row] == 1) {
      two_least<Word> const found = search.scan.find_two_least(search.cost.row(row), price.data());
      if (found.second < assignment_word<Word>::unreachable) {
        std::uint32_t const column = search.indices.column_of_row[row];
        price[column] = price[column] + (found.second - found.least);
      }
    }
  }
  return true;
}

/// Lists the rows without a column in `waiting`.
template <class Cost, class Word>
std::uint32_t list_waiting(assignment_search<Cost, Word>& search) noexcept {
  std::uint32_t count = 0;
  for (std::uint32_t row = 0; row < search.rows(); ++row) {
    if (search.indices.column_of_row[row] == unmatched) {
      search.indices.waiting[count++] = row;
    }
  }
  return count;
}

/// Augmenting row reduction over the first `count` of `waiting`: a row takes its cheapest column,
/// raises its price to where the second choice is as good, and whoever had it looks again. Those
/// that found no place, at most as many, are in `waiting` afterwards; returns how many. A row whose
/// cheapest way is to be left out has found its place.
template <class Cost, class Word>
std::uint32_t reduce_rows(assignment_search<Cost, Word>& search, std::uint32_t count,
                          std::uint64_t most_scans, budget_meter& meter) noexcept {
  auto& waiting = search.indices.waiting;
  auto& price = search.numbers.column_price;
  std::uint32_t left = 0;
  for (std::uint32_t next = 0; next < count;) {
    std::uint32_t const row = waiting[next++];
    if (most_scans == 0 || !meter.spend()) {
      waiting[left++] = row;
      continue;
    }
    --most_scans;
    two_least<Word> found = search.scan.find_two_least(search.cost.row(row), price.data());
    Word const left_out = search.numbers.left_out[row];
    if (left_out < found.least) {
      continue;
    }
    found.second = std::min(found.second, left_out);
    if (found.least == assignment_word<Word>::unreachable) {
      waiting[left++] = row;
      continue;
    }
    bool const is_tied =
        !(found.least < found.second) || found.second == assignment_word<Word>::unreachable;
    // Rows that cannot all be matched bid without end; the searches find that out.
    bool const is_hopeless = !is_tied && assignment_word<Word>::dearest <
                                             price[found.column] + (found.second - found.least);
    if (is_hopeless) {
      waiting[left++] = row;
      continue;
    }
    if (!is_tied) {
      price[found.column] = price[found.column] + (found.second - found.least);
    } else if (search.indices.row_of_column[found.column] != unmatched) {
      found.column = search.scan.find_free_at(search.cost.row(row), price.data(), found.least,
                                              search.indices.row_of_column.data());
      if (found.column == search.columns()) {
        waiting[left++] = row;
        continue;
      }
    }
    std::uint32_t const before = search.indices.row_of_column[found.column];
    search.match(row, found.column);
    if (before != unmatched) {
      search.indices.column_of_row[before] = unmatched;
      waiting[--next] = before;
    }
  }
  return left;
}

}  // namespace detail
BERTH_NAMESPACE_END
