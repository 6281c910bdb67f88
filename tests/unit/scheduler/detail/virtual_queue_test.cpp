// SPDX-License-Identifier: BSL-1.0
// virtual_queue against a server that is simulated millisecond by millisecond.
#include <berth/core/random.hpp>
#include <berth/scheduler/detail/virtual_queue.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace virtual_queue_test {

using berth::detail::virtual_queue;
using namespace berth;
using namespace std::chrono_literals;

namespace {
time_point at(std::int64_t ms) {
  return time_point{duration{ms}};
}
}  // namespace

TEST_CASE("virtual_queue: who finds an empty cluster waits for nobody") {
  virtual_queue fluid;
  fluid.arrive(gpu_time{8, 100s}, 8, time_point{0s});
  CHECK(fluid.longest == 0s);
  fluid.arrive(gpu_time{4, 10s}, 8, time_point{100s});
  CHECK(fluid.longest == 0s);
}

TEST_CASE("virtual_queue: who comes later waits for what is left, at the speed of all GPUs") {
  virtual_queue fluid;
  fluid.arrive(gpu_time{8, 100s}, 8, time_point{0s});
  fluid.arrive(gpu_time{8, 50s}, 8, time_point{30s});
  CHECK(fluid.longest == 70s);
  fluid.arrive(gpu_time{1, 1s}, 8, time_point{60s});
  CHECK(fluid.longest == 90s);
}

TEST_CASE("virtual_queue: the longest wait is forgotten when all work is done") {
  virtual_queue fluid;
  fluid.arrive(gpu_time{8, 100s}, 8, time_point{0s});
  fluid.arrive(gpu_time{8, 50s}, 8, time_point{0s});
  REQUIRE(fluid.longest == 100s);
  fluid.arrive(gpu_time{8, 50s}, 8, time_point{150s});
  CHECK(fluid.longest == 0s);
}

TEST_CASE("virtual_queue: as a server of one GPU that is watched every millisecond") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    virtual_queue fluid;
    std::int64_t left = 0;
    std::int64_t longest = 0;
    for (std::int64_t now = 0; now < 2000; ++now) {
      left = std::max<std::int64_t>(0, left - (now > 0 ? 1 : 0));
      if (random.below(30) != 0) {
        continue;
      }
      longest = left == 0 ? 0 : std::max(longest, left);
      std::int64_t const work = random.between(1, 55);
      left += work;
      fluid.arrive(gpu_time{work}, 1, at(now));
      REQUIRE(fluid.longest.count() == longest);
    }
  }
}

TEST_CASE("virtual_queue: no cluster and the largest numbers do no harm") {
  virtual_queue fluid;
  fluid.arrive(gpu_time::max(), 0, time_point{0s});
  fluid.arrive(gpu_time::max(), 0, time_point{max_instant});
  CHECK(fluid.longest > max_duration);
  fluid.arrive(gpu_time::max(), std::numeric_limits<std::int32_t>::max(), time_point::max());
  CHECK(fluid.longest >= duration{0});
}

}  // namespace virtual_queue_test
