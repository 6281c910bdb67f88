// SPDX-License-Identifier: BSL-1.0
// The memory of the assignment solver, apart from it so that whoever only holds one need not
// compile the solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/integer_cost.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

BERTH_NAMESPACE_BEGIN

struct assignment_matcher;

namespace detail {

/// What is counted in the solver's number.
template <class Word>
struct assignment_numbers {
  std::vector<Word> row_price;
  std::vector<Word> left_out;      ///< per row; unreachable: it must be matched
  std::vector<Word> row_distance;  ///< of a search from a column
  std::vector<Word> column_price;
  std::vector<Word> distance;    ///< of a search from a row, per column; settled: see settled_at
  std::vector<Word> settled_at;  ///< the distances of the settled columns, in their order

  void resize(std::size_t rows, std::size_t columns) {
    row_price.resize(rows);
    left_out.resize(rows);
    row_distance.resize(rows);
    column_price.resize(columns);
    distance.resize(columns);
    settled_at.resize(columns);
  }
};

struct assignment_indices {
  std::vector<std::uint32_t> column_of_row;
  std::vector<std::uint32_t> waiting;     ///< rows without a place yet
  std::vector<std::uint32_t> entered_by;  ///< per row, the column before it on the shortest path
  std::vector<std::uint32_t> row_of_column;
  std::vector<std::uint32_t> reached_from;  ///< per column, the row before it on the shortest path
  std::vector<std::uint32_t> settled;       ///< columns whose distance is final

  void resize(std::size_t rows, std::size_t columns) {
    column_of_row.resize(rows);
    waiting.resize(rows);
    entered_by.resize(rows);
    row_of_column.resize(columns);
    reached_from.resize(columns);
    settled.resize(columns);
  }
};

/// The problem that a workspace has an optimum of.
enum class assignment_memory : std::uint8_t { none, narrow, wide };

}  // namespace detail

/// Scratch memory and answer of assignment_matcher. Only the constructor and reserve() allocate:
/// about 60 bytes a row and a column, and for GPU-times 4 bytes a cell, since they are solved in
/// 32 bits where they fit.
template <solver_cost Cost>
class assignment_workspace {
 public:
  assignment_workspace() = default;
  assignment_workspace(std::size_t rows, std::size_t columns) { reserve(rows, columns); }

  /// Makes room for problems up to this size; never shrinks. Forgets the answer.
  /// Throws std::bad_alloc.
  void reserve(std::size_t rows, std::size_t columns) {
    solution_ = {};
    memory_ = detail::assignment_memory::none;
    rows = std::max(rows, row_price_.size());
    columns = std::max(columns, column_price_.size());
    indices_.resize(rows, columns);
    wide_.resize(rows, columns);
    if constexpr (has_narrow) {
      narrow_.resize(rows, columns);
    }
    if constexpr (is_compacted) {
      compact_.resize(rows * columns);
    }
    row_price_.resize(rows);
    column_price_.resize(columns);
  }

  /// Empty until a solve succeeded.
  [[nodiscard]] assignment_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct assignment_matcher;
  using raw = typename cost_traits<Cost>::raw;
  using price = typename cost_traits<Cost>::price;
  static constexpr bool has_narrow = std::integral<raw>;
  static constexpr bool is_compacted = has_narrow && sizeof(Cost) > sizeof(integer_cost);

  detail::assignment_indices indices_;
  detail::assignment_numbers<std::int32_t> narrow_;  ///< empty for costs that are pairs
  detail::assignment_numbers<raw> wide_;
  std::vector<integer_cost> compact_;  ///< the matrix in 32 bits
  std::vector<price> row_price_;
  std::vector<price> column_price_;
  assignment_solution<Cost> solution_;
  // What resolve() needs to know of the problem that was solved.
  detail::assignment_memory memory_ = detail::assignment_memory::none;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::int64_t least_cost_ = 0;
  std::int64_t greatest_cost_ = 0;
  bool has_forbidden_ = false;
};

BERTH_NAMESPACE_END
