// SPDX-License-Identifier: BSL-1.0
// The positional solver against LEMON, on AlloX inputs.
#if BERTH_BENCH_LEMON

#include <berth/core/random.hpp>

#include <bench/matching/berth_positional.hpp>
#include <bench/matching/shapes/positional.hpp>

#include <cstddef>
#include <cstdint>

#include "solvers_against_lemon.hpp"
#include <doctest/doctest.h>

namespace solvers_positional_test {

using namespace solvers_against_lemon;

TEST_CASE("positional: cold and warm as LEMON on AlloX's classes") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    std::size_t const machines = 1 + random.below(is_large(seed) ? 16 : 4);
    std::size_t const places = machines * berth_bench::allox_source::positions;
    std::size_t const jobs =
        random.below(4) == 0 ? places : 1 + random.below(is_large(seed) ? places : 20) % places;
    berth_bench::allox_source source{jobs, machines, seed};
    check_cold_and_warm<berth_bench::berth_positional>(
        seed, source.shape(), [&](berth_bench::positional_shape const&) {
          return source.change(1 + random.below(1 + jobs / 4));
        });
  }
}

}  // namespace solvers_positional_test

#endif
