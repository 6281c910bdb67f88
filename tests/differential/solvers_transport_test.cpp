// SPDX-License-Identifier: BSL-1.0
// The transportation solver against LEMON, on sparse inputs and on classes.
#if BERTH_BENCH_LEMON

#include <berth/core/random.hpp>

#include <bench/matching/berth_transport.hpp>
#include <bench/matching/shapes/records.hpp>
#include <bench/matching/shapes/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "solvers_against_lemon.hpp"
#include <doctest/doctest.h>

namespace solvers_transport_test {

using namespace solvers_against_lemon;

TEST_CASE("transport: cold and warm as LEMON on sparse inputs") {
  for (std::uint64_t seed = 1; seed <= seeds / 2; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    std::size_t const jobs = 1 + random.below(is_large(seed) ? 90 : 16);
    std::size_t const nodes = 1 + random.below(is_large(seed) ? 90 : 16);
    auto const most = static_cast<std::int32_t>(random.below(nodes + 1));
    std::int32_t const least = most / 4;  // at times a job has no node at all
    berth_bench::transport_source source{jobs, nodes, least, most, seed};
    check_cold_and_warm<berth_bench::berth_transport>(
        seed, source.shape(), [&](berth_bench::transport_shape const&) {
          return source.change(1 + random.below(1 + jobs / 4));
        });
  }
}

TEST_CASE("transport: cold and warm as LEMON on classes of jobs and nodes") {
  for (std::uint64_t seed = 1; seed <= seeds / 2; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    std::size_t const classes = 1 + random.below(is_large(seed) ? 60 : 12);
    std::size_t const jobs = random.below(20 * classes);
    std::size_t const nodes = random.below(25 * classes);
    std::uint64_t const percent = 10 + random.below(91);
    berth_bench::records_source source{jobs, nodes, classes, percent, seed};
    check_cold_and_warm<berth_bench::berth_transport>(
        seed, source.classes(), [&](berth_bench::transport_shape const& now) {
          return source.change(now, 1 + random.below(1 + jobs / 8), 1 + random.below(3));
        });
  }
}

}  // namespace solvers_transport_test

#endif
