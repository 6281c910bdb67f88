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

/// Concave ladders of one step: the solver's heap. Others: climbing, where no step is cut short;
/// else the solver's table, if options × capacity is at most `exact_work` and the workspace has one
/// so large; else what climbing found, with its bound. The first three are optimal and break ties
/// alike, as choice_knapsack says: climbing ends with everybody on top, or with no GPU left after
/// equal steps were taken in the order of the items, each item as far as it goes.
/// Precondition: the first options fit.
[[nodiscard]] inline sizing choose(sizing_problem const& problem, sizing_memory& memory,
                                   std::int64_t exact_work) noexcept {
  memory.options.finish();
  auto const items = memory.options.within(problem.capacity);
  auto const adopt = [&](choice_workspace<gpu_time> const& solved) {
    auto const chosen = solved.solution().chosen;
    std::copy(chosen.begin(), chosen.end(), memory.chosen.begin());
    return memory.answer_chosen(problem);
  };
  if (choice_knapsack{}.solve(items, memory.concave) == solve_status::optimal) {
    return adopt(memory.concave);
  }
  climbed const found = climbing{memory, problem.capacity, climb_until::no_gain}.run();
  auto const options = static_cast<std::int64_t>(memory.options.options());
  if (!found.is_undivided && options * problem.capacity <= exact_work &&
      choice_knapsack{}.solve(items, memory.tabulated) == solve_status::optimal) {
    return adopt(memory.tabulated);
  }
  sizing answer = memory.answer_chosen(problem);
  answer.bound = found.bound;
  return answer;
}

}  // namespace detail
BERTH_NAMESPACE_END
