// SPDX-License-Identifier: BSL-1.0
// The memory of the assignment solver, apart from it so that whoever only holds one need not
// compile the solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/assignment_transpose.hpp>
#include <berth/solve/detail/line_vector.hpp>
#include <berth/solve/integer_cost.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

struct assignment_matcher;

namespace detail {

/// What is counted in the number that the solver computes with.
template <class Word>
struct assignment_numbers {
  line_vector<Word> own_cost;         ///< of the cell of a row that has a column
  line_vector<Word> row_price;        ///< what each row goes for; kept during searches from columns
  line_vector<Word> left_out;         ///< per row; unreachable: it must be matched
  line_vector<Word> minus_row_price;  ///< kept during searches from both ends
  line_vector<Word> row_distance;     ///< of a search from a column
  line_vector<Word> column_price;
  line_vector<Word> distance;         ///< of a search from a row, per column
  line_vector<Word> settled_at;       ///< the distances of the settled columns, in their order
  line_vector<Word> settled_back_at;  ///< the same of a search from the other end
  line_vector<Word> block_least;      ///< of the scans

  void resize(std::size_t rows, std::size_t columns) {
    own_cost.resize(rows);
    row_price.resize(rows);
    left_out.resize(rows);
    minus_row_price.resize(rows);
    row_distance.resize(rows);
    column_price.resize(columns);
    distance.resize(columns);
    settled_at.resize(columns);
    settled_back_at.resize(columns);
    block_least.resize(std::max(rows, columns) / 4);
  }
};

struct assignment_indices {
  line_vector<std::uint32_t> column_of_row;
  line_vector<std::uint32_t> waiting;     ///< rows without a place yet
  line_vector<std::uint32_t> entered_by;  ///< per row, the column before it on the shortest path
  line_vector<std::uint32_t> row_of_column;
  line_vector<std::uint32_t> reached_from;  ///< per column, the row before it on the shortest path
  line_vector<std::uint32_t> settled;       ///< columns whose distance is final
  line_vector<std::uint32_t> settled_back;  ///< the same from the other end

  void resize(std::size_t rows, std::size_t columns) {
    column_of_row.resize(rows);
    waiting.resize(rows);
    entered_by.resize(rows);
    row_of_column.resize(columns);
    reached_from.resize(columns);
    settled.resize(columns);
    settled_back.resize(columns);
  }
};

/// Which numbers a workspace has the prices of an optimum in.
enum class assignment_memory : std::uint8_t { none, narrow, wide };

template <solver_cost Cost>
struct assignment_state {
  using raw = typename cost_traits<Cost>::raw;
  using price = typename cost_traits<Cost>::price;
  static constexpr bool has_narrow = std::integral<raw>;
  static constexpr bool is_compacted = has_narrow && sizeof(Cost) > sizeof(integer_cost);

  assignment_indices indices;
  assignment_numbers<std::int32_t> narrow;  ///< empty for costs that are pairs
  assignment_numbers<raw> wide;
  line_vector<integer_cost> compact;  ///< the matrix in 32 bits
  assignment_transpose<integer_cost> transpose;
  std::vector<price> row_price;
  std::vector<price> column_price;
  assignment_solution<Cost> solution;

  // The problem that was solved, as far as resolve() has to know it.
  assignment_memory memory = assignment_memory::none;
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool may_leave_out = false;
  bool has_forbidden = true;
  std::int64_t least_cost = 0;  ///< above greatest_cost: nothing is allowed
  std::int64_t greatest_cost = 0;

  void resize(std::size_t most_rows, std::size_t most_columns) {
    most_rows = std::max(most_rows, row_price.size());
    most_columns = std::max(most_columns, column_price.size());
    forget();
    indices.resize(most_rows, most_columns);
    wide.resize(most_rows, most_columns);
    if constexpr (has_narrow) {
      narrow.resize(most_rows, most_columns);
      transpose.reserve(most_rows, most_columns);
    }
    if constexpr (is_compacted) {
      compact.resize(most_rows * most_columns);
    }
    row_price.resize(most_rows);
    column_price.resize(most_columns);
  }
  void forget() noexcept {
    solution = {};
    memory = assignment_memory::none;
  }
};

}  // namespace detail

/// Scratch memory and answer of assignment_matcher. Only the constructor and reserve() allocate: 72
/// to 112 bytes for each row and each column; for GPU-times 4 bytes a cell, since they are solved
/// in 32 bits where they fit; and but for pairs 4 bytes a cell for a transposed copy, which stay
/// untouched until a resolve needs them. A copied workspace resolves without that one until it is
/// reserved anew.
template <solver_cost Cost>
class assignment_workspace {
 public:
  assignment_workspace() = default;
  assignment_workspace(std::size_t rows, std::size_t columns) { reserve(rows, columns); }

  /// Makes room for problems up to this size; never shrinks. Forgets the answer.
  /// Throws std::bad_alloc.
  void reserve(std::size_t rows, std::size_t columns) { state_.resize(rows, columns); }

  /// Empty until a solve succeeded.
  [[nodiscard]] assignment_solution<Cost> solution() const noexcept { return state_.solution; }

 private:
  friend struct assignment_matcher;
  detail::assignment_state<Cost> state_;
};

BERTH_NAMESPACE_END
