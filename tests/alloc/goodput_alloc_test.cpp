// SPDX-License-Identifier: BSL-1.0
// A table of speed-ups takes its memory when it is made.
#include <berth/core/random.hpp>
#include <berth/predictors/speedup_table.hpp>

#include <tests/support/counting_new.hpp>

#include <array>
#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace goodput_alloc_test {

namespace {

using namespace berth;

TEST_CASE("goodput: points, fits, questions and ladders allocate nothing, also beyond capacity") {
  random_source random{1};
  speedup_table table{{128, 4096, 32, 1024}, 64, 8};
  std::array<rung, 64> room{};
  std::uint64_t const before = tests::allocations();
  std::int64_t sum = 0;
  for (std::int32_t round = 0; round < 20; ++round) {
    auto const gpus = static_cast<std::int32_t>(1 + random.below(40));
    auto const time = std::chrono::microseconds{10'000 + random.below(90'000)};
    bool const added = table.add({{gpus, (gpus + 3) / 4, 32 + round}, time, 2 * time}).has_value();
    bool const heard = table.set_noise({1.0, 1.0 + round, 128}).has_value();
    sum += table.speedup(16, 4) + static_cast<std::int64_t>(table.ladder(room, 4).size());
    sum += added && heard ? 1 : 0;
  }
  CHECK(tests::allocations() == before);
  CHECK(sum > 20);
}

}  // namespace

}  // namespace goodput_alloc_test
