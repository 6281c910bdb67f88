// SPDX-License-Identifier: BSL-1.0
// Looks at every cell once: whether it is in range, and which numbers can hold all distances.
// Range rule, with C the spread between the least and the greatest cost there is, unmatched costs
// included. Where each row reaches each column, or may be left out, a row that has a column could
// have any other, or none, at the same prices: so no price is above the lowest by more than C, and
// no distance is above 4 C. Where cells are forbidden and a row must be matched, the alternative is
// a path, of at most min(rows, columns) cells, so prices may differ by as many times C and one
// more. Hence 32 bits do for C up to 2^28, divided by that many; 64 bits always do.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/assignment_workspace.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/assignment_scan.hpp>
#include <berth/solve/detail/assignment_scanner.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matching_costs.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Takes rows in, one by one. For costs that are one integer.
template <class Cost>
  requires std::integral<typename cost_traits<Cost>::raw>
class assignment_survey {
  using cell = std::conditional_t<sizeof(Cost) == sizeof(std::int32_t), std::int32_t, std::int64_t>;

 public:
  assignment_survey(assignment_problem<Cost> const& problem, assignment_state<Cost>& state,
                    instruction_set instructions) noexcept
      : problem_{problem}, state_{state}, scan_{instructions, true} {}

  /// Forgets what earlier rows were like.
  void start_anew() noexcept {
    state_.least_cost = std::numeric_limits<std::int64_t>::max();
    state_.greatest_cost = std::numeric_limits<std::int64_t>::min();
    state_.has_forbidden = false;
  }

  /// Whether the row is in range; if it is, its cells are in state.compact too, where they fit.
  bool add(std::size_t row) noexcept {
    auto const cells = problem_.cost.row(row);
    cost_extent<cell> extent;
    scan_.survey(cells, extent);
    if (Cost const left_out = left_out_cost(problem_.unmatched_cost, row);
        !left_out.is_forbidden()) {
      auto const value = static_cast<cell>(cost_traits<Cost>::to_raw(left_out));
      extent.least = std::min(extent.least, value);
      extent.greatest = std::max(extent.greatest, value);
    }
    if constexpr (assignment_state<Cost>::is_compacted) {
      integer_cost* const compact = state_.compact.data() + row * cells.size();
      for (std::size_t column = 0; column < cells.size(); ++column) {
        auto const value = static_cast<std::int32_t>(cost_traits<Cost>::to_raw(cells[column]));
        compact[column] =
            cells[column].is_forbidden() ? integer_cost::forbidden() : integer_cost{value};
      }
    }
    state_.has_forbidden = state_.has_forbidden || extent.has_forbidden;
    if (extent.least > extent.greatest) {
      return true;
    }
    state_.least_cost = std::min<std::int64_t>(state_.least_cost, extent.least);
    state_.greatest_cost = std::max<std::int64_t>(state_.greatest_cost, extent.greatest);
    constexpr std::int64_t limit = cost_traits<Cost>::limit;
    return extent.least >= -limit && extent.greatest <= limit;
  }

  /// The range rule of the head of this file, for the rows so far.
  [[nodiscard]] bool fits_narrow() const noexcept {
    if (state_.least_cost > state_.greatest_cost) {
      return true;
    }
    bool const has_ways_out = !problem_.unmatched_cost.empty() &&
                              std::ranges::none_of(problem_.unmatched_cost, &Cost::is_forbidden);
    std::size_t const steps = !state_.has_forbidden || has_ways_out
                                  ? 1
                                  : std::min(problem_.cost.rows(), problem_.cost.columns()) + 1;
    constexpr std::int64_t limit = cost_traits<integer_cost>::limit;
    return state_.least_cost >= -limit && state_.greatest_cost <= limit &&
           state_.greatest_cost - state_.least_cost <=
               (std::int64_t{1} << 28) / static_cast<std::int64_t>(steps);
  }

  /// The matrix in 32 bits; where fits_narrow().
  [[nodiscard]] cost_matrix_view<integer_cost> narrow() const noexcept {
    if constexpr (assignment_state<Cost>::is_compacted) {
      return {state_.compact, problem_.cost.rows(), problem_.cost.columns()};
    } else {
      return problem_.cost;
    }
  }

 private:
  assignment_problem<Cost> const& problem_;
  assignment_state<Cost>& state_;
  scanner<Cost, cell> scan_;
};

}  // namespace detail
BERTH_NAMESPACE_END
