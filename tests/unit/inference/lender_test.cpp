// SPDX-License-Identifier: BSL-1.0
#include <berth/core/error.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/inference/lender.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include <doctest/doctest.h>

namespace lender_test {

namespace {

using namespace std::chrono_literals;
using berth::errc;
using berth::lender;
using berth::lending_rules;
using berth::time_point;

/// Four slots of an hour make a day.
lending_rules small() {
  lending_rules rules;
  rules.slot = 1h;
  rules.slots_per_season = 4;
  rules.seasons = 3;
  rules.lease = 30min;
  rules.headroom = 1;
  return rules;
}
time_point hour(double hours) {
  return time_point{berth::duration{static_cast<std::int64_t>(hours * 3'600'000)}};
}

}  // namespace

TEST_CASE("lender: before it has seen a day, nothing that was needed lately is lent") {
  lender of{small()};
  REQUIRE(of.observe(5, hour(0)));
  REQUIRE(of.observe(2, hour(0.5)));
  CHECK(of.decide(10, hour(0.6)).gpus == 4);
  REQUIRE(of.observe(2, hour(1.2)));
  CHECK(of.decide(10, hour(1.2)).gpus == 4);
}

TEST_CASE("lender: a day that repeats is foreseen, and the lease ends before the peak") {
  lender of{small()};
  std::vector<std::int32_t> const day{1, 1, 8, 3};
  for (int h = 0; h < 8; ++h) {
    REQUIRE(of.observe(day[static_cast<std::size_t>(h % 4)], hour(h)));
  }
  REQUIRE(of.observe(1, hour(8)));
  CHECK(of.forecast(hour(10.5)) == 8);
  CHECK(of.forecast(hour(11)) == 3);
  berth::loan const night = of.decide(10, hour(8));
  CHECK(night.gpus == 8);
  CHECK(night.until == hour(10));
  // Half an hour before the peak a lease of half an hour would reach into it.
  CHECK(of.decide(10, hour(9.4)).gpus == 8);
  CHECK(of.decide(10, hour(9.5)).gpus == 1);
}

TEST_CASE("lender: what is needed now is never lent, whatever was foreseen") {
  lender of{small()};
  for (int h = 0; h < 8; ++h) {
    REQUIRE(of.observe(1, hour(h)));
  }
  REQUIRE(of.observe(7, hour(8.1)));
  CHECK(of.decide(10, hour(8.1)).gpus == 2);
  CHECK(of.decide(7, hour(8.1)).gpus == 0);
}

TEST_CASE("lender: between two reports a level goes on") {
  lender of{small()};
  REQUIRE(of.observe(6, hour(0)));
  REQUIRE(of.observe(0, hour(3.5)));
  CHECK(of.forecast(hour(4.2)) == 6);
  CHECK(of.forecast(hour(7)) == 6);
  REQUIRE(of.observe(0, hour(40)));  // everything kept is forgotten
  CHECK(of.forecast(hour(43)) == 0);
}

TEST_CASE("lender: wrong reports are refused") {
  lender of{small()};
  REQUIRE(of.observe(3, hour(5)));
  CHECK(of.observe(-1, hour(6)).error().code == errc::bad_number);
  CHECK(of.observe(1, hour(3)).error().code == errc::time_went_back);
  CHECK(of.decide(10, hour(5)).gpus == 6);
  lending_rules rules = small();
  rules.slot = 0ms;
  CHECK_FALSE(berth::check_rules(rules));
  rules = small();
  rules.quantile_percent = 101;
  CHECK_FALSE(berth::check_rules(rules));
  rules = small();
  rules.seasons = 0;
  CHECK_FALSE(berth::check_rules(rules));
}

TEST_CASE("lender: forecasts are the nearest-rank quantile of the peaks at that time of day") {
  berth::random_source random{91};
  lending_rules rules = small();
  rules.seasons = 5;
  for (std::int32_t const percent : {1, 34, 50, 75, 95, 100}) {
    rules.quantile_percent = percent;
    lender of{rules};
    std::map<int, std::int32_t> peak;  // by hour, written down beside it
    std::int32_t before = 0;
    for (int step = 0; step < 200; ++step) {
      double const at = step * 0.25;
      auto const gpus = static_cast<std::int32_t>(random.below(20));
      REQUIRE(of.observe(gpus, hour(at)));
      int const h = static_cast<int>(at);
      // What was used goes on until the report.
      peak[h] = std::max({peak[h], gpus, at > h ? before : 0});
      before = gpus;
      for (int ahead = 1; ahead <= 3; ++ahead) {
        std::vector<std::int32_t> past;
        for (int day = 1; day <= 5; ++day) {
          int const then = h + ahead - 4 * day;
          if (peak.count(then) != 0 && then > h - 20) {
            past.push_back(peak[then]);
          }
        }
        if (past.empty()) {
          continue;
        }
        std::sort(past.begin(), past.end());
        std::size_t const rank = (past.size() * static_cast<std::size_t>(percent) + 99) / 100;
        CAPTURE(step);
        CAPTURE(ahead);
        CHECK(of.forecast(hour(h + ahead)) == past[rank - 1]);
      }
    }
  }
}

}  // namespace lender_test
