// SPDX-License-Identifier: BSL-1.0
// Exact rectangular assignment on integer costs, cold and warm.
// Method: rows find their places by reductions, a row of the matrix at a time, and the rest by
// shortest alternating paths (Jonker and Volgenant, Computing 38, 1987; rectangular: Crouse, IEEE
// TAES 52(4), 2016). Where most rows compete for the same columns, prices start from an auction
// with shrinking increments (Bertsekas, Annals of Operations Research 14, 1988). Scans are
// vectorised where the machine can, in 32 bits where all distances fit
// (detail/assignment_survey.hpp). Complexity: O(rows² × columns) time in the worst case, O(rows +
// columns) memory beside the matrix. Overflow rule: cost_traits.hpp. Ties: see assignment_matcher.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/assignment_workspace.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/assignment_run.hpp>
#include <berth/solve/detail/assignment_survey.hpp>
#include <berth/solve/detail/budget_meter.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// The matcher for unit rows and unit columns.
/// Determinism: equal problems give equal answers, prices included, on every platform and with
/// every instruction set; a warm answer depends on the answers before it too.
/// Ties, for costs that are pairs: rows enter from the lowest; among columns equally far, a free
/// one before a taken one, then the lowest; a column before being left out; and a row that has a
/// column keeps it against a row that enters later at the same total. Costs that are one integer
/// may get another of the optima.
struct assignment_matcher {
  template <class Problem>
  using workspace_for = assignment_workspace<typename Problem::cost_type>;

  /// More rows than this are too_large: prices would leave the safe range.
  static constexpr std::size_t max_rows = std::size_t{1} << 18;

  instruction_set instructions = best_instruction_set();

  /// optimal | feasible | infeasible | cost_out_of_range | too_large | malformed; without a budget
  /// never feasible. Does not allocate. A step of the budget is one bid of a row or one search. If
  /// it ends, rows that have no place yet are left out, or take what is free; if one can do
  /// neither, all of them are searched for still, so that there is a solution to return.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(assignment_problem<Cost> const& problem,
                                   assignment_workspace<Cost>& workspace,
                                   solve_budget const& budget = {}) const noexcept {
    auto& state = workspace.state_;
    state.forget();
    if (solve_status const refused = refuse(problem, state); refused != solve_status::optimal) {
      return refused;
    }
    detail::budget_meter meter{budget};
    if constexpr (std::integral<typename cost_traits<Cost>::raw>) {
      state.transpose.forget();
      detail::assignment_survey survey{problem, state, instructions};
      survey.start_anew();
      for (std::size_t row = 0; row < problem.cost.rows(); ++row) {
        if (!survey.add(row)) {
          return solve_status::cost_out_of_range;
        }
      }
      if (survey.fits_narrow()) {
        return detail::assignment_run{problem,      state,        survey.narrow(),
                                      state.narrow, instructions, meter}
            .cold();
      }
    } else if (!costs_are_in_range(problem.cost, problem.unmatched_cost)) {
      return solve_status::cost_out_of_range;
    }
    return detail::assignment_run{problem, state, problem.cost, state.wide, instructions, meter}
        .cold();
  }

  /// The same optimum as solve(), from the answer in the workspace: a row that left and one that
  /// arrived in its place are a changed row. The problem must be the one last solved but for the
  /// cells and the unmatched cost of `changed_rows`; what else has changed is not noticed. Without
  /// an optimum in the workspace, or with other sizes, it is solve(). An index that is no row is
  /// malformed. O(changed rows × rows × columns) in the worst case, and O(rows + columns) at least.
  template <solver_cost Cost>
  [[nodiscard]] solve_status resolve(assignment_problem<Cost> const& problem,
                                     assignment_workspace<Cost>& workspace,
                                     std::span<std::uint32_t const> changed_rows,
                                     solve_budget const& budget = {}) const noexcept {
    auto& state = workspace.state_;
    std::size_t const rows = problem.cost.rows();
    auto const memory = state.memory;
    if (memory == detail::assignment_memory::none || rows != state.rows ||
        problem.cost.columns() != state.columns ||
        problem.unmatched_cost.empty() == state.may_leave_out) {
      return solve(problem, workspace, budget);
    }
    state.forget();
    if (!costs_are_well_formed(problem.cost, problem.unmatched_cost) ||
        !std::ranges::all_of(changed_rows, [rows](std::uint32_t row) { return row < rows; })) {
      return solve_status::malformed;
    }
    detail::budget_meter meter{budget};
    if constexpr (std::integral<typename cost_traits<Cost>::raw>) {
      detail::assignment_survey survey{problem, state, instructions};
      for (std::uint32_t const row : changed_rows) {
        if (!survey.add(row)) {
          return solve_status::cost_out_of_range;
        }
      }
      if (survey.fits_narrow() != (memory == detail::assignment_memory::narrow)) {
        return solve(problem, workspace, budget);
      }
      if (memory == detail::assignment_memory::narrow) {
        state.transpose.follow(survey.narrow(), changed_rows);
        return detail::assignment_run{problem,      state,        survey.narrow(),
                                      state.narrow, instructions, meter}
            .warm(changed_rows);
      }
    } else if (!rows_are_in_range(problem, changed_rows)) {
      return solve_status::cost_out_of_range;
    }
    return detail::assignment_run{problem, state, problem.cost, state.wide, instructions, meter}
        .warm(changed_rows);
  }

 private:
  template <class Cost>
  static solve_status refuse(assignment_problem<Cost> const& problem,
                             detail::assignment_state<Cost> const& state) noexcept {
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    if (!costs_are_well_formed(problem.cost, problem.unmatched_cost)) {
      return solve_status::malformed;
    }
    return rows > max_rows || columns >= unmatched || rows > state.row_price.size() ||
                   columns > state.column_price.size()
               ? solve_status::too_large
               : solve_status::optimal;
  }

  template <class Cost>
  static bool rows_are_in_range(assignment_problem<Cost> const& problem,
                                std::span<std::uint32_t const> rows) noexcept {
    return std::ranges::all_of(rows, [&problem](std::uint32_t row) {
      return row_is_in_range(problem.cost.row(row), left_out_cost(problem.unmatched_cost, row));
    });
  }
};

BERTH_NAMESPACE_END
