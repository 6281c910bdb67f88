// SPDX-License-Identifier: BSL-1.0
// The memory of the positional solver, apart from it so that whoever only holds one need not
// compile the solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/positional_state.hpp>
#include <berth/solve/positional_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

struct positional_matcher;

/// Scratch memory and answer of positional_matcher, and what a warm solve starts from. Only the
/// constructor and reserve() allocate: about 80 × columns² + 24 × rows bytes.
template <solver_cost Cost>
class positional_workspace {
 public:
  positional_workspace() { reserve(0, 0); }  // there is always the class of those left out
  positional_workspace(std::size_t rows, std::size_t columns) { reserve(rows, columns); }

  /// Makes room for problems up to this size; never shrinks. Forgets the answer: the next solve is
  /// a cold one. Throws std::bad_alloc.
  void reserve(std::size_t rows, std::size_t columns) {
    solution_ = {};
    is_warm_ = false;
    rows = std::max(rows, column_of_row_.size());
    columns = std::max(columns, column_price_.size());
    state_.reserve(rows, columns);
    rows_in_column_.resize(columns);
    column_price_.resize(columns);
    column_of_row_.resize(rows);
  }

  /// Empty until a solve succeeded.
  [[nodiscard]] positional_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct positional_matcher;
  using price = typename cost_traits<Cost>::price;

  detail::positional_state<Cost> state_;
  bool is_warm_ = false;  ///< state_ is an optimum of a problem of rows_ × columns_
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<std::uint32_t> column_of_row_;
  std::vector<std::int32_t> rows_in_column_;
  std::vector<price> column_price_;
  positional_solution<Cost> solution_;
};

BERTH_NAMESPACE_END
