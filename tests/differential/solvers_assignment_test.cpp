// SPDX-License-Identifier: BSL-1.0
// The assignment solver against LEMON, on dense inputs of every kind.
#if BERTH_BENCH_LEMON

#include <berth/core/random.hpp>

#include <bench/matching/berth_assignment.hpp>
#include <bench/matching/shapes/dense.hpp>
#include <bench/matching/shapes/positional.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "solvers_against_lemon.hpp"
#include <doctest/doctest.h>

namespace solvers_assignment_test {

using namespace solvers_against_lemon;
using berth_bench::dense_kind;

TEST_CASE("assignment: cold and warm as LEMON on every kind of costs") {
  for (std::uint64_t seed = 1; seed <= seeds - seeds / 5; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    auto const kind = static_cast<dense_kind>(seed / 2 % 4);
    std::size_t const rows = is_large(seed) ? 50 + random.below(80) : 1 + random.below(14);
    std::size_t const columns = rows + (seed % 2 == 0 ? 0 : random.below(2 * rows));
    berth_bench::dense_source source{kind, rows, columns, seed};
    check_cold_and_warm<berth_bench::berth_assignment>(
        seed, source.shape(), [&](berth_bench::dense_shape const&) {
          return source.change(1 + random.below(1 + rows / 4));
        });
  }
}

TEST_CASE("assignment: as LEMON on AlloX, whose columns are equal by the dozen") {
  for (std::uint64_t seed = 1; seed <= seeds / 5; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    std::size_t const machines = 1 + random.below(is_large(seed) ? 12 : 3);
    std::size_t const places = machines * berth_bench::allox_source::positions;
    std::size_t const jobs = random.below(2) == 0 ? places : 1 + random.below(places);
    berth_bench::allox_source source{jobs, machines, seed};
    berth_bench::allox_shape const shape = source.uncollapsed(source.shape());
    check_cold<berth_bench::berth_assignment>(seed, shape.dense, shape.dense);
  }
}

}  // namespace solvers_assignment_test

#endif
