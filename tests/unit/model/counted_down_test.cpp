// SPDX-License-Identifier: BSL-1.0
// What is left of an estimate that a job outlives, against the exact conditional log-normal.
#include <berth/core/random.hpp>
#include <berth/model/counted_down.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace counted_down_test {

using namespace berth;

namespace {

/// Share of a log-normal (median 1) that is longer than `t`.
double longer_than(double t, double sigma) {
  return t <= 0.0 ? 1.0 : 0.5 * std::erfc(std::log(t) / sigma / std::sqrt(2.0));
}
/// The instant after which only `share` of them still run, by bisection.
double instant_of(double share, double sigma) {
  double low = 0.0;
  double high = 1e6;
  for (int i = 0; i < 200; ++i) {
    double const middle = 0.5 * (low + high);
    (longer_than(middle, sigma) > share ? low : high) = middle;
  }
  return low;
}
/// What is left, in the q-quantile, of those that are longer than `elapsed`.
double left_after(double elapsed, double q, double sigma) {
  return instant_of(longer_than(elapsed, sigma) * (1.0 - q), sigma) - elapsed;
}

constexpr double hour = 3'600'000.0;
duration from_hours(double hours) {
  return duration{std::llround(hours * hour)};
}
estimate log_normal(double sigma) {
  return {from_hours(instant_of(0.9, sigma)), from_hours(1.0), from_hours(instant_of(0.1, sigma))};
}
double in_hours(duration span) {
  return static_cast<double>(span.count()) / hour;
}

}  // namespace

TEST_CASE("counted_down: an exact estimate is counted down, and ends at 1 ms") {
  estimate const hundred = estimate::exactly(duration{100});
  CHECK(counted_down(hundred, duration{0}) == hundred);
  CHECK(counted_down(hundred, duration{40}) == estimate::exactly(duration{60}));
  CHECK(counted_down(hundred, duration{100}) == estimate::exactly(duration{1}));
  CHECK(counted_down(hundred, max_instant) == estimate::exactly(duration{1}));
  estimate const with_bound{duration{100}, duration{100}, duration{300}};
  CHECK(counted_down(with_bound, duration{150}) ==
        estimate{duration{1}, duration{1}, duration{150}});
}

TEST_CASE("counted_down: what is unknown stays unknown") {
  CHECK(counted_down(estimate{}, duration{40}) == estimate{});
  CHECK(counted_down({duration{10}, duration{50}, forever}, duration{40}) ==
        estimate{duration{1}, duration{10}, forever});
}

TEST_CASE("counted_down: nothing has passed, nothing has changed") {
  estimate const uncertain{duration{700}, duration{1000}, duration{1500}};
  CHECK(counted_down(uncertain, duration{0}) == uncertain);
  CHECK(counted_down(uncertain, duration{-5}) == uncertain);
}

TEST_CASE("counted_down: the median is within 16 % of the conditional median of a log-normal") {
  for (double const sigma : {0.3, 0.6, 1.0}) {
    estimate const first = log_normal(sigma);
    double const last = 4.0 * in_hours(first.p90);
    for (double elapsed = 0.01; elapsed < last; elapsed += 0.01) {
      if (longer_than(elapsed, sigma) < 1e-9) {
        break;
      }
      CAPTURE(sigma);
      CAPTURE(elapsed);
      double const exact = left_after(elapsed, 0.5, sigma);
      double const answer = in_hours(counted_down(first, from_hours(elapsed)).p50);
      CHECK(std::abs(answer - exact) < 0.165 * exact);
    }
  }
}

TEST_CASE("counted_down: p10 and p90 are within 36 % of theirs") {
  for (double const sigma : {0.3, 0.6, 1.0}) {
    estimate const first = log_normal(sigma);
    double const last = 2.0 * in_hours(first.p90);
    for (double elapsed = 0.01; elapsed < last; elapsed += 0.01) {
      CAPTURE(sigma);
      CAPTURE(elapsed);
      estimate const answer = counted_down(first, from_hours(elapsed));
      double const low = left_after(elapsed, 0.1, sigma);
      double const high = left_after(elapsed, 0.9, sigma);
      CHECK(std::abs(in_hours(answer.p10) - low) < 0.36 * low);
      CHECK(std::abs(in_hours(answer.p90) - high) < 0.36 * high);
    }
  }
}

TEST_CASE("counted_down: whatever is given, in order, at least 1 ms, and no end comes nearer") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    random_source random{seed};
    auto const up_to = [&](int bits) {
      return duration{1 + static_cast<std::int64_t>(random.next() >> (64 - bits))};
    };
    int const bits = 1 + static_cast<int>(random.below(40));
    duration spans[3] = {up_to(bits), up_to(bits), up_to(bits)};
    std::sort(std::begin(spans), std::end(spans));
    estimate const first{spans[0], spans[1], std::min(spans[2], max_duration)};
    CAPTURE(seed);
    duration elapsed{0};
    estimate before = first;
    duration before_at{0};
    for (int i = 0; i < 30; ++i) {
      elapsed += up_to(std::max(1, bits - 2));
      estimate const now = counted_down(first, elapsed);
      CHECK(now.p10 >= duration{1});
      CHECK(now.p10 <= now.p50);
      CHECK(now.p50 <= now.p90);
      CHECK(now.p90 <= max_duration);
      if (now.p50 < max_duration) {
        CHECK(elapsed + now.p50 + duration{1} >= before_at + before.p50);  // rounded down
      }
      before = now;
      before_at = elapsed;
    }
  }
}

}  // namespace counted_down_test
