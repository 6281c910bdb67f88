// SPDX-License-Identifier: BSL-1.0
// One solve from the first price to the published answer, in numbers that were found to be safe.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/assignment_workspace.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/assignment_meeting.hpp>
#include <berth/solve/detail/assignment_reduction.hpp>
#include <berth/solve/detail/assignment_scaling.hpp>
#include <berth/solve/detail/assignment_search.hpp>
#include <berth/solve/detail/assignment_word.hpp>
#include <berth/solve/detail/budget_meter.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// `Cell` is the cost in the form the scans read, `Word` what they add up.
template <class Cost, class Cell, class Word>
class assignment_run {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using word = assignment_word<Word>;
  static constexpr bool is_integral = std::integral<Word>;
  static constexpr auto own_memory =
      std::is_same_v<Word, raw> ? assignment_memory::wide : assignment_memory::narrow;

 public:
  assignment_run(assignment_problem<Cost> const& problem, assignment_state<Cost>& state,
                 cost_matrix_view<Cell> cost, assignment_numbers<Word>& numbers,
                 instruction_set instructions, budget_meter& meter) noexcept
      : problem_{problem},
        state_{state},
        search_{cost,
                numbers,
                state.indices,
                {instructions, state.has_forbidden, numbers.block_least.data()},
                {},
                0},
        meter_{meter} {}

  solve_status cold() noexcept {
    std::fill_n(state_.indices.column_of_row.begin(), search_.rows(), unmatched);
    std::fill_n(state_.indices.row_of_column.begin(), search_.columns(), unmatched);
    std::uint32_t waiting = 0;
    if constexpr (is_integral) {
      matches_all_ = may_match_all() && nobody_gains_by_staying();
      read_left_out();
      if (matches_all_) {
        if (!reduce_columns(search_)) {
          return solve_status::infeasible;
        }
      } else {
        std::fill_n(search_.numbers.column_price.begin(), search_.columns(), Word{});
      }
      waiting = reduce_twice();
      if (matches_all_ && may_scale() && waiting > search_.rows() / 10 * 3) {
        waiting = scale();
      }
    } else {
      read_left_out();
      std::fill_n(search_.numbers.column_price.begin(), search_.columns(), Word{});
      waiting = list_waiting(search_);
    }
    return finish(enter_all(waiting));
  }

  /// Goes on from the optimum in the workspace. The rows are below problem.rows().
  solve_status warm(std::span<std::uint32_t const> changed_rows) noexcept {
    auto& mark = state_.indices.entered_by;
    for (std::uint32_t const row : changed_rows) {
      mark[row] = unmatched;
    }
    std::uint32_t waiting = 0;
    for (std::uint32_t const row : changed_rows) {
      if (mark[row] != unmatched) {
        continue;  // listed twice
      }
      mark[row] = 0;
      if (std::uint32_t const column = state_.indices.column_of_row[row]; column != unmatched) {
        state_.indices.row_of_column[column] = unmatched;
        state_.indices.column_of_row[row] = unmatched;
      }
      search_.numbers.left_out[row] = left_out(row);
      state_.indices.waiting[waiting++] = row;
    }
    if constexpr (is_integral) {
      waiting = reduce_rows(search_, waiting, 4 * std::uint64_t{waiting}, meter_);
    }
    return finish(enter_all(waiting));
  }

 private:
  // Tuned on the shapes of bench/matching: in scans of a row, on average over all rows.
  static constexpr std::uint64_t most_scans_of_reduction = 5;
  static constexpr std::uint64_t scans_that_tell = 3;
  static constexpr std::uint64_t scans_that_scaling_saves = 20;

  [[nodiscard]] Word left_out(std::size_t row) const noexcept {
    Cost const cost = left_out_cost(problem_.unmatched_cost, row);
    return cost.is_forbidden() || matches_all_ ? word::unreachable : to_word<Word>(cost);
  }
  void read_left_out() noexcept {
    for (std::uint32_t row = 0; row < search_.rows(); ++row) {
      search_.numbers.left_out[row] = left_out(row);
    }
  }

  /// Square, and every row may take every column, unless it must take one anyhow: then column
  /// prices may start from below zero, since in the end all columns have a row.
  [[nodiscard]] bool may_match_all() const noexcept {
    return search_.rows() == search_.columns() &&
           (problem_.unmatched_cost.empty() || !state_.has_forbidden);
  }
  /// It looks as if leaving out were dearer for all rows. A guess: repair() sees to the rest.
  [[nodiscard]] bool nobody_gains_by_staying() const noexcept {
    return std::ranges::all_of(problem_.unmatched_cost, [this](Cost cost) {
      return cost.is_forbidden() || traits::to_raw(cost) >= state_.greatest_cost;
    });
  }
  [[nodiscard]] bool may_scale() const noexcept {
    return may_match_all() && !state_.has_forbidden && search_.rows() > 1;
  }

  std::uint32_t reduce_twice() noexcept {
    std::uint64_t const most_scans = most_scans_of_reduction * search_.rows();
    std::uint32_t const waiting = reduce_rows(search_, list_waiting(search_), most_scans, meter_);
    return reduce_rows(search_, waiting, most_scans, meter_);
  }

  std::uint32_t scale() noexcept {
    has_scaled_ = true;
    matches_all_ = true;
    read_left_out();
    scale_prices(search_, static_cast<Word>(state_.greatest_cost - state_.least_cost), meter_);
    return reduce_rows(search_, list_waiting(search_), most_scans_of_reduction * search_.rows(),
                       meter_);
  }

  /// Whether the searches so far foretell that scaled prices would save more than they cost.
  [[nodiscard]] bool collapses(std::uint64_t done, std::uint64_t waiting) const noexcept {
    std::uint64_t const rows = search_.rows();
    return !has_scaled_ && search_.scans > scans_that_tell * rows &&
           search_.scans * waiting > scans_that_scaling_saves * rows * done;
  }

  void find_base() noexcept {
    if constexpr (is_integral) {
      auto const first = search_.numbers.column_price.begin();
      Word lowest{};
      for (auto price = first; price != first + search_.columns(); ++price) {
        lowest = std::min(lowest, *price);
      }
      bool const is_empty = state_.least_cost > state_.greatest_cost;
      search_.base =
          is_empty ? Word{} : static_cast<Word>(static_cast<Word>(state_.least_cost) + lowest);
    }
  }

  /// Lets the first `waiting` rows of the list in.
  solve_status enter_all(std::uint32_t waiting) noexcept {
    find_base();
    for (std::uint32_t i = 0; i < waiting; ++i) {
      if constexpr (own_memory == assignment_memory::narrow) {
        if (state_.transpose.is_current() && few_columns_are_free()) {
          return enter_from_both_ends(i, waiting);
        }
      }
      if (!meter_.spend()) {
        return enter_at_once(i, waiting);
      }
      if (!search_.enter(state_.indices.waiting[i])) {
        return solve_status::infeasible;
      }
      if constexpr (is_integral) {
        if (i + 1 < waiting && may_scale() && collapses(i + 1, waiting)) {
          return enter_all(scale());
        }
      }
    }
    return solve_status::optimal;
  }

  [[nodiscard]] std::uint64_t free_columns() const noexcept {
    auto const first = state_.indices.row_of_column.begin();
    return static_cast<std::uint64_t>(std::count(first, first + search_.columns(), unmatched));
  }
  /// So few that a search from a row alone would visit more rows than one from both ends.
  [[nodiscard]] bool few_columns_are_free() const noexcept {
    std::uint64_t const free = free_columns();
    return free > 0 && free * free <= search_.columns();
  }

  /// Once few columns are free, few will be until all rows are in.
  solve_status enter_from_both_ends(std::uint32_t first, std::uint32_t waiting) noexcept {
    assignment_meeting meeting{search_, state_.transpose.view(search_.rows(), search_.columns())};
    for (std::uint32_t i = first; i < waiting; ++i) {
      if (!meter_.spend()) {
        return enter_at_once(i, waiting);
      }
      std::uint32_t const row = state_.indices.waiting[i];
      std::uint32_t const free = meeting.free_columns();
      bool const meets = state_.transpose.pays() && free > 0;
      if (!(meets ? meeting.enter(row) : search_.enter(row))) {
        return solve_status::infeasible;
      }
      if (meets) {
        state_.transpose.learn_from(meeting.scans(), search_.columns() / (free + 1),
                                    search_.columns());
      }
    }
    return solve_status::optimal;
  }

  /// The budget is spent: the rest stay out, or take the cheapest free column. If one can do
  /// neither, all of them are let in exactly, which is bounded too.
  solve_status enter_at_once(std::uint32_t first, std::uint32_t waiting) noexcept {
    auto const* const rows = state_.indices.waiting.data();
    bool const all_have_a_place = std::all_of(rows + first, rows + waiting, [this](auto row) {
      return !left_out_cost(problem_.unmatched_cost, row).is_forbidden() || take_free_column(row);
    });
    if (all_have_a_place) {
      return solve_status::feasible;
    }
    for (std::uint32_t const* row = rows + first; row != rows + waiting; ++row) {
      if (std::uint32_t const column = state_.indices.column_of_row[*row]; column != unmatched) {
        state_.indices.row_of_column[column] = unmatched;
        state_.indices.column_of_row[*row] = unmatched;
      }
    }
    bool const all_are_in =
        std::all_of(rows + first, rows + waiting, [this](auto row) { return search_.enter(row); });
    return all_are_in ? solve_status::optimal : solve_status::infeasible;
  }

  bool take_free_column(std::uint32_t row) noexcept {
    std::uint32_t cheapest = unmatched;
    auto const cells = search_.cost.row(row);
    for (std::uint32_t column = 0; column < cells.size(); ++column) {
      if (state_.indices.row_of_column[column] == unmatched && !cells[column].is_forbidden() &&
          (cheapest == unmatched || cells[column] < cells[cheapest])) {
        cheapest = column;
      }
    }
    if (cheapest != unmatched) {
      search_.match(row, cheapest);
    }
    return cheapest != unmatched;
  }

  solve_status finish(solve_status status) noexcept {
    if (status == solve_status::infeasible) {
      return status;
    }
    bool const has_matched_all = matches_all_;
    if (has_matched_all) {
      search_.level_prices();
      matches_all_ = false;
      read_left_out();
    }
    if (status == solve_status::optimal) {
      if (has_matched_all && !problem_.unmatched_cost.empty()) {
        repair();
      }
      search_.release_all();
      if (is_integral && search_.rows() == search_.columns()) {
        search_.level_prices();  // or they would rise from one warm solve to the next
      }
      state_.memory = own_memory;
      state_.rows = search_.rows();
      state_.columns = search_.columns();
      state_.may_leave_out = !problem_.unmatched_cost.empty();
    }
    publish(status);
    return status;
  }

  /// The guess that nobody is left out was wrong for some: they leave, and their columns are free.
  void repair() noexcept {
    for (std::uint32_t row = 0; row < search_.rows(); ++row) {
      std::uint32_t const column = state_.indices.column_of_row[row];
      if (column != unmatched && search_.numbers.left_out[row] < search_.row_price(row)) {
        state_.indices.column_of_row[row] = unmatched;
        state_.indices.row_of_column[column] = unmatched;
      }
    }
  }

  void publish(solve_status status) noexcept {
    std::size_t const rows = search_.rows();
    std::size_t const columns = search_.columns();
    raw total{};
    raw bound{};
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::uint32_t const column = state_.indices.column_of_row[row];
      raw const cost = column == unmatched ? traits::to_raw(problem_.unmatched_cost[row])
                                           : raw{search_.numbers.own_cost[row]};
      total = total + cost;
      raw price = cost;
      if (status == solve_status::feasible) {
        price = raw{least_way(row)};
      } else if (column != unmatched) {
        price = price + raw{search_.numbers.column_price[column]};
      }
      bound = bound + price;
      state_.row_price[row] = traits::from_raw(price);
    }
    for (std::size_t column = 0; column < columns; ++column) {
      raw const price{search_.numbers.column_price[column]};
      bound = bound - price;
      state_.column_price[column] = traits::from_raw(price);
    }
    state_.solution = {{state_.indices.column_of_row.data(), rows},
                       {state_.indices.row_of_column.data(), columns},
                       {state_.row_price.data(), rows},
                       {state_.column_price.data(), columns},
                       traits::from_raw(total),
                       traits::from_raw(bound)};
  }

  /// What a row would go for at the prices.
  [[nodiscard]] Word least_way(std::uint32_t row) const noexcept {
    auto const found =
        search_.scan.find_two_least(search_.cost.row(row), search_.numbers.column_price.data());
    return std::min(found.least, search_.numbers.left_out[row]);
  }

  assignment_problem<Cost> const& problem_;
  assignment_state<Cost>& state_;
  assignment_search<Cell, Word> search_;
  budget_meter& meter_;
  bool matches_all_ = false;  ///< nobody is left out, and every column gets a row
  bool has_scaled_ = false;
};

}  // namespace detail
BERTH_NAMESPACE_END
