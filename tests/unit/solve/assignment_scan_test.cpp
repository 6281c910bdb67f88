// SPDX-License-Identifier: BSL-1.0
// The scans that go through several lines of a matrix together: what they leave is what the lines
// leave one by one, whichever instructions do it, also where costs are the largest there are.
#include <berth/core/random.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/detail/assignment_scan.hpp>
#include <berth/solve/detail/assignment_scanner.hpp>
#include <berth/solve/detail/assignment_word.hpp>
#include <berth/solve/detail/line_vector.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/integer_cost.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace assignment_scan_test {

namespace {

using namespace berth;

/// A search that has come to distances of `far`: some columns are settled, some reached, some not.
template <class Word>
struct half_searched {
  using line = detail::reached_line<integer_cost, Word>;
  using word = detail::assignment_word<Word>;

  std::vector<std::vector<integer_cost>> cells;
  std::vector<line> lines;
  std::vector<Word> price;
  std::vector<Word> distance;
  std::vector<std::uint32_t> reached_from;

  /// Cells lie near `usual` and prices near minus that, as they do after a column reduction.
  half_searched(random_source& random, std::size_t columns, std::size_t count, std::int32_t usual,
                Word far, bool has_forbidden)
      : cells(count), reached_from(columns, unmatched) {
    for (std::size_t column = 0; column < columns; ++column) {
      price.push_back(static_cast<Word>(random.between(0, 40) - usual));
      std::uint64_t const kind = random.below(4);
      distance.push_back(kind == 0   ? word::settled
                         : kind == 1 ? word::unreachable
                                     : static_cast<Word>(far + random.between(0, 200)));
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t column = 0; column < columns; ++column) {
        cells[i].push_back(
            has_forbidden && random.below(5) == 0
                ? integer_cost::forbidden()
                : integer_cost{static_cast<std::int32_t>(usual - random.between(0, 40))});
      }
      lines.push_back({cells[i].data(), static_cast<Word>(far + random.between(40, 160)),
                       static_cast<std::uint32_t>(7 + i)});
    }
  }

  /// Line by line and column by column.
  Word relax_by_hand(Word bound) {
    Word least = word::unreachable;
    for (std::size_t column = 0; column < price.size(); ++column) {
      if (distance[column] < 0) {
        continue;
      }
      for (line const& each : lines) {
        if (each.cells[column].is_forbidden()) {
          continue;
        }
        std::int64_t const through = std::int64_t{each.cells[column].value()} +
                                     std::int64_t{price[column]} + std::int64_t{each.offset};
        least = std::min(least, static_cast<Word>(through));
        if (through < distance[column] && through < bound) {
          distance[column] = static_cast<Word>(through);
          reached_from[column] = each.index;
        }
      }
      least = std::min(least, distance[column]);
    }
    return least;
  }
};

template <class Word>
void compare_all_instruction_sets(std::int32_t usual, Word far, bool has_forbidden) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const columns = 1 + random.below(seed % 20 == 0 ? 3000 : 150);
    std::size_t const count = 1 + random.below(detail::lines_at_once);
    half_searched<Word> const start{random, columns, count, usual, far, has_forbidden};
    Word const bound = random.below(2) == 0 ? detail::assignment_word<Word>::unreachable
                                            : static_cast<Word>(far + random.between(0, 200));
    half_searched<Word> by_hand = start;
    Word const least = by_hand.relax_by_hand(bound);
    for (instruction_set const instructions : {instruction_set::plain, best_instruction_set()}) {
      CAPTURE(static_cast<int>(instructions));
      half_searched<Word> scanned = start;
      detail::line_vector<Word> block_least(columns / 4 + 1);
      detail::scanner<integer_cost, Word> const scan{instructions, has_forbidden,
                                                     block_least.data()};
      REQUIRE(scan.relax(std::span{start.lines}, scanned.price.data(), bound, columns,
                         scanned.distance.data(), scanned.reached_from.data()) == least);
      REQUIRE(scanned.distance == by_hand.distance);
      REQUIRE(scanned.reached_from == by_hand.reached_from);
      std::vector<std::uint32_t> nearest(columns);
      std::uint32_t* const end =
          scan.collect(std::span<Word const>{scanned.distance}, least, nearest.data());
      nearest.resize(static_cast<std::size_t>(end - nearest.data()));
      for (std::uint32_t column = 0; column < columns; ++column) {
        REQUIRE(std::ranges::binary_search(nearest, column) == (by_hand.distance[column] == least));
      }
    }
  }
}

TEST_CASE_TEMPLATE("assignment scan: lines gone through together leave what they leave one by one",
                   Word, std::int32_t, std::int64_t) {
  constexpr std::int32_t dearest = std::int32_t{1} << 30;
  for (std::int32_t const usual : {100, dearest - 80, 60 - dearest}) {
    for (Word const far : {Word{0}, Word{dearest}}) {
      CAPTURE(usual);
      CAPTURE(far);
      compare_all_instruction_sets<Word>(usual, far, false);
      compare_all_instruction_sets<Word>(usual, far, true);
    }
  }
}

}  // namespace

}  // namespace assignment_scan_test
