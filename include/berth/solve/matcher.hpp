// SPDX-License-Identifier: BSL-1.0
// The seam behind which one solver can replace another: the scheduler's own, Boost.Graph, or a
// user's. One verb: solve(problem, workspace) -> solve_status; the answer is read from the
// workspace.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/status.hpp>

#include <concepts>
#include <cstddef>

BERTH_NAMESPACE_BEGIN

/// Scratch memory and answer of a solver of `Problem`, owned by the caller. reserve() is the only
/// member that may allocate.
template <class Workspace, class Problem>
concept matcher_workspace =
    requires(Workspace& workspace, Workspace const& solved, std::size_t count) {
      workspace.reserve(count, count);
      { solved.solution() } noexcept -> std::same_as<typename Problem::solution_type>;
    };

/// The workspace type that a matcher uses for a problem.
template <class Matcher, class Problem>
using workspace_of = typename Matcher::template workspace_for<Problem>;

/// Solves `Problem`; it may allocate and throw. Equal problems give equal answers.
template <class Matcher, class Problem>
concept matcher = requires(Matcher const& solver, Problem const& problem,
                           workspace_of<Matcher, Problem>& workspace) {
  requires matcher_workspace<workspace_of<Matcher, Problem>, Problem>;
  { solver.solve(problem, workspace) } -> std::same_as<solve_status>;
};

/// May run inside a tick: does not throw, and promises not to allocate after reserve().
template <class Matcher, class Problem>
concept tick_matcher =
    matcher<Matcher, Problem> && requires(Matcher const& solver, Problem const& problem,
                                          workspace_of<Matcher, Problem>& workspace) {
      { solver.solve(problem, workspace) } noexcept;
    };

BERTH_NAMESPACE_END
