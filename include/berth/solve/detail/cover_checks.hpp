// SPDX-License-Identifier: BSL-1.0
// What both cover solvers refuse.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/cover_problem.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Bounds that keep the sum of all costs, and a cost times a size, within ±2^61.
inline constexpr std::size_t max_cover_items = std::size_t{1} << 18;
inline constexpr std::int32_t max_cover_need = std::int32_t{1} << 20;

/// `optimal` if there is nothing to refuse.
template <class Cost>
[[nodiscard]] constexpr solve_status refuse_cover(cover_problem<Cost> const& problem,
                                                  std::size_t reserved_items,
                                                  std::size_t reserved_need) noexcept {
  using traits = cost_traits<Cost>;
  auto const is_malformed = [](cover_item<Cost> const& item) {
    return item.size < 1 ||
           (!item.cost.is_forbidden() && traits::to_raw(item.cost) < typename traits::raw{});
  };
  if (std::ranges::any_of(problem.items, is_malformed)) {
    return solve_status::malformed;
  }
  auto const need = static_cast<std::size_t>(std::max(problem.need, 0));
  if (problem.need > max_cover_need || problem.items.size() > max_cover_items ||
      problem.items.size() > reserved_items || need > reserved_need) {
    return solve_status::too_large;
  }
  auto const is_in_range = [](cover_item<Cost> const& item) { return traits::in_range(item.cost); };
  return std::ranges::all_of(problem.items, is_in_range) ? solve_status::optimal
                                                         : solve_status::cost_out_of_range;
}

}  // namespace detail
BERTH_NAMESPACE_END
