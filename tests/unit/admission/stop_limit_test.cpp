// SPDX-License-Identifier: BSL-1.0
// So many stops in any window, and no more.
#include <berth/admission/stop_limit.hpp>
#include <berth/core/time.hpp>

#include <chrono>

#include <doctest/doctest.h>

namespace stop_limit_test {

using namespace std::chrono_literals;
using berth::stop_limit;
using berth::time_point;

TEST_CASE("stop limit: a stop counts for one window, exactly") {
  stop_limit limit{2, 60s};
  auto const at = [](berth::duration since) { return time_point{since}; };
  CHECK(limit.left(at(0s)) == 2);
  CHECK(limit.next_left(at(0s)) == berth::never);
  limit.stopped(at(0s));
  limit.stopped(at(30s));
  CHECK(limit.left(at(30s)) == 0);
  CHECK(limit.next_left(at(30s)) == at(60s));
  CHECK(limit.left(at(60s - 1ms)) == 0);
  CHECK(limit.left(at(60s)) == 1);
  limit.stopped(at(60s));
  CHECK(limit.left(at(89s)) == 0);
  CHECK(limit.left(at(90s)) == 1);
}

TEST_CASE("stop limit: none is none") {
  stop_limit limit;
  limit.stopped(time_point{0s});
  CHECK(limit.left(time_point{0s}) > 1'000'000);
  CHECK(limit.next_left(time_point{0s}) == berth::never);
}

}  // namespace stop_limit_test
