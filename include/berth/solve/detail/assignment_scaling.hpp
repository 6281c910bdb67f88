// SPDX-License-Identifier: BSL-1.0
// Prices to start from where shortest paths alone would collapse: an auction with shrinking
// increments (Bertsekas, Annals of Operations Research 14, 1988). On geometric and on product costs
// most rows want the same columns; searches then visit nearly all rows each, whereas bids settle
// the price level in a few scans a row. The matching is not kept: what follows is exact.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/detail/assignment_reduction.hpp>
#include <berth/solve/detail/assignment_search.hpp>
#include <berth/solve/detail/budget_meter.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// One auction: rows bid in turn, first come first served, each raising the price of its cheapest
/// column to where the second choice would be `increment` cheaper. Ends when all have a column,
/// false if the meter ends it.
template <class Cost, class Word>
bool hold_auction(assignment_search<Cost, Word>& search, Word increment,
                  budget_meter& meter) noexcept {
  std::uint32_t const rows = search.rows();
  auto& row_of_column = search.indices.row_of_column;
  auto& queue = search.indices.waiting;  // a ring
  std::fill_n(row_of_column.begin(), rows, unmatched);
  for (std::uint32_t row = 0; row < rows; ++row) {
    queue[row] = row;
  }
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  for (std::uint32_t waiting = rows; waiting > 0; --waiting) {
    if (!meter.spend()) {
      return false;
    }
    std::uint32_t const row = queue[first];
    first = first + 1 == rows ? 0 : first + 1;
    auto const found =
        search.scan.find_two_least(search.cost.row(row), search.numbers.column_price.data());
    search.numbers.column_price[found.column] += found.second - found.least + increment;
    std::uint32_t const before = row_of_column[found.column];
    row_of_column[found.column] = row;
    if (before != unmatched) {
      queue[last] = before;
      last = last + 1 == rows ? 0 : last + 1;
      ++waiting;
    }
  }
  return true;
}

/// For square problems of more than one row without forbidden cells, where nobody is left out;
/// `spread` lies between the least and the greatest cell. Leaves prices and no matching.
template <class Cost, class Word>
void scale_prices(assignment_search<Cost, Word>& search, Word spread,
                  budget_meter& meter) noexcept {
  std::uint32_t const rows = search.rows();
  std::fill_n(search.numbers.column_price.begin(), rows, Word{});
  Word const finest = std::max<Word>(1, spread / 100 / static_cast<Word>(rows));
  for (Word increment = std::max<Word>(finest, spread / 16);; increment /= 6) {
    bool const is_last = increment <= finest;
    bool const goes_on = hold_auction(search, is_last ? finest : increment, meter);
    search.level_prices();  // keeps them within the spread and an increment
    if (is_last || !goes_on) {
      break;
    }
  }
  std::fill_n(search.indices.column_of_row.begin(), rows, unmatched);
  std::fill_n(search.indices.row_of_column.begin(), rows, unmatched);
}

}  // namespace detail
BERTH_NAMESPACE_END
