// SPDX-License-Identifier: BSL-1.0
// What takes part in the comparison of solvers. An engine is one solver behind one shape, berth's
// or a peer's; the bench builds it from the shape, times it, and asks what it found. Engines are
// written once a solver, in berth_*.hpp and peers.hpp.
#pragma once

#include <concepts>
#include <cstdint>

namespace berth_bench {

/// A solver that has read `Shape`.
///   Engine{shape}         not timed: copies the input into the types the solver is called with,
///                         and nothing else. The shape outlives the engine.
///   solve_cold()          timed, and its allocations counted: all the rest, from a fresh workspace
///                         or graph to the optimum. Called again and again on the same input, each
///                         time from nothing; what the last call left is destroyed within.
///   optimum()             total cost of what the last solve found; every unit has a place in it,
///                         matched or left out.
///   is_certified()        whether the certificate of the last solution holds; checked here, not in
///                         solve_cold(). A peer has none and leaves this out.
/// A solve that did not end in an optimum has is_certified() == false.
template <class Engine, class Shape>
concept cold_engine =
    std::constructible_from<Engine, Shape const&> && requires(Engine engine, Engine const& solved) {
      engine.solve_cold();
      { solved.optimum() } -> std::convertible_to<std::int64_t>;
    };

/// A solver that goes on from its last solution.
///   apply(change)         not timed: writes the change into the engine's own copy of the input, as
///                         apply(change, shape) does; may remember which rows. Not one word to the
///                         solver.
///   solve_warm()          timed: tells the solver what has changed and solves again. Comes after
///                         one solve_cold(), then apply() and solve_warm() take turns.
template <class Engine, class Shape, class Change>
concept warm_engine = cold_engine<Engine, Shape> &&
                      requires(Engine engine, Engine const& solved, Change const& change) {
                        engine.apply(change);
                        engine.solve_warm();
                        { solved.is_certified() } -> std::same_as<bool>;
                      };

// The engines that the bench looks for, one header each; every one in namespace berth_bench:
//   berth_assignment.hpp   berth_assignment   dense_shape,       matrix_change     S1, S2, S4
//   berth_positional.hpp   berth_positional   positional_shape,  matrix_change     S1c, S2c, S4
//   berth_transport.hpp    berth_transport    transport_shape,   transport_change  S3, S3c, S4
//                                             and supply_change
//   berth_collapse.hpp     berth_collapsed_allox    allox_shape     cold: from the dense matrix and
//                                                   the column records to a column for each row
//                          berth_collapsed_records  records_shape   cold: from the records to whom
//                                                   each job's GPUs belong, node by node
//   berth_task_flow.hpp    berth_task_flow    task_flow_shape,   task_change       S5

}  // namespace berth_bench
