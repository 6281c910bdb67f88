// SPDX-License-Identifier: BSL-1.0
// berth's positional solver behind the shapes S1c and S2c, cold and warm.
#pragma once

#include <berth/solve/integer_cost.hpp>
#include <berth/solve/positional.hpp>
#include <berth/solve/positional_certificate.hpp>

#include <bench/matching/berth_engine.hpp>
#include <bench/matching/shapes/dense.hpp>
#include <bench/matching/shapes/positional.hpp>

#include <cstdint>
#include <vector>

namespace berth_bench {

class berth_positional : public berth_engine<berth_positional, berth::positional_matcher,
                                             berth::positional_workspace<berth::integer_cost>> {
 public:
  explicit berth_positional(positional_shape const& shape)
      : cost_{shape.rows, shape.classes, shape.cost}, capacity_{shape.capacity} {}

  void solve_cold() { solve_in_fresh_workspace(cost_.rows(), cost_.columns()); }
  void apply(matrix_change const& change) {
    changed_ = change.rows;
    cost_.apply(change);
  }
  [[nodiscard]] berth::positional_problem<berth::integer_cost> problem() const {
    return {cost_.view(), capacity_};
  }

 private:
  cost_matrix cost_;
  std::vector<std::int32_t> capacity_;
};

}  // namespace berth_bench
