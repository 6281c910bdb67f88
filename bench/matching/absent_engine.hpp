// SPDX-License-Identifier: BSL-1.0
// Stands for a solver that is not there yet: its rows are wrong, and say so.
#pragma once

#include <cstdint>

namespace berth_bench {

struct absent_engine {
  template <class Shape>
  explicit absent_engine(Shape const&) {}
  void solve_cold() {}
  template <class Change>
  void apply(Change const&) {}
  void solve_warm() {}
  [[nodiscard]] static std::int64_t optimum() { return -1; }
  [[nodiscard]] static bool is_certified() { return false; }
};

}  // namespace berth_bench
