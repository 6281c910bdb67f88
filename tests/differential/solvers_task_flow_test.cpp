// SPDX-License-Identifier: BSL-1.0
// The solver of task networks against LEMON, with slots for all and without.
#if BERTH_BENCH_LEMON

#include <berth/core/random.hpp>

#include <bench/matching/berth_task_flow.hpp>
#include <bench/matching/shapes/task_flow.hpp>

#include <cstddef>
#include <cstdint>

#include "solvers_against_lemon.hpp"
#include <doctest/doctest.h>

namespace solvers_task_flow_test {

using namespace solvers_against_lemon;

TEST_CASE("task_flow: cold and warm as LEMON on Firmament's networks") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    std::size_t const tasks = 1 + random.below(is_large(seed) ? 300 : 30);
    std::size_t const machines = 3 + random.below(is_large(seed) ? 60 : 8);
    std::size_t const per_rack = 1 + random.below(4);
    auto const slots =
        static_cast<std::int32_t>(seed % 8 == 0 ? 0 : 1 + random.below(1 + 2 * tasks / machines));
    berth_bench::task_flow_source source{tasks, machines, slots, seed, per_rack};
    check_cold_and_warm<berth_bench::berth_task_flow>(
        seed, source.shape(), [&](berth_bench::task_flow_shape const&) {
          return source.change(1 + random.below(1 + tasks / 8));
        });
  }
}

}  // namespace solvers_task_flow_test

#endif
