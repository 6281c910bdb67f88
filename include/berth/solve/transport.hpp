// SPDX-License-Identifier: BSL-1.0
// Exact capacitated transportation by a primal network simplex, cold or warm, with integer costs.
// Method: Ahuja, Magnanti, Orlin, Network Flows, 1993, chapter 11, on the network rooted at the
// sink: rows may wait there and columns have their room from there, so that no artificial arcs are
// needed (detail/network_simplex_tree.hpp). A greedy flow led by rough prices makes the first
// basis (transport_start, transport_basis), rows are priced in blocks and by shortlists
// (transport_pricing). A warm solve makes the first basis of what the last one shipped.
// Complexity: O(arcs) and the pivots; a pivot costs a block of rows and the nodes whose price
// changes. How many pivots there are has no good bound; in practice a few per row and column.
// Rows that must ship wait at a price above everything that a way through the network can save;
// within the range of costs it cannot overflow (detail/transport_checks.hpp).
// Overflow rule: cost_traits.hpp. Ties: see transport_matcher.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_answer.hpp>
#include <berth/solve/detail/transport_basis.hpp>
#include <berth/solve/detail/transport_checks.hpp>
#include <berth/solve/detail/transport_pricing.hpp>
#include <berth/solve/detail/transport_shortlist.hpp>
#include <berth/solve/detail/transport_start.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport_problem.hpp>
#include <berth/solve/transport_workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// The matcher for classes with counts.
/// Ties: the greedy lets the lowest row choose first, and of equal columns the lowest, a column
/// before waiting. Whatever the simplex then changes, it changes for a gain, or at no units; so of
/// several optima the one that is found follows from problem, and in resolve() also from the last
/// answer, and is the same on every platform.
struct transport_matcher {
  template <class Problem>
  using workspace_for = transport_workspace<typename Problem::cost_type>;

  static constexpr std::size_t max_rows = detail::max_transport_rows;
  static constexpr std::int64_t max_units = detail::max_transport_units;

  /// optimal | feasible (only with a budget, in pivots) | infeasible | cost_out_of_range |
  /// too_large | malformed. Does not allocate.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(transport_problem<Cost> const& problem,
                                   transport_workspace<Cost>& workspace,
                                   solve_budget const& budget = {}) const noexcept {
    auto& memory = workspace.memory_;
    workspace.solution_ = {};
    memory.is_kept = false;
    if (solve_status const refused = refuse(problem, memory); refused != solve_status::optimal) {
      return refused;
    }
    for (std::size_t row = 0; row < problem.rows.size(); ++row) {
      solve_status const refused = detail::check_transport_row(problem, row);
      if (refused != solve_status::optimal) {
        return refused;
      }
    }
    detail::set_transport_limits(problem, memory);
    detail::transport_start<Cost>{problem, memory}.run();
    return finish(problem, workspace, budget, false);
  }

  /// The same answer as solve(), sooner when little has changed since the last answer in this
  /// workspace: only the rows listed may have other arcs, costs, supply or unmatched cost, in any
  /// order; capacities may all have changed. A row not listed may have moved within `arcs`.
  /// Solves from nothing if the workspace has no answer, or one of another size.
  /// O(rows + columns + arcs of the rows listed) and the pivots.
  template <solver_cost Cost>
  [[nodiscard]] solve_status resolve(transport_problem<Cost> const& problem,
                                     transport_workspace<Cost>& workspace,
                                     std::span<std::uint32_t const> changed_rows,
                                     solve_budget const& budget = {}) const noexcept {
    auto& memory = workspace.memory_;
    if (!memory.is_kept || memory.kept_rows != problem.rows.size() ||
        memory.kept_columns != problem.columns()) {
      return solve(problem, workspace, budget);
    }
    workspace.solution_ = {};
    memory.is_kept = false;
    if (solve_status const refused = refuse(problem, memory); refused != solve_status::optimal) {
      return refused;
    }
    for (std::uint32_t const row : changed_rows) {
      if (row >= problem.rows.size()) {
        return solve_status::malformed;
      }
      solve_status const refused = detail::check_transport_row(problem, row);
      if (refused != solve_status::optimal) {
        return refused;
      }
    }
    detail::set_transport_limits(problem, memory);
    if (memory.uses_shortlist) {
      for (std::uint32_t const row : changed_rows) {
        detail::transport_shortlist<Cost>{problem, memory}.make(row);
      }
    }
    detail::transport_basis<Cost>{problem, memory}.keep_flow();
    return finish(problem, workspace, budget, true);
  }

 private:
  template <class Cost>
  [[nodiscard]] static solve_status refuse(transport_problem<Cost> const& problem,
                                           detail::transport_memory<Cost> const& memory) noexcept {
    if (!problem.is_well_formed()) {
      return solve_status::malformed;
    }
    if (!detail::transport_fits(problem, memory)) {
      return solve_status::too_large;
    }
    return detail::must_ship_too_much(problem) ? solve_status::infeasible : solve_status::optimal;
  }

  template <class Cost>
  [[nodiscard]] static solve_status finish(transport_problem<Cost> const& problem,
                                           transport_workspace<Cost>& workspace,
                                           solve_budget const& budget, bool keeps) noexcept {
    auto& memory = workspace.memory_;
    if (problem.rows.empty() && problem.columns() == 0) {
      return solve_status::optimal;  // a workspace that was never reserved has not even a root
    }
    detail::transport_basis<Cost>{problem, memory}.build(keeps);
    bool const is_optimal = detail::transport_pricing<Cost>{problem, memory, budget}.run();
    solve_status const status =
        detail::transport_answer<Cost>{problem, memory}.write(is_optimal, workspace.solution_);
    memory.is_kept = has_solution(status);
    memory.kept_rows = problem.rows.size();
    memory.kept_columns = problem.columns();
    return status;
  }
};

BERTH_NAMESPACE_END
