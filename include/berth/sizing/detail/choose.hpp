// SPDX-License-Identifier: BSL-1.0
// One option for every job, within the capacity, worth the most together: exactly where that can be
// had in time, else nearly and with a bound.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/sizing/detail/climb.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/solve/choice_knapsack.hpp>
#include <berth/solve/choice_problem.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Concave ladders: the solver's heap. Others: its table, if options × capacity is at most
/// `exact_work` and the workspace has one so large; else climb(). Precondition: the first options
/// fit. Ties as choice_knapsack breaks them (climb: the item listed first).
[[nodiscard]] inline sizing choose(sizing_problem const& problem, sizing_memory& memory,
                                   std::int64_t exact_work) noexcept {
  memory.options.finish();
  auto const adopt = [&](choice_workspace<gpu_time> const& solved) {
    auto const chosen = solved.solution().chosen;
    std::copy(chosen.begin(), chosen.end(), memory.chosen.begin());
    return memory.answer_chosen(problem);
  };
  auto const items = memory.options.within(problem.capacity);
  if (choice_knapsack{}.solve(items, memory.concave) == solve_status::optimal) {
    return adopt(memory.concave);
  }
  auto const options = static_cast<std::int64_t>(memory.options.options());
  if (options * problem.capacity <= exact_work &&
      choice_knapsack{}.solve(items, memory.tabulated) == solve_status::optimal) {
    return adopt(memory.tabulated);
  }
  std::int64_t const bound = climbing{memory, problem.capacity, climb_until::no_gain}.run();
  sizing nearly = memory.answer_chosen(problem);
  nearly.bound = bound;
  return nearly;
}

}  // namespace detail
BERTH_NAMESPACE_END
