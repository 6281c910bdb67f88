// SPDX-License-Identifier: BSL-1.0
// Exact rectangular assignment by shortest augmenting paths on integer costs.
// Method: rows enter one by one; each takes the cheapest alternating path to a free column or to
// some row of the path that is cheaper left out; prices keep every reduced cost >= 0, so that
// Dijkstra finds the path (Jonker and Volgenant, Computing 38, 1987; rectangular: Crouse, IEEE TAES
// 52(4), 2016). Leaving a row out is a column of its own with room for it alone: it needs no memory
// and no price. Complexity: O(rows² × columns) time, O(rows + columns) memory besides the matrix.
// Overflow rule: cost_traits.hpp. Ties: see assignment_matcher.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

struct assignment_matcher;

/// Scratch memory and answer of assignment_matcher. Only the constructor and reserve() allocate.
template <solver_cost Cost>
class assignment_workspace {
 public:
  assignment_workspace() = default;
  assignment_workspace(std::size_t rows, std::size_t columns) { reserve(rows, columns); }

  /// Makes room for problems up to this size; never shrinks. Forgets the answer.
  /// Throws std::bad_alloc.
  void reserve(std::size_t rows, std::size_t columns) {
    solution_ = {};
    row_price_.resize(std::max(rows, row_price_.size()));
    published_row_price_.resize(row_price_.size());
    column_of_row_.resize(row_price_.size());
    column_price_.resize(std::max(columns, column_price_.size()));
    published_column_price_.resize(column_price_.size());
    row_of_column_.resize(column_price_.size());
    distance_.resize(column_price_.size());
    reached_from_.resize(column_price_.size());
    is_settled_.resize(column_price_.size());
    settled_.resize(column_price_.size());
  }

  /// Empty until a solve succeeded.
  [[nodiscard]] assignment_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct assignment_matcher;
  using raw = typename cost_traits<Cost>::raw;
  using price = typename cost_traits<Cost>::price;

  std::vector<raw> row_price_;
  std::vector<raw> column_price_;
  std::vector<price> published_row_price_;
  std::vector<price> published_column_price_;
  std::vector<std::uint32_t> column_of_row_;
  std::vector<std::uint32_t> row_of_column_;
  std::vector<raw> distance_;                ///< per column, from the entering row
  std::vector<std::uint32_t> reached_from_;  ///< per column, the row before it on the shortest path
  std::vector<std::uint8_t> is_settled_;     ///< per column, whether distance_ is final
  std::vector<std::uint32_t> settled_;
  assignment_solution<Cost> solution_;
};

/// The matcher for unit rows and unit columns.
/// Ties, all by index and so the same on every platform: rows enter from the lowest; among columns
/// equally far, a free one before a taken one, then the lowest; a column before being left out; and
/// a row that has a column keeps it against a row that enters later at the same total.
struct assignment_matcher {
  template <class Problem>
  using workspace_for = assignment_workspace<typename Problem::cost_type>;

  /// More rows than this are too_large: prices would leave the safe range.
  static constexpr std::size_t max_rows = std::size_t{1} << 18;

  /// optimal | infeasible | cost_out_of_range | too_large | malformed. Does not allocate.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(assignment_problem<Cost> const& problem,
                                   assignment_workspace<Cost>& workspace) const noexcept {
    workspace.solution_ = {};
    if (solve_status const refused = refuse(problem, workspace); refused != solve_status::optimal) {
      return refused;
    }
    using raw = typename cost_traits<Cost>::raw;
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    std::fill_n(workspace.column_of_row_.begin(), rows, unmatched);
    std::fill_n(workspace.row_of_column_.begin(), columns, unmatched);
    std::fill_n(workspace.column_price_.begin(), columns, raw{});
    for (std::size_t row = 0; row < rows; ++row) {
      if (!enter(problem, workspace, static_cast<std::uint32_t>(row))) {
        return solve_status::infeasible;
      }
    }
    publish(problem, workspace);
    return solve_status::optimal;
  }

 private:
  template <class Cost>
  static solve_status refuse(assignment_problem<Cost> const& problem,
                             assignment_workspace<Cost> const& workspace) noexcept {
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    if (!costs_are_well_formed(problem.cost, problem.unmatched_cost)) {
      return solve_status::malformed;
    }
    if (rows > max_rows || columns >= unmatched || rows > workspace.row_price_.size() ||
        columns > workspace.column_price_.size()) {
      return solve_status::too_large;
    }
    return costs_are_in_range(problem.cost, problem.unmatched_cost)
               ? solve_status::optimal
               : solve_status::cost_out_of_range;
  }

  template <class Cost>
  static auto entry_price(assignment_problem<Cost> const& problem,
                          assignment_workspace<Cost> const& w, std::size_t row) noexcept {
    return first_price<Cost>(problem.cost.row(row), left_out_cost(problem.unmatched_cost, row),
                             w.column_price_);
  }

  /// Lets `root` in by its shortest path; false if there is none.
  template <class Cost>
  static bool enter(assignment_problem<Cost> const& problem, assignment_workspace<Cost>& workspace,
                    std::uint32_t root) noexcept {
    using traits = cost_traits<Cost>;
    using raw = typename traits::raw;
    auto& w = workspace;
    std::size_t const columns = problem.cost.columns();
    w.row_price_[root] = entry_price(problem, w, root);
    if (w.row_price_[root] == traits::unreachable) {
      return false;
    }
    std::fill_n(w.distance_.begin(), columns, traits::unreachable);
    std::fill_n(w.is_settled_.begin(), columns, std::uint8_t{0});
    std::size_t settled = 0;
    std::uint32_t row = root;
    raw entered{};
    std::uint32_t exit_row = unmatched;  // the row that is cheapest to leave out, so far
    raw exit_distance = traits::unreachable;
    std::uint32_t nearest = unmatched;
    for (;;) {
      raw const offset = entered - w.row_price_[row];
      if (Cost const left_out = left_out_cost(problem.unmatched_cost, row);
          !left_out.is_forbidden()) {
        if (raw const distance = offset + traits::to_raw(left_out); distance < exit_distance) {
          exit_distance = distance;
          exit_row = row;
        }
      }
      nearest = relax(problem, w, row, offset);
      if (nearest == unmatched || exit_distance < w.distance_[nearest]) {
        nearest = unmatched;
        break;
      }
      if (w.row_of_column_[nearest] == unmatched) {
        break;
      }
      w.is_settled_[nearest] = 1;
      w.settled_[settled++] = nearest;
      row = w.row_of_column_[nearest];
      entered = w.distance_[nearest];
    }
    if (nearest == unmatched && exit_row == unmatched) {
      return false;
    }
    raw const length = nearest == unmatched ? exit_distance : w.distance_[nearest];
    w.row_price_[root] = w.row_price_[root] + length;
    for (std::size_t i = 0; i < settled; ++i) {
      std::uint32_t const column = w.settled_[i];
      raw const rise = length - w.distance_[column];
      w.column_price_[column] = w.column_price_[column] + rise;
      w.row_price_[w.row_of_column_[column]] = w.row_price_[w.row_of_column_[column]] + rise;
    }
    if (nearest == unmatched) {
      nearest = w.column_of_row_[exit_row];
      w.column_of_row_[exit_row] = unmatched;
    }
    shift(w, root, nearest);
    return true;
  }

  /// Brings the distances of the open columns up to date with `row` in the tree and returns the
  /// nearest of them, `unmatched` if none can be reached.
  template <class Cost>
  static std::uint32_t relax(assignment_problem<Cost> const& problem, assignment_workspace<Cost>& w,
                             std::uint32_t row, typename cost_traits<Cost>::raw offset) noexcept {
    using traits = cost_traits<Cost>;
    auto const cells = problem.cost.row(row);
    std::uint32_t nearest = unmatched;
    auto least = traits::unreachable;
    for (std::uint32_t column = 0; column < cells.size(); ++column) {
      if (w.is_settled_[column] != 0) {
        continue;
      }
      if (!cells[column].is_forbidden()) {
        auto const distance = offset + traits::to_raw(cells[column]) + w.column_price_[column];
        if (distance < w.distance_[column]) {
          w.distance_[column] = distance;
          w.reached_from_[column] = row;
        }
      }
      if (w.distance_[column] < least ||
          (nearest != unmatched && w.distance_[column] == least &&
           w.row_of_column_[column] == unmatched && w.row_of_column_[nearest] != unmatched)) {
        least = w.distance_[column];
        nearest = column;
      }
    }
    return nearest;
  }

  /// Hands `column` to the row before it on the path, that row's column to the one before, up to
  /// root.
  template <class Cost>
  static void shift(assignment_workspace<Cost>& w, std::uint32_t root,
                    std::uint32_t column) noexcept {
    while (column != unmatched) {
      std::uint32_t const row = w.reached_from_[column];
      std::uint32_t const given_up = w.column_of_row_[row];
      w.column_of_row_[row] = column;
      w.row_of_column_[column] = row;
      column = row == root ? unmatched : given_up;
    }
  }

  template <class Cost>
  static void publish(assignment_problem<Cost> const& problem,
                      assignment_workspace<Cost>& w) noexcept {
    using traits = cost_traits<Cost>;
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    typename traits::raw total{};
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t const column = w.column_of_row_[row];
      total = total + traits::to_raw(column == unmatched ? problem.unmatched_cost[row]
                                                         : problem.cost(row, column));
      w.published_row_price_[row] = traits::from_raw(w.row_price_[row]);
    }
    for (std::size_t column = 0; column < columns; ++column) {
      w.published_column_price_[column] = traits::from_raw(w.column_price_[column]);
    }
    w.solution_ = {{w.column_of_row_.data(), rows},
                   {w.row_of_column_.data(), columns},
                   {w.published_row_price_.data(), rows},
                   {w.published_column_price_.data(), columns},
                   traits::from_raw(total)};
  }
};

BERTH_NAMESPACE_END
