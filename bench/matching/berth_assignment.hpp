// SPDX-License-Identifier: BSL-1.0
// berth's assignment solver behind the shapes S1 and S2, cold and warm.
#pragma once

#include <berth/solve/assignment.hpp>
#include <berth/solve/integer_cost.hpp>

#include <bench/matching/berth_engine.hpp>
#include <bench/matching/shapes/dense.hpp>

namespace berth_bench {

class berth_assignment : public berth_engine<berth_assignment, berth::assignment_matcher,
                                             berth::assignment_workspace<berth::integer_cost>> {
 public:
  explicit berth_assignment(dense_shape const& shape)
      : cost_{shape.rows, shape.columns, shape.cost} {}

  void solve_cold() { solve_in_fresh_workspace(cost_.rows(), cost_.columns()); }
  void apply(matrix_change const& change) {
    changed_ = change.rows;
    cost_.apply(change);
  }
  [[nodiscard]] berth::assignment_problem<berth::integer_cost> problem() const {
    return {cost_.view()};
  }

 private:
  cost_matrix cost_;
};

}  // namespace berth_bench
