// SPDX-License-Identifier: BSL-1.0
// Picks, once a call, the version of a scan that this machine and this matrix want.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/detail/assignment_scan.hpp>
#include <berth/solve/detail/assignment_scan_avx2.hpp>
#include <berth/solve/instruction_set.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <class Cost, class Word>
struct scanner {
  using word = assignment_word<Word>;
  using plain = plain_scan<Cost, Word>;
  /// Pairs of integers have no vectors.
  static constexpr bool has_vectors = BERTH_DETAIL_HAS_AVX2 && std::integral<Word>;

  instruction_set instructions = instruction_set::plain;
  bool has_forbidden = true;
  Word* block_least = nullptr;  ///< what relax() leaves for collect(): a quarter of the columns

  [[nodiscard]] two_least<Word> find_two_least(std::span<Cost const> cells,
                                               Word const* price) const noexcept {
    two_least<Word> found;
#if BERTH_DETAIL_HAS_AVX2
    if constexpr (has_vectors) {
      if (instructions == instruction_set::avx2) {
        has_forbidden
            ? avx2_scan<Cost, Word, true>::find_two_least(cells.data(), price, cells.size(), found)
            : avx2_scan<Cost, Word, false>::find_two_least(cells.data(), price, cells.size(),
                                                           found);
        return found;
      }
    }
#endif
    plain::find_two_least(cells.data(), price, 0, cells.size(), found);
    return found;
  }

  [[nodiscard]] std::uint32_t find_free_at(std::span<Cost const> cells, Word const* price,
                                           Word value,
                                           std::uint32_t const* row_of_column) const noexcept {
#if BERTH_DETAIL_HAS_AVX2
    if constexpr (has_vectors) {
      if (instructions == instruction_set::avx2) {
        return has_forbidden ? avx2_scan<Cost, Word, true>::find_free_at(
                                   cells.data(), price, value, row_of_column, cells.size())
                             : avx2_scan<Cost, Word, false>::find_free_at(
                                   cells.data(), price, value, row_of_column, cells.size());
      }
    }
#endif
    return plain::find_free_at(cells.data(), price, value, row_of_column, 0, cells.size());
  }

  /// Of one line to lines_at_once.
  Word relax(std::span<reached_line<Cost, Word> const> lines, Word const* price, Word bound,
             std::size_t columns, Word* distance, std::uint32_t* reached_from) const noexcept {
#if BERTH_DETAIL_HAS_AVX2
    if constexpr (has_vectors) {
      if (instructions == instruction_set::avx2) {
        return has_forbidden
                   ? avx2_scan<Cost, Word, true>::relax(lines, price, bound, columns, distance,
                                                        reached_from, block_least)
                   : avx2_scan<Cost, Word, false>::relax(lines, price, bound, columns, distance,
                                                         reached_from, block_least);
      }
    }
#endif
    return plain::relax(lines, price, bound, 0, columns, distance, reached_from, word::unreachable);
  }

  /// For the distances that the last relax() has gone through.
  std::uint32_t* collect(std::span<Word const> distance, Word level,
                         std::uint32_t* found) const noexcept {
#if BERTH_DETAIL_HAS_AVX2
    if constexpr (has_vectors) {
      if (instructions == instruction_set::avx2) {
        return avx2_scan<Cost, Word, true>::collect(distance.data(), block_least, level,
                                                    distance.size(), found);
      }
    }
#endif
    return plain::collect(distance.data(), level, 0, distance.size(), found);
  }

  void survey(std::span<Cost const> cells, cost_extent<Word>& extent) const noexcept {
#if BERTH_DETAIL_HAS_AVX2
    if constexpr (has_vectors) {
      if (instructions == instruction_set::avx2) {
        return avx2_scan<Cost, Word, true>::survey(cells.data(), cells.size(), extent);
      }
    }
#endif
    plain::survey(cells.data(), 0, cells.size(), extent);
  }

  void lower(std::span<Cost const> cells, std::uint32_t row, Word* least,
             std::uint32_t* least_row) const noexcept {
#if BERTH_DETAIL_HAS_AVX2
    if constexpr (has_vectors) {
      if (instructions == instruction_set::avx2) {
        return has_forbidden ? avx2_scan<Cost, Word, true>::lower(cells.data(), row, cells.size(),
                                                                  least, least_row)
                             : avx2_scan<Cost, Word, false>::lower(cells.data(), row, cells.size(),
                                                                   least, least_row);
      }
    }
#endif
    plain::lower(cells.data(), row, 0, cells.size(), least, least_row);
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
