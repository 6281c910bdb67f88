// SPDX-License-Identifier: BSL-1.0
// The memory of the transportation solver, apart from it so that whoever only holds one need not
// compile the solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

struct transport_matcher;

/// Scratch memory and answer of transport_matcher. Only the constructor and reserve() allocate.
template <solver_cost Cost>
class transport_workspace {
 public:
  transport_workspace() = default;
  transport_workspace(std::size_t rows, std::size_t columns) { reserve(rows, columns); }

  /// Makes room for problems up to this size; never shrinks. Forgets the answer.
  /// Throws std::bad_alloc.
  void reserve(std::size_t rows, std::size_t columns) {
    solution_ = {};
    rows = std::max(rows, row_price_.size());
    columns = std::max(columns, column_price_.size());
    flow_.resize(rows * columns);
    unmatched_units_.resize(rows);
    row_price_.resize(rows);
    published_row_price_.resize(rows);
    entered_.resize(rows);
    entered_from_.resize(rows);
    is_in_tree_.resize(rows);
    tree_.resize(rows);
    room_.resize(columns);
    column_price_.resize(columns);
    published_column_price_.resize(columns);
    distance_.resize(columns);
    reached_from_.resize(columns);
    is_settled_.resize(columns);
    settled_.resize(columns);
    nearest_in_block_.resize((columns + block - 1) / block);
  }

  /// Empty until a solve succeeded.
  [[nodiscard]] transport_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct transport_matcher;
  using raw = typename cost_traits<Cost>::raw;
  using price = typename cost_traits<Cost>::price;
  static constexpr std::size_t block = 64;

  std::vector<std::int32_t> flow_;
  std::vector<std::int32_t> unmatched_units_;
  std::vector<std::int32_t> room_;  ///< capacity left, per column
  std::vector<raw> row_price_;
  std::vector<raw> column_price_;
  std::vector<price> published_row_price_;
  std::vector<price> published_column_price_;
  // One search: a tree of alternating paths from the row that enters.
  std::vector<raw> entered_;                 ///< per row, its distance
  std::vector<std::uint32_t> entered_from_;  ///< per row, the column before it
  std::vector<std::uint8_t> is_in_tree_;
  std::vector<std::uint32_t> tree_;  ///< the rows of the tree, in order
  std::size_t tree_size_ = 0;
  std::vector<raw> distance_;                ///< per column
  std::vector<std::uint32_t> reached_from_;  ///< per column, the row before it
  std::vector<std::uint8_t> is_settled_;
  std::vector<std::uint32_t> settled_;
  std::size_t settled_size_ = 0;
  std::vector<std::uint32_t> nearest_in_block_;
  std::uint32_t exit_row_ = 0;  ///< the row of the tree whose unit is cheapest to leave out
  raw exit_distance_{};
  transport_solution<Cost> solution_;
};

BERTH_NAMESPACE_END
