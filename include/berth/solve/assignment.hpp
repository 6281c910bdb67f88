// SPDX-License-Identifier: BSL-1.0
// Exact rectangular assignment on integer costs, cold and warm.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/assignment_workspace.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/assignment_meter.hpp>
#include <berth/solve/detail/assignment_reduction.hpp>
#include <berth/solve/detail/assignment_scaling.hpp>
#include <berth/solve/detail/assignment_scanner.hpp>
#include <berth/solve/detail/assignment_search.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

struct assignment_matcher {
  template <class Problem>
  using workspace_for = assignment_workspace<typename Problem::cost_type>;

  /// More rows than this are too_large: prices would leave the safe range.
  static constexpr std::size_t max_rows = std::size_t{1} << 18;

  instruction_set instructions = best_instruction_set();

  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(assignment_problem<Cost> const& problem,
                                   assignment_workspace<Cost>& workspace,
                                   solve_budget const& budget = {}) const noexcept {
    forget(workspace);
    if (solve_status const refused = refuse(problem, workspace); refused != solve_status::optimal) {
      return refused;
    }
    detail::assignment_meter meter{budget};
    if constexpr (!std::integral<typename cost_traits<Cost>::raw>) {
      if (!costs_are_in_range(problem.cost, problem.unmatched_cost)) {
        return solve_status::cost_out_of_range;
      }
      workspace.has_forbidden_ = true;
      return solve_with(problem.cost, problem, workspace, workspace.wide_,
                        detail::assignment_memory::wide, meter);
    } else {
      if (!survey(problem, workspace)) {
        return solve_status::cost_out_of_range;
      }
      if (!fits_narrow(problem, workspace)) {
        return solve_with(problem.cost, problem, workspace, workspace.wide_,
                          detail::assignment_memory::wide, meter);
      }
      return solve_with(narrow_cost(problem, workspace), problem, workspace, workspace.narrow_,
                        detail::assignment_memory::narrow, meter);
    }
  }

  template <solver_cost Cost>
  [[nodiscard]] solve_status resolve(assignment_problem<Cost> const& problem,
                                     assignment_workspace<Cost>& workspace,
                                     std::span<std::uint32_t const> changed_rows,
                                     solve_budget const& budget = {}) const noexcept {
    auto& w = workspace;
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    if (w.memory_ == detail::assignment_memory::none || rows != w.rows_ || columns != w.columns_ ||
        !costs_are_well_formed(problem.cost, problem.unmatched_cost) ||
        changed_rows.size() > rows ||
        !std::ranges::all_of(changed_rows, [rows](std::uint32_t row) { return row < rows; })) {
      return solve(problem, workspace, budget);
    }
    auto const memory = w.memory_;
    detail::assignment_meter meter{budget};
    if constexpr (std::integral<typename cost_traits<Cost>::raw>) {
      if (!survey_rows(problem, w, changed_rows)) {
        forget(w);
        return solve_status::cost_out_of_range;
      }
      if (fits_narrow(problem, w) != (memory == detail::assignment_memory::narrow)) {
        return solve(problem, workspace, budget);
      }
      if (memory == detail::assignment_memory::narrow) {
        return resolve_with(narrow_cost(problem, w), problem, w, w.narrow_, changed_rows, meter);
      }
    } else {
      for (std::uint32_t const row : changed_rows) {
        if (!costs_are_in_range(cost_matrix_view<Cost>{problem.cost.row(row), 1, columns},
                                problem.unmatched_cost)) {
          forget(w);
          return solve_status::cost_out_of_range;
        }
      }
    }
    return resolve_with(problem.cost, problem, w, w.wide_, changed_rows, meter);
  }

 private:
  template <class Cost>
  static void forget(assignment_workspace<Cost>& w) noexcept {
    w.solution_ = {};
    w.memory_ = detail::assignment_memory::none;
  }

  template <class Cost>
  static solve_status refuse(assignment_problem<Cost> const& problem,
                             assignment_workspace<Cost> const& workspace) noexcept {
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    if (!costs_are_well_formed(problem.cost, problem.unmatched_cost)) {
      return solve_status::malformed;
    }
    return rows > max_rows || columns >= unmatched || rows > workspace.row_price_.size() ||
                   columns > workspace.column_price_.size()
               ? solve_status::too_large
               : solve_status::optimal;
  }

  template <class Cost>
  using stored =
      std::conditional_t<sizeof(Cost) == sizeof(std::int32_t), std::int32_t, std::int64_t>;

  template <class Cost>
  bool survey(assignment_problem<Cost> const& problem,
              assignment_workspace<Cost>& w) const noexcept {
    detail::scanner<Cost, stored<Cost>> const scan{instructions, true};
    detail::cost_extent<stored<Cost>> extent;
    for (std::size_t row = 0; row < problem.cost.rows(); ++row) {
      survey_row(problem, w, scan, row, extent);
    }
    w.least_cost_ = extent.least;
    w.greatest_cost_ = extent.greatest;
    w.has_forbidden_ = extent.has_forbidden;
    return is_in_range<Cost>(extent) &&
           costs_are_in_range(cost_matrix_view<Cost>{}, problem.unmatched_cost);
  }

  template <class Cost>
  bool survey_rows(assignment_problem<Cost> const& problem, assignment_workspace<Cost>& w,
                   std::span<std::uint32_t const> changed_rows) const noexcept {
    detail::scanner<Cost, stored<Cost>> const scan{instructions, true};
    detail::cost_extent<stored<Cost>> extent{static_cast<stored<Cost>>(w.least_cost_),
                                             static_cast<stored<Cost>>(w.greatest_cost_),
                                             w.has_forbidden_};
    for (std::uint32_t const row : changed_rows) {
      survey_row(problem, w, scan, row, extent);
    }
    w.least_cost_ = extent.least;
    w.greatest_cost_ = extent.greatest;
    w.has_forbidden_ = extent.has_forbidden;
    return is_in_range<Cost>(extent) &&
           costs_are_in_range(cost_matrix_view<Cost>{}, problem.unmatched_cost);
  }

  template <class Cost>
  static void survey_row(assignment_problem<Cost> const& problem, assignment_workspace<Cost>& w,
                         detail::scanner<Cost, stored<Cost>> const& scan, std::size_t row,
                         detail::cost_extent<stored<Cost>>& extent) noexcept {
    auto const cells = problem.cost.row(row);
    scan.survey(cells, extent);
    if (Cost const left_out = left_out_cost(problem.unmatched_cost, row);
        !left_out.is_forbidden()) {
      auto const value = static_cast<stored<Cost>>(cost_traits<Cost>::to_raw(left_out));
      extent.least = std::min(extent.least, value);
      extent.greatest = std::max(extent.greatest, value);
    }
    if constexpr (assignment_workspace<Cost>::is_compacted) {
      integer_cost* const to = w.compact_.data() + row * cells.size();
      for (std::size_t column = 0; column < cells.size(); ++column) {
        to[column] = cells[column].is_forbidden()
                         ? integer_cost::forbidden()
                         : integer_cost{static_cast<std::int32_t>(cells[column].count())};
      }
    }
  }

  template <class Cost>
  static bool is_in_range(detail::cost_extent<stored<Cost>> const& extent) noexcept {
    auto const limit = cost_traits<Cost>::limit;
    return extent.least > extent.greatest || (extent.least >= -limit && extent.greatest <= limit);
  }

  template <class Cost>
  static bool fits_narrow(assignment_problem<Cost> const& problem,
                          assignment_workspace<Cost> const& w) noexcept {
    if (w.least_cost_ > w.greatest_cost_) {
      return true;
    }
    std::int64_t const limit = cost_traits<integer_cost>::limit;
    std::int64_t const spread = w.greatest_cost_ - w.least_cost_;
    bool const is_reached_directly =
        !w.has_forbidden_ || (!problem.unmatched_cost.empty() &&
                              std::ranges::none_of(problem.unmatched_cost, &Cost::is_forbidden));
    std::int64_t const edges =
        is_reached_directly
            ? 1
            : static_cast<std::int64_t>(std::min(
                  w.rows_ ? problem.cost.rows() : problem.cost.rows(), problem.cost.columns())) +
                  1;
    return w.least_cost_ >= -limit && w.greatest_cost_ <= limit &&
           spread <= (std::int64_t{1} << 28) / edges;
  }

  template <class Cost>
  static cost_matrix_view<integer_cost> narrow_cost(assignment_problem<Cost> const& problem,
                                                    assignment_workspace<Cost> const& w) noexcept {
    if constexpr (assignment_workspace<Cost>::is_compacted) {
      return {w.compact_, problem.cost.rows(), problem.cost.columns()};
    } else {
      return problem.cost;
    }
  }

  template <class Cell, class Cost, class Word>
  solve_status solve_with(cost_matrix_view<Cell> cost, assignment_problem<Cost> const& problem,
                          assignment_workspace<Cost>& w, detail::assignment_numbers<Word>& numbers,
                          detail::assignment_memory memory,
                          detail::assignment_meter& meter) const noexcept {
    detail::assignment_search<Cell, Word> search{
        cost, numbers, w.indices_, {instructions, w.has_forbidden_}, {}};
    std::uint32_t const rows = search.rows();
    std::uint32_t const columns = search.columns();
    std::fill_n(w.indices_.column_of_row.begin(), rows, unmatched);
    std::fill_n(w.indices_.row_of_column.begin(), columns, unmatched);
    std::uint32_t waiting = 0;
    bool complete = false;
    if constexpr (std::integral<Word>) {
      complete = rows == columns &&
                 (problem.unmatched_cost.empty() ||
                  (!w.has_forbidden_ && std::ranges::all_of(problem.unmatched_cost, [&w](Cost c) {
                    return c.is_forbidden() || cost_traits<Cost>::to_raw(c) >= w.greatest_cost_;
                  })));
    }
    std::fill_n(numbers.left_out.begin(), rows, detail::assignment_word<Word>::unreachable);
    if (!complete) {
      read_left_out(problem, numbers);
    }
    if constexpr (std::integral<Word>) {
      if (complete) {
        if (!detail::reduce_columns(search)) {
          return solve_status::infeasible;
        }
      } else {
        std::fill_n(numbers.column_price.begin(), columns, Word{});
      }
      waiting = detail::list_waiting(search);
      waiting = detail::reduce_rows(search, waiting, std::uint64_t{20} * rows, meter);
      waiting = detail::reduce_rows(search, waiting, std::uint64_t{20} * rows, meter);
      if (complete && waiting > rows / 7 && rows > 100) {
        waiting = detail::scale_prices(search, meter);
      }
    } else {
      std::fill_n(numbers.column_price.begin(), columns, Word{});
      waiting = detail::list_waiting(search);
    }
    prepare(search, w);
    for (std::uint32_t i = 0; i < waiting; ++i) {
      if (!search.enter(w.indices_.waiting[i])) {
        return solve_status::infeasible;
      }
    }
    if (complete) {
      search.level_prices();
      if (!problem.unmatched_cost.empty()) {
        read_left_out(problem, numbers);
        for (std::uint32_t row = 0; row < rows; ++row) {
          std::uint32_t const column = w.indices_.column_of_row[row];
          if (column != unmatched && numbers.left_out[row] < search.priced(row, column)) {
            w.indices_.column_of_row[row] = unmatched;
            w.indices_.row_of_column[column] = unmatched;
          }
        }
        search.release_all();
      }
    }
    w.memory_ = memory;
    w.rows_ = rows;
    w.columns_ = columns;
    publish(search, problem, w);
    return solve_status::optimal;
  }

  template <class Cell, class Cost, class Word>
  solve_status resolve_with(cost_matrix_view<Cell> cost, assignment_problem<Cost> const& problem,
                            assignment_workspace<Cost>& w,
                            detail::assignment_numbers<Word>& numbers,
                            std::span<std::uint32_t const> changed_rows,
                            detail::assignment_meter& meter) const noexcept {
    detail::assignment_search<Cell, Word> search{
        cost, numbers, w.indices_, {instructions, w.has_forbidden_}, {}};
    std::uint32_t waiting = 0;
    for (std::uint32_t const row : changed_rows) {
      std::uint32_t const column = w.indices_.column_of_row[row];
      if (column != unmatched) {
        w.indices_.row_of_column[column] = unmatched;
        w.indices_.column_of_row[row] = unmatched;
      }
      numbers.left_out[row] = read_left_out<Word>(problem, row);
      w.indices_.waiting[waiting++] = row;
    }
    if constexpr (std::integral<Word>) {
      prepare(search, w);
      waiting = detail::reduce_rows(search, waiting, 4 * std::uint64_t{waiting}, meter);
    }
    forget(w);
    for (std::uint32_t i = 0; i < waiting; ++i) {
      if (!search.enter(w.indices_.waiting[i])) {
        return solve_status::infeasible;
      }
    }
    search.release_all();
    search.level_prices();
    w.memory_ = std::is_same_v<Word, std::int32_t> ? detail::assignment_memory::narrow
                                                   : detail::assignment_memory::wide;
    publish(search, problem, w);
    return solve_status::optimal;
  }

  template <class Cell, class Word, class Cost>
  static void prepare(detail::assignment_search<Cell, Word>& search,
                      assignment_workspace<Cost> const& w) noexcept {
    if constexpr (std::integral<Word>) {
      auto const first = search.numbers.column_price.begin();
      Word lowest{};
      for (auto it = first; it != first + search.columns(); ++it) {
        lowest = std::min(lowest, *it);
      }
      search.base =
          static_cast<Word>(w.least_cost_ > w.greatest_cost_ ? 0 : w.least_cost_) + lowest;
    }
  }

  template <class Word, class Cost>
  static Word read_left_out(assignment_problem<Cost> const& problem, std::size_t row) noexcept {
    Cost const left_out = left_out_cost(problem.unmatched_cost, row);
    return left_out.is_forbidden() ? detail::assignment_word<Word>::unreachable
                                   : detail::to_word<Word>(left_out);
  }
  template <class Word, class Cost>
  static void read_left_out(assignment_problem<Cost> const& problem,
                            detail::assignment_numbers<Word>& numbers) noexcept {
    for (std::size_t row = 0; row < problem.cost.rows(); ++row) {
      numbers.left_out[row] = read_left_out<Word>(problem, row);
    }
  }

  template <class Cell, class Word, class Cost>
  static void publish(detail::assignment_search<Cell, Word>& search,
                      assignment_problem<Cost> const& problem,
                      assignment_workspace<Cost>& w) noexcept {
    using traits = cost_traits<Cost>;
    using raw = typename traits::raw;
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    search.price_rows();
    raw total{};
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t const column = w.indices_.column_of_row[row];
      raw const r{search.numbers.row_price[row]};
      total = total + r;
      if (column != unmatched) {
        total = total - raw{search.numbers.column_price[column]};
      }
      w.row_price_[row] = traits::from_raw(r);
    }
    for (std::size_t column = 0; column < columns; ++column) {
      w.column_price_[column] = traits::from_raw(raw{search.numbers.column_price[column]});
    }
    auto const told = traits::from_raw(total);
    w.solution_ = {{w.indices_.column_of_row.data(), rows},
                   {w.indices_.row_of_column.data(), columns},
                   {w.row_price_.data(), rows},
                   {w.column_price_.data(), columns},
                   told,
                   told};
  }
};

BERTH_NAMESPACE_END
