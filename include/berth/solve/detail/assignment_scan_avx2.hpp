// SPDX-License-Identifier: BSL-1.0
// The loops of assignment_scan.hpp on 256-bit vectors, for costs that are one integer. Written with
// the vector types of GCC and clang rather than with intrinsics, whose header costs every includer
// more lines than all of berth. Each function says its target itself: a helper without one would be
// taken apart into 128-bit pieces before it is inlined.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/detail/assignment_scan.hpp>
#include <berth/solve/detail/assignment_word.hpp>
#include <berth/solve/instruction_set.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if BERTH_DETAIL_HAS_AVX2

BERTH_NAMESPACE_BEGIN
namespace detail {

/// HasForbidden is false where no cell is: the loops then need not look.
template <class Cost, class Word, bool HasForbidden>
struct avx2_scan {
  using plain = plain_scan<Cost, Word>;
  using word = assignment_word<Word>;
  using cell = std::conditional_t<sizeof(Cost) == sizeof(std::int32_t), std::int32_t, std::int64_t>;
  using unsigned_word = std::make_unsigned_t<Word>;
  static_assert(sizeof(cell) == sizeof(Cost) && sizeof(Word) >= sizeof(cell));
  static constexpr std::size_t lanes = 32 / sizeof(Word);
  static constexpr std::size_t block = 4 * lanes;  ///< columns in a round of a loop
  static constexpr cell forbidden = std::bit_cast<cell>(Cost::forbidden());

  // clang-format off: a vector attribute binds to the name before it
  typedef Word words __attribute__((vector_size(32)));
  typedef unsigned_word unsigned_words __attribute__((vector_size(32)));
  typedef cell cells_of_words __attribute__((vector_size(sizeof(cell) * lanes)));
  typedef std::uint32_t indices __attribute__((vector_size(sizeof(std::uint32_t) * lanes)));
  // clang-format on

  [[gnu::target("avx2")]] static void find_two_least(Cost const* cells, Word const* price,
                                                     std::size_t columns,
                                                     two_least<Word>& found) noexcept {
    words const nothing = word::unreachable - words{};
    words least = nothing;
    words second = nothing;
    words at{};
    words here{};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      here[lane] = static_cast<Word>(lane);
    }
    std::size_t column = 0;
    for (; column + lanes <= columns; column += lanes) {
      cells_of_words packed;
      words prices;
      std::memcpy(&packed, cells + column, sizeof packed);
      std::memcpy(&prices, price + column, sizeof prices);
      words const wide = __builtin_convertvector(packed, words);
      words value = reinterpret_cast<words>(reinterpret_cast<unsigned_words>(wide) +
                                            reinterpret_cast<unsigned_words>(prices));
      if constexpr (HasForbidden) {
        value = wide == Word{forbidden} ? nothing : value;
      }
      auto const is_less = value < least;
      words const larger = is_less ? least : value;
      second = larger < second ? larger : second;
      at = is_less ? here : at;
      least = value < least ? value : least;
      here += static_cast<Word>(lanes);
    }
    // The winner is the lowest column at the least value, and no other lane has it.
    found.least = least_of(least);
    auto const is_least = least == found.least - words{};
    Word const first = least_of(is_least ? at : nothing);
    auto const is_winner = is_least & (at == first - words{});
    found.second = least_of(is_winner ? second : least);
    found.column = static_cast<std::uint32_t>(first);
    plain::find_two_least(cells, price, column, columns, found);
  }

  [[gnu::target("avx2")]] static std::uint32_t find_free_at(Cost const* cells, Word const* price,
                                                            Word value,
                                                            std::uint32_t const* row_of_column,
                                                            std::size_t columns) noexcept {
    words const values = value - words{};
    std::size_t column = 0;
    for (; column + lanes <= columns; column += lanes) {
      cells_of_words packed;
      words prices;
      indices rows;
      std::memcpy(&packed, cells + column, sizeof packed);
      std::memcpy(&prices, price + column, sizeof prices);
      std::memcpy(&rows, row_of_column + column, sizeof rows);
      words const wide = __builtin_convertvector(packed, words);
      words const sum = reinterpret_cast<words>(reinterpret_cast<unsigned_words>(wide) +
                                                reinterpret_cast<unsigned_words>(prices));
      auto is_hit = (sum == values) & (__builtin_convertvector(rows == unmatched, words) != 0);
      if constexpr (HasForbidden) {
        is_hit = is_hit & (wide != Word{forbidden});
      }
      if (std::uint32_t const hits = mask_of(is_hit); hits != 0) {
        return static_cast<std::uint32_t>(column) +
               static_cast<std::uint32_t>(std::countr_zero(hits));
      }
    }
    return plain::find_free_at(cells, price, value, row_of_column, column, columns);
  }

  /// Late in a search few columns are nearer through another line, and what stays is not written.
  /// Which blocks have one that is nearer is found out first: a branch for each block would be
  /// foretold badly, and then wait for the lines to come from memory.
  template <std::size_t Lines>
  [[gnu::target("avx2")]] static Word relax(reached_line<Cost, Word> const* lines,
                                            Word const* price, Word bound, std::size_t columns,
                                            Word* distance, std::uint32_t* reached_from,
                                            Word* block_least) noexcept {
    words const bounds = bound - words{};
    std::size_t const end = columns - columns % block;
    // Lines are compared, and known for forbidden, before the price is added. That one differs less
    // from another price than it may from zero.
    bool const needs_price = (Lines > 1 || HasForbidden) && end > 0;
    unsigned_words const usual =
        (needs_price ? static_cast<unsigned_word>(price[0]) : 0) - unsigned_words{};
    unsigned_words offsets[Lines];
    for (std::size_t line = 0; line < Lines; ++line) {
      offsets[line] = static_cast<unsigned_word>(lines[line].offset) + usual;
    }
    unsigned_words least = reinterpret_cast<unsigned_words>(word::unreachable - words{});
    for (std::size_t strip = 0; strip < end; strip += 64 * block) {
      std::size_t const strip_end = end - strip < 64 * block ? end : strip + 64 * block;
      std::uint64_t nearer = 0;
      for (std::size_t column = strip; column < strip_end; column += block) {
        words is_shorter{};
        unsigned_words nearest = reinterpret_cast<unsigned_words>(word::unreachable - words{});
#pragma GCC unroll 4
        for (std::size_t i = 0; i < block; i += lanes) {
          words so_far;
          std::memcpy(&so_far, distance + column + i, sizeof so_far);
          words way = beyond(lines[0].cells + column + i, offsets[0]);
#pragma GCC unroll 4
          for (std::size_t line = 1; line < Lines; ++line) {
            words const other = beyond(lines[line].cells + column + i, offsets[line]);
            way = other < way ? other : way;
          }
          way = plus(way, price + column + i, usual);
          is_shorter |= way < (so_far < bounds ? so_far : bounds);
          auto const open = reinterpret_cast<unsigned_words>(
              way < so_far ? way : so_far);  // what is settled is beyond every distance
          nearest = open < nearest ? open : nearest;
        }
        std::memcpy(block_least + column / 4, &nearest, sizeof nearest);
        least = nearest < least ? nearest : least;
        nearer = nearer >> 1 | std::uint64_t{mask_of(is_shorter) != 0} << 63;
      }
      nearer >>= 64 - (strip_end - strip) / block;
      for (; nearer != 0; nearer &= nearer - 1) {
        std::size_t const column =
            strip + static_cast<std::size_t>(std::countr_zero(nearer)) * block;
#pragma GCC unroll 4
        for (std::size_t first = column; first < column + block; first += lanes) {
          words so_far;
          indices from;
          std::memcpy(&so_far, distance + first, sizeof so_far);
          std::memcpy(&from, reached_from + first, sizeof from);
          words way = beyond(lines[0].cells + first, offsets[0]);
          indices through = lines[0].index - indices{};
#pragma GCC unroll 4
          for (std::size_t line = 1; line < Lines; ++line) {
            words const other = beyond(lines[line].cells + first, offsets[line]);
            auto const is_less = other < way;
            indices const index = lines[line].index - indices{};
            through = __builtin_convertvector(is_less, indices) != 0 ? index : through;
            way = other < way ? other : way;
          }
          way = plus(way, price + first, usual);
          auto const is_less = way < (so_far < bounds ? so_far : bounds);
          so_far = is_less ? way : so_far;
          from = __builtin_convertvector(is_less, indices) != 0 ? through : from;
          std::memcpy(distance + first, &so_far, sizeof so_far);
          std::memcpy(reached_from + first, &from, sizeof from);
        }
      }
    }
    return plain::relax(std::span{lines, Lines}, price, bound, end, columns, distance, reached_from,
                        static_cast<Word>(least_of(least)));
  }

  /// Where there are three, the last one is gone through twice.
  static Word relax(std::span<reached_line<Cost, Word> const> lines, Word const* price, Word bound,
                    std::size_t columns, Word* distance, std::uint32_t* reached_from,
                    Word* block_least) noexcept {
    switch (lines.size()) {
      case 1:
        return relax<1>(lines.data(), price, bound, columns, distance, reached_from, block_least);
      case 2:
        return relax<2>(lines.data(), price, bound, columns, distance, reached_from, block_least);
      case 3: {
        reached_line<Cost, Word> const padded[] = {lines[0], lines[1], lines[2], lines[2]};
        return relax<4>(padded, price, bound, columns, distance, reached_from, block_least);
      }
      default:
        return relax<4>(lines.data(), price, bound, columns, distance, reached_from, block_least);
    }
  }

  [[gnu::target("avx2")]] static std::uint32_t* collect(Word const* distance,
                                                        Word const* block_least, Word level,
                                                        std::size_t columns,
                                                        std::uint32_t* found) noexcept {
    words const levels = level - words{};
    std::size_t const end = columns - columns % block;
    for (std::size_t column = 0; column < end; column += block) {
      words nearest;
      std::memcpy(&nearest, block_least + column / 4, sizeof nearest);
      if (mask_of(nearest == levels) == 0) {
        continue;  // most blocks have none
      }
      std::uint32_t hits = 0;
#pragma GCC unroll 4
      for (std::size_t i = 0; i < block; i += lanes) {
        words distances;
        std::memcpy(&distances, distance + column + i, sizeof distances);
        hits |= mask_of(distances == levels) << i;
      }
      for (; hits != 0; hits &= hits - 1) {
        *found++ =
            static_cast<std::uint32_t>(column) + static_cast<std::uint32_t>(std::countr_zero(hits));
      }
    }
    return plain::collect(distance, level, end, columns, found);
  }

  [[gnu::target("avx2")]] static void survey(Cost const* cells, std::size_t columns,
                                             cost_extent<Word>& extent) noexcept {
    static_assert(sizeof(Word) == sizeof(cell) && HasForbidden);
    words const nothing = Word{forbidden} - words{};
    words least = nothing;
    words greatest = ~nothing;
    words any_forbidden{};
    std::size_t column = 0;
    for (; column + lanes <= columns; column += lanes) {
      words value;
      std::memcpy(&value, cells + column, sizeof value);
      auto const is_forbidden = value == nothing;
      any_forbidden |= is_forbidden;
      least = value < least ? value : least;
      words const known = is_forbidden ? greatest : value;
      greatest = greatest < known ? known : greatest;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      extent.least = least[lane] < extent.least ? least[lane] : extent.least;
      extent.greatest = extent.greatest < greatest[lane] ? greatest[lane] : extent.greatest;
      extent.has_forbidden = extent.has_forbidden || any_forbidden[lane] != 0;
    }
    plain::survey(cells, column, columns, extent);
  }

  [[gnu::target("avx2")]] static void lower(Cost const* cells, std::uint32_t row,
                                            std::size_t columns, Word* least,
                                            std::uint32_t* least_row) noexcept {
    indices const rows = row - indices{};
    std::size_t column = 0;
    for (; column + lanes <= columns; column += lanes) {
      cells_of_words packed;
      words so_far;
      indices from;
      std::memcpy(&packed, cells + column, sizeof packed);
      std::memcpy(&so_far, least + column, sizeof so_far);
      std::memcpy(&from, least_row + column, sizeof from);
      words value = __builtin_convertvector(packed, words);
      if constexpr (HasForbidden) {
        value = value == Word{forbidden} ? word::unreachable - words{} : value;
      }
      auto const is_less = value < so_far;
      so_far = value < so_far ? value : so_far;
      from = __builtin_convertvector(is_less, indices) != 0 ? rows : from;
      std::memcpy(least + column, &so_far, sizeof so_far);
      std::memcpy(least_row + column, &from, sizeof from);
    }
    plain::lower(cells, row, column, columns, least, least_row);
  }

 private:
  typedef float floats __attribute__((vector_size(32)));
  typedef double doubles __attribute__((vector_size(32)));

  template <class Lanes>
  [[gnu::target("avx2")]] static auto least_of(Lanes const& values) noexcept {
    Lanes least = values;
    if constexpr (lanes == 8) {
      Lanes const other = __builtin_shufflevector(least, least, 4, 5, 6, 7, 0, 1, 2, 3);
      least = other < least ? other : least;
      Lanes const pair = __builtin_shufflevector(least, least, 2, 3, 0, 1, 6, 7, 4, 5);
      least = pair < least ? pair : least;
    } else {
      Lanes const other = __builtin_shufflevector(least, least, 2, 3, 0, 1);
      least = other < least ? other : least;
    }
    return least[0] < least[1] ? least[0] : least[1];
  }

  /// Cell + offset.
  [[gnu::target("avx2")]] static words beyond(Cost const* cells,
                                              unsigned_words const& offsets) noexcept {
    cells_of_words packed;
    std::memcpy(&packed, cells, sizeof packed);
    words const wide = __builtin_convertvector(packed, words);
    words const sum = reinterpret_cast<words>(reinterpret_cast<unsigned_words>(wide) + offsets);
    if constexpr (HasForbidden) {
      return wide == Word{forbidden} ? word::unreachable - words{} : sum;
    } else {
      return sum;
    }
  }
  /// Way + price - usual.
  [[gnu::target("avx2")]] static words plus(words const& way, Word const* price,
                                            unsigned_words const& usual) noexcept {
    words prices;
    std::memcpy(&prices, price, sizeof prices);
    words const sum = reinterpret_cast<words>(reinterpret_cast<unsigned_words>(way) +
                                              (reinterpret_cast<unsigned_words>(prices) - usual));
    if constexpr (HasForbidden) {
      return way == word::unreachable ? way : sum;
    } else {
      return sum;
    }
  }

  /// A bit for each lane, whether it is true.
  template <class Lanes>
  [[gnu::target("avx2")]] static std::uint32_t mask_of(Lanes const& is_true) noexcept {
    if constexpr (lanes == 8) {
      return static_cast<std::uint32_t>(
          __builtin_ia32_movmskps256(reinterpret_cast<floats>(is_true)));
    } else {
      return static_cast<std::uint32_t>(
          __builtin_ia32_movmskpd256(reinterpret_cast<doubles>(is_true)));
    }
  }
};

}  // namespace detail
BERTH_NAMESPACE_END

#endif  // BERTH_DETAIL_HAS_AVX2
