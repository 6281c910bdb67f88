// SPDX-License-Identifier: BSL-1.0
// The memory of the transportation solver, apart from it so that whoever only holds one need not
// compile the solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <cstddef>

BERTH_NAMESPACE_BEGIN

struct transport_matcher;

/// Scratch memory and answer of transport_matcher, and the basis that resolve() goes on from. Only
/// the constructor and reserve() allocate: 4 bytes per arc, and about 100 per column and 500 per
/// row with a cost of four bytes.
template <solver_cost Cost>
class transport_workspace {
 public:
  transport_workspace() = default;
  transport_workspace(std::size_t rows, std::size_t columns) { reserve(rows, columns); }
  transport_workspace(std::size_t rows, std::size_t columns, std::size_t arcs) {
    reserve(rows, columns, arcs);
  }

  /// Makes room for problems up to this size; never shrinks. Forgets the answer and the basis.
  /// `arcs` counts the gaps between rows too. Throws std::bad_alloc.
  void reserve(std::size_t rows, std::size_t columns, std::size_t arcs) {
    solution_ = {};
    memory_.reserve(rows, columns, arcs);
  }
  /// The same with an arc for each pair.
  void reserve(std::size_t rows, std::size_t columns) {
    rows = std::max(rows, memory_.row_price.size());
    columns = std::max(columns, memory_.column_price.size());
    reserve(rows, columns, rows * columns);
  }

  /// Empty until a solve succeeded.
  [[nodiscard]] transport_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct transport_matcher;

  detail::transport_memory<Cost> memory_;
  transport_solution<Cost> solution_;
};

BERTH_NAMESPACE_END
