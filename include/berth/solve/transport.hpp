// SPDX-License-Identifier: BSL-1.0
// Exact capacitated transportation by successive shortest paths on classes, with integer costs.
// Method: rows enter one by one and ship along shortest alternating paths; prices keep every
// reduced cost >= 0, so that Dijkstra finds them (Ahuja, Magnanti, Orlin, Network Flows, 1993,
// section 9.7). A search goes on after a column filled up, because its tree still stands; it starts
// afresh only when a shipment on the path was given up whole. Columns are kept in blocks with a
// nearest one each, so that settling a column costs a block and not the row.
// Complexity: each search O(rows × columns + columns × (block + columns / block + rows)); at most
// one search per shipped unit, and about that many where far more wants in than fits. Memory: rows
// × columns flows of four bytes. Overflow rule: cost_traits.hpp. Ties: see transport_matcher.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport_problem.hpp>
#include <berth/solve/transport_workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

/// The matcher for classes with counts.
/// Ties, all by index and so the same on every platform: rows enter from the lowest; among columns
/// equally far, one with room before a full one, then the lowest; a column before being left out;
/// and units that have a place keep it against a row that enters later at the same total.
struct transport_matcher {
  template <class Problem>
  using workspace_for = transport_workspace<typename Problem::cost_type>;

  /// More rows than this, or more units in all, are too_large: sums would leave the safe range.
  static constexpr std::size_t max_rows = std::size_t{1} << 18;
  static constexpr std::int64_t max_units = std::int64_t{1} << 20;

  /// optimal | infeasible | cost_out_of_range | too_large | malformed. Does not allocate.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(transport_problem<Cost> const& problem,
                                   transport_workspace<Cost>& workspace) const noexcept {
    workspace.solution_ = {};
    if (solve_status const refused = refuse(problem, workspace); refused != solve_status::optimal) {
      return refused;
    }
    using raw = typename cost_traits<Cost>::raw;
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    std::fill_n(workspace.flow_.begin(), rows * columns, 0);
    std::fill_n(workspace.unmatched_units_.begin(), rows, 0);
    std::ranges::copy(problem.capacity, workspace.room_.begin());
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
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  template <class Cost>
  static solve_status refuse(transport_problem<Cost> const& problem,
                             transport_workspace<Cost> const& w) noexcept {
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    auto const is_negative = [](std::int32_t units) { return units < 0; };
    if (!costs_are_well_formed(problem.cost, problem.unmatched_cost) ||
        problem.supply.size() != rows || problem.capacity.size() != columns ||
        std::ranges::any_of(problem.supply, is_negative) ||
        std::ranges::any_of(problem.capacity, is_negative)) {
      return solve_status::malformed;
    }
    if (rows > max_rows || columns >= none || rows > w.row_price_.size() ||
        columns > w.column_price_.size()) {
      return solve_status::too_large;
    }
    std::int64_t units = 0;
    for (std::int32_t const supply : problem.supply) {
      units += supply;
    }
    if (units > max_units) {
      return solve_status::too_large;
    }
    return costs_are_in_range(problem.cost, problem.unmatched_cost)
               ? solve_status::optimal
               : solve_status::cost_out_of_range;
  }

  template <class Cost>
  static auto entry_price(transport_problem<Cost> const& problem,
                          transport_workspace<Cost> const& w, std::size_t row) noexcept {
    return first_price<Cost>(problem.cost.row(row), left_out_cost(problem.unmatched_cost, row),
                             w.column_price_);
  }

  /// Ships the whole supply of `root`, or leaves out what is cheaper left out; false if stuck.
  template <class Cost>
  static bool enter(transport_problem<Cost> const& problem, transport_workspace<Cost>& w,
                    std::uint32_t root) noexcept {
    std::int32_t left = problem.supply[root];
    if (left == 0) {
      return true;  // publish() prices it, when the column prices are final
    }
    w.row_price_[root] = entry_price(problem, w, root);
    if (w.row_price_[root] == cost_traits<Cost>::unreachable) {
      return false;
    }
    while (left > 0) {
      if (!search(problem, w, root, left)) {
        return false;
      }
    }
    return true;
  }

  /// One search from `root`: ships to nearer columns first until nothing is left or the tree
  /// breaks.
  template <class Cost>
  static bool search(transport_problem<Cost> const& problem, transport_workspace<Cost>& w,
                     std::uint32_t root, std::int32_t& left) noexcept {
    using traits = cost_traits<Cost>;
    using raw = typename traits::raw;
    std::size_t const columns = problem.cost.columns();
    std::fill_n(w.distance_.begin(), columns, traits::unreachable);
    std::fill_n(w.is_settled_.begin(), columns, std::uint8_t{0});
    std::fill_n(w.is_in_tree_.begin(), problem.cost.rows(), std::uint8_t{0});
    w.tree_size_ = 0;
    w.settled_size_ = 0;
    w.exit_row_ = none;
    w.exit_distance_ = traits::unreachable;
    add_row(problem, w, root, raw{}, none);
    raw length{};
    for (;;) {
      std::uint32_t const nearest = nearest_column(w, columns);
      if (nearest == none || w.exit_distance_ < w.distance_[nearest]) {
        if (w.exit_row_ == none) {
          return false;
        }
        length = w.exit_distance_;
        std::int32_t const amount = ship(w, columns, w.exit_row_, left);
        w.unmatched_units_[w.exit_row_] += amount;
        left -= amount;
        break;  // being left out has no limit: either all is gone, or the tree broke
      }
      length = w.distance_[nearest];
      if (w.room_[nearest] > 0) {
        std::uint32_t const row = w.reached_from_[nearest];
        std::int32_t const amount = ship(w, columns, row, std::min(left, w.room_[nearest]));
        w.flow_[row * columns + nearest] += amount;
        w.room_[nearest] -= amount;
        left -= amount;
        if (left == 0 || w.room_[nearest] > 0) {
          break;  // with room left it was a shipment on the path that was given up whole
        }
        // Had one been given up as well, the distances beyond it would now be too short; as lower
        // bounds they still make valid prices, and ship() finds that nothing gets through.
      }
      settle(problem, w, nearest);
    }
    for (std::size_t i = 0; i < w.tree_size_; ++i) {
      std::uint32_t const row = w.tree_[i];
      w.row_price_[row] = w.row_price_[row] + (length - w.entered_[row]);
    }
    for (std::size_t i = 0; i < w.settled_size_; ++i) {
      std::uint32_t const column = w.settled_[i];
      w.column_price_[column] = w.column_price_[column] + (length - w.distance_[column]);
    }
    return true;
  }

  /// Puts `row` into the tree at `distance` and brings the open columns up to date.
  template <class Cost>
  static void add_row(transport_problem<Cost> const& problem, transport_workspace<Cost>& w,
                      std::uint32_t row, typename cost_traits<Cost>::raw distance,
                      std::uint32_t from) noexcept {
    using traits = cost_traits<Cost>;
    constexpr std::size_t block = transport_workspace<Cost>::block;
    w.is_in_tree_[row] = 1;
    w.tree_[w.tree_size_++] = row;
    w.entered_[row] = distance;
    w.entered_from_[row] = from;
    auto const offset = distance - w.row_price_[row];
    if (Cost const left_out = left_out_cost(problem.unmatched_cost, row);
        !left_out.is_forbidden()) {
      if (auto const exit = offset + traits::to_raw(left_out); exit < w.exit_distance_) {
        w.exit_distance_ = exit;
        w.exit_row_ = row;
      }
    }
    auto const cells = problem.cost.row(row);
    for (std::size_t first = 0; first < cells.size(); first += block) {
      std::size_t const last = std::min(first + block, cells.size());
      for (std::size_t column = first; column < last; ++column) {
        if (w.is_settled_[column] != 0 || cells[column].is_forbidden()) {
          continue;
        }
        auto const reached = offset + traits::to_raw(cells[column]) + w.column_price_[column];
        if (reached < w.distance_[column]) {
          w.distance_[column] = reached;
          w.reached_from_[column] = row;
        }
      }
      refresh_block(w, first, last);
    }
  }

  /// Whether open column `a` is to be settled before open column `b` > `a` or `b` == none.
  template <class Cost>
  static bool is_nearer(transport_workspace<Cost> const& w, std::uint32_t a,
                        std::uint32_t b) noexcept {
    if (b == none || w.distance_[a] != w.distance_[b]) {
      return b == none || w.distance_[a] < w.distance_[b];
    }
    return w.room_[a] > 0 && w.room_[b] == 0;
  }

  template <class Cost>
  static void refresh_block(transport_workspace<Cost>& w, std::size_t first,
                            std::size_t last) noexcept {
    std::uint32_t nearest = none;
    for (std::size_t i = first; i < last; ++i) {
      auto const column = static_cast<std::uint32_t>(i);
      if (w.is_settled_[column] == 0 && w.distance_[column] != cost_traits<Cost>::unreachable &&
          is_nearer(w, column, nearest)) {
        nearest = column;
      }
    }
    w.nearest_in_block_[first / transport_workspace<Cost>::block] = nearest;
  }

  template <class Cost>
  static std::uint32_t nearest_column(transport_workspace<Cost> const& w,
                                      std::size_t columns) noexcept {
    constexpr std::size_t block = transport_workspace<Cost>::block;
    std::uint32_t nearest = none;
    for (std::size_t i = 0; i * block < columns; ++i) {
      std::uint32_t const candidate = w.nearest_in_block_[i];
      if (candidate != none && is_nearer(w, candidate, nearest)) {
        nearest = candidate;
      }
    }
    return nearest;
  }

  /// Makes the distance of a full column final: whoever ships there may ship elsewhere instead.
  template <class Cost>
  static void settle(transport_problem<Cost> const& problem, transport_workspace<Cost>& w,
                     std::uint32_t column) noexcept {
    constexpr std::size_t block = transport_workspace<Cost>::block;
    std::size_t const columns = problem.cost.columns();
    w.is_settled_[column] = 1;
    w.settled_[w.settled_size_++] = column;
    std::size_t const first = column / block * block;
    refresh_block(w, first, std::min(first + block, columns));
    for (std::uint32_t row = 0; row < problem.cost.rows(); ++row) {
      if (w.is_in_tree_[row] == 0 && w.flow_[row * columns + column] > 0) {
        add_row(problem, w, row, w.distance_[column], column);
      }
    }
  }

  /// Makes `row` give up as many units as can be passed to it from the root, at most `amount`, by
  /// shifting shipments along the path; returns how many.
  template <class Cost>
  static std::int32_t ship(transport_workspace<Cost>& w, std::size_t columns, std::uint32_t row,
                           std::int32_t amount) noexcept {
    for (std::uint32_t at = row; w.entered_from_[at] != none;) {
      std::uint32_t const column = w.entered_from_[at];
      amount = std::min(amount, w.flow_[at * columns + column]);
      at = w.reached_from_[column];
    }
    for (std::uint32_t at = row; w.entered_from_[at] != none;) {
      std::uint32_t const column = w.entered_from_[at];
      w.flow_[at * columns + column] -= amount;
      at = w.reached_from_[column];
      w.flow_[at * columns + column] += amount;
    }
    return amount;
  }

  template <class Cost>
  static void publish(transport_problem<Cost> const& problem,
                      transport_workspace<Cost>& w) noexcept {
    using traits = cost_traits<Cost>;
    using raw = typename traits::raw;
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    raw total{};
    for (std::size_t row = 0; row < rows; ++row) {
      if (problem.supply[row] == 0) {
        raw const price = entry_price(problem, w, row);
        w.row_price_[row] = price == traits::unreachable ? raw{} : price;
      }
      w.published_row_price_[row] = traits::from_raw(w.row_price_[row]);
      for (std::size_t column = 0; column < columns; ++column) {
        if (std::int32_t const units = w.flow_[row * columns + column]; units > 0) {
          total = total + units * traits::to_raw(problem.cost(row, column));
        }
      }
      if (w.unmatched_units_[row] > 0) {
        total = total + w.unmatched_units_[row] * traits::to_raw(problem.unmatched_cost[row]);
      }
    }
    for (std::size_t column = 0; column < columns; ++column) {
      w.published_column_price_[column] = traits::from_raw(w.column_price_[column]);
    }
    w.solution_ = {{w.flow_.data(), rows * columns},
                   {w.unmatched_units_.data(), rows},
                   {w.published_row_price_.data(), rows},
                   {w.published_column_price_.data(), columns},
                   traits::from_raw(total)};
  }
};

BERTH_NAMESPACE_END
