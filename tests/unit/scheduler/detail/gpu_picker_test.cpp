// SPDX-License-Identifier: BSL-1.0
// Which GPUs inside a node.
#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/scheduler/detail/gpu_picker.hpp>

#include <tests/support/violation.hpp>

#include <bit>
#include <cstdint>

#include <doctest/doctest.h>

namespace gpu_picker_test {

using namespace berth;
using berth::detail::pick_gpus;

TEST_CASE("pick_gpus: always so many, always out of those offered") {
  constexpr std::uint64_t seed = 71;
  CAPTURE(seed);
  random_source random{seed};
  for (int step = 0; step < 5000; ++step) {
    gpu_mask const from = random.next() & (random.below(2) == 0 ? random.next() : ~gpu_mask{0});
    int const count =
        static_cast<int>(random.below(static_cast<std::uint64_t>(gpu_count(from)) + 1));
    gpu_mask const picked = pick_gpus(from, count);
    REQUIRE(gpu_count(picked) == count);
    REQUIRE((picked & ~from) == 0);
  }
}

TEST_CASE("pick_gpus: an aligned block where there is one") {
  CHECK(pick_gpus(0b1111'0110, 2) == 0b0011'0000u);
  CHECK(pick_gpus(0b1111'0110, 4) == 0b1111'0000u);
  CHECK(pick_gpus(0b1111'1111, 8) == 0b1111'1111u);
  CHECK(pick_gpus(~gpu_mask{0}, 64) == ~gpu_mask{0});
  CHECK(gpu_count(pick_gpus(~gpu_mask{0}, 33)) == 33);
}

TEST_CASE("pick_gpus: the block whose buddy is least free, so that larger ones stay whole") {
  CHECK(pick_gpus(0b1111'0011, 2) == 0b0000'0011u);
  CHECK(pick_gpus(0b1100'1111, 2) == 0b1100'0000u);
  CHECK(pick_gpus(0b0111, 1) == 0b0100u);
  CHECK(pick_gpus(0b1101, 1) == 0b0001u);
  CHECK(pick_gpus(0b1111, 1) == 0b0001u);
}

TEST_CASE("pick_gpus: the lowest ones where no aligned block is free") {
  CHECK(pick_gpus(0b0110'0110, 4) == 0b0110'0110u);
  CHECK(pick_gpus(0b1010'1010, 2) == 0b0000'1010u);
}

TEST_CASE("pick_gpus: three GPUs sit in an aligned block of four") {
  CHECK(pick_gpus(0b1111'0111, 3) == 0b0111'0000u);
}

#if BERTH_HARDENED
TEST_CASE("pick_gpus: more than there are is a violation") {
  CHECK(berth_test::is_violation([] { static_cast<void>(pick_gpus(0b11, 3)); }));
  CHECK(berth_test::is_violation([] { static_cast<void>(pick_gpus(0b11, -1)); }));
}
#endif

}  // namespace gpu_picker_test
