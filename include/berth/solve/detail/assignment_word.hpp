// SPDX-License-Identifier: BSL-1.0
// The number that the assignment solver computes with: the raw form of the cost, or 32 bits where
// all distances fit them, which doubles what a vector holds.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>

#include <concepts>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Distances are never negative, so a negative one can mark a column whose distance is final: no
/// path improves it, and as an unsigned number it is longer than any.
template <class Word>
struct assignment_word {
  static constexpr Word unreachable = std::numeric_limits<Word>::max();
  static constexpr Word settled{-1};
  /// Twice what a price can be where there is a solution (assignment_survey.hpp).
  static constexpr Word dearest = Word{1} << (std::numeric_limits<Word>::digits - 2);
};
template <>
struct assignment_word<raw_rank_cost> {
  static constexpr raw_rank_cost unreachable = cost_traits<rank_cost>::unreachable;
  static constexpr raw_rank_cost settled{-1, 0};
  static constexpr raw_rank_cost dearest{std::int64_t{1} << 61, 0};
};

/// `cost` must not be forbidden, and must fit.
template <class Word, class Cost>
[[nodiscard]] constexpr Word to_word(Cost cost) noexcept {
  if constexpr (std::integral<Word>) {
    return static_cast<Word>(cost_traits<Cost>::to_raw(cost));
  } else {
    return cost_traits<Cost>::to_raw(cost);
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
