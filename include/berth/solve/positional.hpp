// SPDX-License-Identifier: BSL-1.0
// Exact matching of many unit rows to few columns with capacities, by shortest augmenting paths
// over the columns instead of the rows (positional_balance.hpp). A cold solve first solves a sample
// of rows against a share of the capacities, then samples four times as large: each leaves prices
// at which nearly all further rows enter where they stay. A warm solve lets changed rows out and in
// and mends what that has upset.
// Complexity: a changed row costs a few searches of O(columns²), and now and then the reading of a
// column's rows. Memory O(rows + columns²) besides the matrix. Overflow rule: cost_traits.hpp, with
// prices within columns × 2^46. Ties: see positional_matcher.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/budget_meter.hpp>
#include <berth/solve/detail/positional_balance.hpp>
#include <berth/solve/detail/positional_rescue.hpp>
#include <berth/solve/detail/positional_state.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/positional_problem.hpp>
#include <berth/solve/positional_workspace.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

BERTH_NAMESPACE_BEGIN

/// The matcher for unit rows and columns with capacities.
/// Ties, all by index and so the same on every platform: a row enters, and a path ends, in a column
/// with room before a full one, then in the lowest, being left out last; of rows that could move at
/// the same cost the lowest does. Among optima of equal total, which one is found depends on the
/// calls before (a warm solve moves as little as it can), and on nothing else.
struct positional_matcher {
  template <class Problem>
  using workspace_for = positional_workspace<typename Problem::cost_type>;

  /// More rows or columns than this are too_large: prices would leave the safe range.
  static constexpr std::size_t max_rows = std::size_t{1} << 18;
  static constexpr std::size_t max_columns = std::size_t{1} << 10;

  /// Of a machine that has both, both give the same answer.
  instruction_set instructions = best_instruction_set();

  /// optimal | feasible | infeasible | cost_out_of_range | too_large | malformed. Does not
  /// allocate. A step of the budget is one search; where rows are left without a place when it
  /// ends, finding them one still takes up to O(columns²) each.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(positional_problem<Cost> const& problem,
                                   positional_workspace<Cost>& workspace,
                                   solve_budget const& budget = {}) const noexcept {
    forget(workspace);
    solve_status refused = refuse_shape(problem, workspace);
    if (refused == solve_status::optimal &&
        !costs_are_in_range(problem.cost, problem.unmatched_cost)) {
      refused = solve_status::cost_out_of_range;
    }
    if (refused != solve_status::optimal) {
      return refused;
    }
    std::size_t const rows = problem.cost.rows();
    detail::budget_meter meter{budget};
    workspace.state_.start(rows, problem.cost.columns());
    std::size_t const step = stride(rows);
    std::size_t share = 1;  // of the rows, one in `share`
    while (rows / share > first_sample) {
      share *= growth;
    }
    detail::balance reached = detail::balance::reached;
    for (std::size_t entered = 0; entered < rows; share /= growth) {
      std::size_t const sample = rows / share;
      workspace.state_.set_capacity(problem.capacity, sample, rows);
      for (; entered < sample; ++entered) {
        std::size_t const row = entered * step % rows;
        if (problem.has_row(row) &&
            !workspace.state_.enter(problem, static_cast<std::uint32_t>(row))) {
          return solve_status::infeasible;
        }
      }
      // A sample that is stuck says nothing about the whole: only the last one counts.
      reached = detail::settle(problem, workspace.state_, meter, instructions);
    }
    return finish(problem, workspace, reached);
  }

  /// As solve(), for a problem that differs from the one solved last in the cells, unmatched costs
  /// and presence of `changed_rows` and in any capacities: to insert a row, make it present; to
  /// remove one, the opposite. Starts from the last optimum; solves cold where there is none, or
  /// one of another size. Indices may repeat; one out of bounds is malformed.
  template <solver_cost Cost>
  [[nodiscard]] solve_status resolve(positional_problem<Cost> const& problem,
                                     positional_workspace<Cost>& workspace,
                                     std::span<std::uint32_t const> changed_rows,
                                     solve_budget const& budget = {}) const noexcept {
    std::size_t const rows = problem.cost.rows();
    if (std::ranges::any_of(changed_rows, [rows](std::uint32_t row) { return row >= rows; })) {
      forget(workspace);
      return solve_status::malformed;
    }
    if (!workspace.is_warm_ || workspace.rows_ != rows ||
        workspace.columns_ != problem.cost.columns()) {
      return solve(problem, workspace, budget);
    }
    forget(workspace);
    if (solve_status const refused = refuse_shape(problem, workspace);
        refused != solve_status::optimal) {
      return refused;
    }
    detail::positional_state<Cost>& state = workspace.state_;
    // Where much of the room has come or gone the old answer is of no use.
    if (state.changed_places(problem.capacity) > static_cast<std::int64_t>(64 + rows / 4)) {
      return solve(problem, workspace, budget);
    }
    for (std::uint32_t const row : changed_rows) {
      if (!row_is_in_range(problem.cost.row(row), left_out_cost(problem.unmatched_cost, row))) {
        return solve_status::cost_out_of_range;
      }
      if (state.is_in(row)) {
        state.leave(row);
      }
    }
    state.set_capacity(problem.capacity, 1, 1);
    for (std::uint32_t const row : changed_rows) {
      if (problem.has_row(row) && !state.is_in(row) && !state.enter(problem, row)) {
        return solve_status::infeasible;
      }
    }
    detail::budget_meter meter{budget};
    return finish(problem, workspace, detail::settle(problem, state, meter, instructions));
  }

 private:
  static constexpr std::size_t first_sample = 128;
  static constexpr std::size_t growth = 4;

  /// Rows enter in steps of this, modulo their number: a golden section of it, so that every sample
  /// is spread evenly over the rows whatever period they have, and coprime to it, so that all come.
  static std::size_t stride(std::size_t rows) noexcept {
    std::size_t step = std::max<std::size_t>(1, rows * 618 / 1000);
    while (std::gcd(step, rows) != 1) {
      ++step;
    }
    return step;
  }

  template <class Cost>
  static void forget(positional_workspace<Cost>& workspace) noexcept {
    workspace.solution_ = {};
    workspace.is_warm_ = false;
  }

  template <class Cost>
  static solve_status refuse_shape(positional_problem<Cost> const& problem,
                                   positional_workspace<Cost> const& workspace) noexcept {
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    if (!costs_are_well_formed(problem.cost, problem.unmatched_cost) ||
        problem.capacity.size() != columns ||
        (!problem.is_present.empty() && problem.is_present.size() != rows) ||
        std::ranges::any_of(problem.capacity, [](std::int32_t places) { return places < 0; })) {
      return solve_status::malformed;
    }
    if (rows > max_rows || columns > max_columns || rows > workspace.column_of_row_.size() ||
        columns > workspace.column_price_.size()) {
      return solve_status::too_large;
    }
    return solve_status::optimal;
  }

  template <class Cost>
  static solve_status finish(positional_problem<Cost> const& problem,
                             positional_workspace<Cost>& workspace,
                             detail::balance reached) noexcept {
    if (reached == detail::balance::stuck ||
        (reached == detail::balance::out_of_budget && !detail::rescue(problem, workspace.state_))) {
      return solve_status::infeasible;
    }
    bool const is_optimal = reached == detail::balance::reached;
    auto const bound =
        is_optimal ? workspace.state_.total : detail::dual_bound(problem, workspace.state_);
    publish(problem, workspace, bound);
    workspace.rows_ = problem.cost.rows();
    workspace.columns_ = problem.cost.columns();
    workspace.is_warm_ = is_optimal && prices_are_small(workspace.state_);
    return is_optimal ? solve_status::optimal : solve_status::feasible;
  }

  /// Where every column stays full nothing ties prices to zero, and over many warm solves they may
  /// drift: by at most columns × 2^42 in one, which keeps them within 2^57.
  template <class Cost>
  static bool prices_are_small(detail::positional_state<Cost> const& state) noexcept {
    using traits = cost_traits<Cost>;
    for (std::size_t c = 0; c < state.classes; ++c) {
      if (!traits::is_price(traits::from_raw(state.price[c]), std::int64_t{1} << 56)) {
        return false;
      }
    }
    return true;
  }

  template <class Cost>
  static void publish(positional_problem<Cost> const& problem, positional_workspace<Cost>& w,
                      typename cost_traits<Cost>::raw bound) noexcept {
    using traits = cost_traits<Cost>;
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t const at = w.state_.members.class_of(row);
      w.column_of_row_[row] = at == columns ? unmatched : at;  // `none` is unmatched as well
    }
    for (std::size_t column = 0; column < columns; ++column) {
      w.rows_in_column_[column] = w.state_.members.size(column);
      w.column_price_[column] = traits::from_raw(w.state_.price[column]);
    }
    w.solution_ = {{w.column_of_row_.data(), rows},
                   {w.rows_in_column_.data(), columns},
                   {w.column_price_.data(), columns},
                   traits::from_raw(w.state_.total),
                   traits::from_raw(bound)};
  }
};

BERTH_NAMESPACE_END
