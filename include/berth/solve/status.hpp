// SPDX-License-Identifier: BSL-1.0
// What a solver says about its answer. Bad input is a status, not an exception: a solver runs
// inside a tick, and a tick always ends.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Only `optimal` and `feasible` come with a solution; after any other the solution is empty.
enum class solve_status : std::uint8_t {
  optimal,            ///< the solution is proved optimal by its prices
  feasible,           ///< the solver stopped early; its prices bound the distance to the optimum
  infeasible,         ///< no solution respects the forbidden entries
  cost_out_of_range,  ///< a cost lies beyond cost_traits<Cost>::limit; nothing was computed
  too_large,          ///< beyond what the workspace was reserved for, or a solver's own bound
  malformed,          ///< sizes that disagree, a negative count, or a sign that a solver excludes
};

/// The name as written above; "unknown" for a number that is none of them.
[[nodiscard]] constexpr char const* to_string(solve_status status) noexcept {
  switch (status) {
    case solve_status::optimal: return "optimal";
    case solve_status::feasible: return "feasible";
    case solve_status::infeasible: return "infeasible";
    case solve_status::cost_out_of_range: return "cost_out_of_range";
    case solve_status::too_large: return "too_large";
    case solve_status::malformed: return "malformed";
  }
  return "unknown";
}

/// Whether a solution is there to be read.
[[nodiscard]] constexpr bool has_solution(solve_status status) noexcept {
  return status == solve_status::optimal || status == solve_status::feasible;
}

BERTH_NAMESPACE_END
