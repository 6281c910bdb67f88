// SPDX-License-Identifier: BSL-1.0
// The covering knapsack, exactly, by dynamic programming over what is still to be covered (Martello
// and Toth, Knapsack Problems, 1990, chapter 2, turned from packing to covering).
// Complexity: O(items × need) time and bytes.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/cover_problem.hpp>
#include <berth/solve/detail/cover_checks.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Least cost; among equals the fewest items; among those, at the last item where two choices
/// differ, the one that has it. So whoever lists holders from the oldest to the youngest sees the
/// youngest yield, and no chosen item can be left out of the cover.
struct cover_knapsack {
  /// optimal | infeasible | cost_out_of_range | too_large | malformed (a size < 1 or a cost < 0).
  /// Does not allocate.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(cover_problem<Cost> const& problem,
                                   cover_workspace<Cost>& w) const noexcept {
    using traits = cost_traits<Cost>;
    using value = typename cover_workspace<Cost>::value;
    w.solution_ = {};
    if (solve_status const refused = detail::refuse_cover(problem, w.items_, w.need_);
        refused != solve_status::optimal) {
      return refused;
    }
    auto const need = static_cast<std::size_t>(std::max(problem.need, 0));
    std::size_t const width = need + 1;
    // best_[k]: the cheapest cover of k among the items so far; a count of -1 says that there is
    // none.
    std::fill_n(w.best_.begin(), width, value{{}, -1});
    w.best_[0] = value{{}, 0};
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
      cover_item<Cost> const& item = problem.items[i];
      std::uint8_t* const taken = w.taken_.data() + i * width;
      std::fill_n(taken, width, std::uint8_t{0});
      if (item.cost.is_forbidden()) {
        continue;
      }
      for (std::size_t k = need; k > 0; --k) {
        value const& rest = w.best_[k - covered_of(item.size, k)];
        if (rest.count < 0) {
          continue;
        }
        value const with{rest.cost + traits::to_raw(item.cost), rest.count + 1};
        // <= and not <: among equals the later item is the one that is taken.
        if (w.best_[k].count < 0 || with <= w.best_[k]) {
          w.best_[k] = with;
          taken[k] = 1;
        }
      }
    }
    if (w.best_[need].count < 0) {
      return solve_status::infeasible;
    }
    auto const count = static_cast<std::size_t>(w.best_[need].count);
    std::size_t place = count;
    std::int64_t size = 0;
    std::size_t left = need;
    for (std::size_t i = problem.items.size(); i-- > 0 && left > 0;) {
      if (w.taken_[i * width + left] != 0) {
        w.chosen_[--place] = static_cast<std::uint32_t>(i);
        size += problem.items[i].size;
        left -= covered_of(problem.items[i].size, left);
      }
    }
    auto const total = traits::from_raw(w.best_[need].cost);
    w.solution_ = {{w.chosen_.data(), count}, size, total, total};
    return solve_status::optimal;
  }

 private:
  /// How much of `left` an item of this size covers.
  static std::size_t covered_of(std::int32_t size, std::size_t left) noexcept {
    return std::min(static_cast<std::size_t>(size), left);
  }
};

BERTH_NAMESPACE_END
