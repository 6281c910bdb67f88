// SPDX-License-Identifier: BSL-1.0
// A solver on a shape of the benches, small: cold, then warm through changes, each time with the
// optimum that LEMON finds and with a certificate that holds.
#pragma once

#include <bench/matching/case.hpp>
#include <bench/matching/networks.hpp>
#include <bench/matching/peers/lemon.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

namespace solvers_against_lemon {

/// Seeds that every solver is put through, over all of its shapes.
inline constexpr std::uint64_t seeds = 10'000;

/// Now and then a larger input than usual, for what a solver does only from some size on.
[[nodiscard]] inline bool is_large(std::uint64_t seed) {
  return seed % 50 == 0;
}

/// The optimum according to one of LEMON's solvers, not always the same.
template <class Shape>
std::int64_t least_cost(Shape const& shape, std::uint64_t seed) {
  berth_bench::flow_network const network = berth_bench::to_network(shape);
  switch (seed % 16) {
    case 0: return berth_bench::lemon_cost_scaling(network);
    case 1: return berth_bench::lemon_capacity_scaling(network);
    default: return berth_bench::lemon_network_simplex(network);
  }
}

/// `for_lemon` is the same input, perhaps in another form.
template <class Engine, class Shape, class LemonShape>
  requires berth_bench::cold_engine<Engine, Shape>
void check_cold(std::uint64_t seed, Shape const& shape, LemonShape const& for_lemon) {
  Engine engine{shape};
  engine.solve_cold();
  REQUIRE(engine.is_certified());
  REQUIRE(engine.optimum() == least_cost(for_lemon, seed));
}

/// Two changes by `next_change`, which is given the shape as it is.
template <class Engine, class Shape, class NextChange>
void check_cold_and_warm(std::uint64_t seed, Shape const& start, NextChange&& next_change) {
  check_cold<Engine>(seed, start, start);
  Engine engine{start};
  engine.solve_cold();
  Shape shape = start;
  for (int tick = 0; tick < 2; ++tick) {
    CAPTURE(tick);
    auto const change = next_change(std::as_const(shape));
    engine.apply(change);
    apply(change, shape);
    engine.solve_warm();
    REQUIRE(engine.is_certified());
    Engine cold{shape};
    cold.solve_cold();
    REQUIRE(engine.optimum() == cold.optimum());
    REQUIRE(engine.optimum() == least_cost(shape, seed));
  }
}

}  // namespace solvers_against_lemon
