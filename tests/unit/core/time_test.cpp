// SPDX-License-Identifier: BSL-1.0
// Instants and durations that stop at their ends.
#include <berth/core/time.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace time_test {

using namespace berth;

namespace {
constexpr time_point zero{duration{0}};
}  // namespace

TEST_CASE("saturating_add: an ordinary sum is exact") {
  CHECK(saturating_add(time_point{duration{40}}, duration{2}) == time_point{duration{42}});
  CHECK(saturating_add(time_point{duration{40}}, duration{-50}) == time_point{duration{-10}});
}

TEST_CASE("saturating_add: stops at never, and at the other end") {
  CHECK(saturating_add(zero, forever) == never);
  CHECK(saturating_add(time_point{duration{1}}, forever) == never);
  CHECK(saturating_add(never, duration{1}) == never);
  CHECK(saturating_add(never, forever) == never);
  CHECK(saturating_add(time_point::min(), duration{-1}) == time_point::min());
  CHECK(saturating_add(time_point::min(), duration::min()) == time_point::min());
}

TEST_CASE("saturating_sub: an ordinary difference is exact, of either sign") {
  CHECK(saturating_sub(time_point{duration{40}}, time_point{duration{50}}) == duration{-10});
  CHECK(saturating_sub(never, zero) == forever);
}

TEST_CASE("saturating_sub: stays within the range of a duration") {
  CHECK(saturating_sub(never, time_point{duration{-1}}) == forever);
  CHECK(saturating_sub(never, time_point::min()) == forever);
  CHECK(saturating_sub(time_point::min(), never) == duration::min());
  CHECK(saturating_sub(time_point{duration{-2}}, never) == duration::min());
}

TEST_CASE("forever and never are after everything a host may declare") {
  CHECK(forever > max_duration);
  CHECK(never > time_point{max_instant});
  CHECK(max_instant > max_duration);
  // Products of the largest duration with the largest gang stay within 64 bits.
  CHECK(max_duration.count() <= std::numeric_limits<std::int64_t>::max() / (1 << 20));
}

TEST_CASE("time: forever after any instant is never, before the clock's zero too") {
  using berth::duration;
  using berth::time_point;
  for (std::int64_t const at : {std::int64_t{-1'000'000}, std::int64_t{0}, std::int64_t{5}}) {
    CHECK(berth::saturating_add(time_point{duration{at}}, berth::forever) == berth::never);
  }
}

}  // namespace time_test
