// SPDX-License-Identifier: BSL-1.0
// Collapsing, solving and telling apart again, against LEMON on the uncollapsed input.
#if BERTH_BENCH_LEMON

#include <berth/core/random.hpp>

#include <bench/matching/berth_collapse.hpp>
#include <bench/matching/shapes/positional.hpp>
#include <bench/matching/shapes/records.hpp>

#include <cstddef>
#include <cstdint>

#include "solvers_against_lemon.hpp"
#include <doctest/doctest.h>

namespace solvers_collapse_test {

using namespace solvers_against_lemon;

TEST_CASE("collapse: jobs and nodes one by one cost what LEMON finds without classes") {
  for (std::uint64_t seed = 1; seed <= seeds / 2; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    std::size_t const classes = 1 + random.below(6);
    std::size_t const jobs = random.below(is_large(seed) ? 100 : 24);
    std::size_t const nodes = random.below(is_large(seed) ? 120 : 24);
    std::uint64_t const percent = 10 + random.below(91);
    berth_bench::records_source const source{jobs, nodes, classes, percent, seed};
    check_cold<berth_bench::berth_collapsed_records>(seed, source.records(), source.uncollapsed());
  }
}

TEST_CASE("collapse: AlloX's equal columns cost what LEMON finds without classes") {
  for (std::uint64_t seed = 1; seed <= seeds / 2; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    std::size_t const machines = 1 + random.below(is_large(seed) ? 12 : 3);
    std::size_t const places = machines * berth_bench::allox_source::positions;
    std::size_t const jobs = random.below(2) == 0 ? places : 1 + random.below(places);
    berth_bench::allox_source source{jobs, machines, seed};
    berth_bench::allox_shape const shape = source.uncollapsed(source.shape());
    check_cold<berth_bench::berth_collapsed_allox>(seed, shape, shape.dense);
  }
}

}  // namespace solvers_collapse_test

#endif
