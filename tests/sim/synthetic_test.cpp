// SPDX-License-Identifier: BSL-1.0
// The generators: their shape, their load, and that they give the same jobs everywhere.
#include <berth/core/digest.hpp>

#include <berth_sim/detail/fixed_exp.hpp>
#include <berth_sim/summary.hpp>
#include <berth_sim/synthetic.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <doctest/doctest.h>

namespace synthetic_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

std::uint64_t digest_of(workload const& trace) {
  digest all;
  for (sim::job const& each : trace.jobs) {
    all.add(each.submit.time_since_epoch().count());
    all.add(each.work.count());
    all.add(each.estimate.count());
    all.add(each.epoch_period.count());
    all.add(each.checkpoint_bytes);
    all.add(each.gpus);
    all.add(each.spread_loss);
    all.add(each.tenant);
  }
  return all.value();
}

std::vector<duration> sorted_works(workload const& trace) {
  std::vector<duration> works;
  for (sim::job const& each : trace.jobs) {
    works.push_back(each.work);
  }
  std::sort(works.begin(), works.end());
  return works;
}

/// GPU-time submitted ÷ GPU-time of the cluster until the last arrival.
double load_of(workload const& trace, double gpus) {
  return static_cast<double>(total_work(trace).count()) /
         (gpus * static_cast<double>(trace.jobs.back().submit.time_since_epoch().count()));
}

bool is_in_order(workload const& trace) {
  return std::is_sorted(trace.jobs.begin(), trace.jobs.end(),
                        [](sim::job const& a, sim::job const& b) {
                          return a.submit != b.submit ? a.submit < b.submit : a.line < b.line;
                        });
}

}  // namespace

TEST_CASE("the same options give the same jobs on every platform") {
  CHECK(digest_of(philly_like()) == 5997027776655867479u);
  CHECK(digest_of(philly_like(
            {.jobs = 5000, .seed = 42, .load_percent = 120, .gpus = 64, .max_gang = 32})) ==
        2287894078543379594u);
  CHECK(digest_of(log_normal()) == 14372773150440918104u);
}

TEST_CASE("another seed gives other jobs") {
  CHECK(digest_of(philly_like({.seed = 1})) != digest_of(philly_like({.seed = 2})));
  CHECK(digest_of(log_normal({.seed = 1})) != digest_of(log_normal({.seed = 2})));
}

TEST_CASE("Philly-like jobs have the published sizes, median, ninth decile and tail") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    workload const trace = philly_like({.jobs = 82'247, .seed = seed, .gpus = 2048});
    std::map<std::int32_t, double> sizes;
    for (sim::job const& each : trace.jobs) {
      sizes[each.gpus] += 1;
      CHECK(each.work >= 1s);
      CHECK(each.work <= 4'628'226s);
      CHECK(each.estimate == forever);
    }
    CHECK(sizes[1] == doctest::Approx(76627).epsilon(0.005));
    CHECK(sizes[2] == doctest::Approx(1818).epsilon(0.1));
    CHECK(sizes[4] == doctest::Approx(1870).epsilon(0.1));
    CHECK(sizes[8] == doctest::Approx(1643).epsilon(0.1));
    CHECK(sizes[16] == doctest::Approx(199).epsilon(0.3));
    CHECK(sizes[32] == doctest::Approx(67).epsilon(0.5));
    std::vector<duration> const works = sorted_works(trace);
    auto const seconds = [](duration span) { return static_cast<double>(span.count()) / 1000; };
    CHECK(seconds(nearest_rank(works, 50)) == doctest::Approx(1144).epsilon(0.05));
    CHECK(seconds(nearest_rank(works, 90)) == doctest::Approx(11266).epsilon(0.07));
    CHECK(seconds(nearest_rank(works, 99)) == doctest::Approx(254884).epsilon(0.07));
    CHECK(works.back() > 28 * 24h);
    // The mean decides how much load a job brings.
    CHECK(static_cast<double>(total_work(trace).count()) == doctest::Approx(3.52e12).epsilon(0.05));
  }
}

TEST_CASE("the load is what was asked for") {
  for (std::int32_t const percent : {50, 90, 150}) {
    CAPTURE(percent);
    workload const a = philly_like({.jobs = 3000, .load_percent = percent, .gpus = 256});
    CHECK(load_of(a, 256) == doctest::Approx(percent / 100.0).epsilon(0.02));
    workload const b = log_normal({.jobs = 3000, .load_percent = percent});
    CHECK(load_of(b, 64) == doctest::Approx(percent / 100.0).epsilon(0.02));
  }
}

TEST_CASE("jobs arrive in order, the first at zero") {
  for (workload const& trace : {philly_like(), log_normal()}) {
    CHECK(is_in_order(trace));
    CHECK(trace.jobs.front().submit == time_point{});
  }
}

TEST_CASE("arrivals follow the hours of the day and the days of the week") {
  workload const trace = philly_like({.jobs = 82'247, .gpus = 512});
  std::array<double, 24> hours{};
  std::array<double, 7> days{};
  std::int64_t const week = 7 * 24 * 3'600'000;
  std::int64_t const whole = trace.jobs.back().submit.time_since_epoch().count() / week * week;
  double counted = 0;
  for (sim::job const& each : trace.jobs) {
    std::int64_t const at = each.submit.time_since_epoch().count();
    if (at < whole) {
      ++hours[static_cast<std::size_t>(at / 3'600'000 % 24)];
      ++days[static_cast<std::size_t>(at / 86'400'000 % 7)];
      ++counted;
    }
  }
  REQUIRE(counted > 50'000);
  CHECK(hours[7] / counted * 24 == doctest::Approx(2.09).epsilon(0.06));
  CHECK(hours[14] / counted * 24 == doctest::Approx(0.64).epsilon(0.06));
  CHECK(days[4] / counted * 7 == doctest::Approx(1.44).epsilon(0.06));
  CHECK(days[6] / counted * 7 == doctest::Approx(0.59).epsilon(0.06));
}

TEST_CASE("no gang is larger than the limit or the cluster") {
  for (auto const& [limit, gpus, largest] : {std::array{4, 512, 4}, std::array{128, 16, 16},
                                             std::array{0, 512, 1}, std::array{5, 0, 1}}) {
    workload const trace = philly_like({.jobs = 20'000, .gpus = gpus, .max_gang = limit});
    std::int32_t seen = 0;
    for (sim::job const& each : trace.jobs) {
      seen = std::max(seen, each.gpus);
    }
    CHECK(seen == largest);
  }
}

TEST_CASE("log-normal jobs have the median and mean of the setting, and exact estimates") {
  workload const trace = log_normal({.jobs = 50'000});
  std::vector<duration> const works = sorted_works(trace);
  double sum = 0;
  double epochs = 0;
  for (sim::job const& each : trace.jobs) {
    sum += static_cast<double>(each.work.count());
    epochs += static_cast<double>(each.epoch_period.count());
    CHECK(each.estimate == each.work);
    CHECK(each.gpus <= 16);
  }
  CHECK(static_cast<double>(nearest_rank(works, 50).count()) ==
        doctest::Approx(1.8e6).epsilon(0.03));
  CHECK(sum / 50'000 == doctest::Approx(2.1 * 3.6e6).epsilon(0.06));
  CHECK(epochs / 50'000 == doctest::Approx(6e5).epsilon(0.02));
}

TEST_CASE("hostile options are brought into range") {
  CHECK(philly_like({.jobs = 0}).jobs.empty());
  workload const a = philly_like({.jobs = 3, .load_percent = -5, .gpus = -1, .max_gang = -1});
  CHECK(a.jobs.size() == 3);
  workload const b = log_normal({.jobs = 3,
                                 .load_percent = 0,
                                 .gpus = 0,
                                 .median_work = -1ms,
                                 .sigma_permille = 1'000'000,
                                 .mean_epoch = forever});
  for (sim::job const& each : b.jobs) {
    CHECK(each.gpus == 1);
    CHECK(each.work >= 1ms);
    CHECK(each.work <= max_duration);
  }
}

TEST_CASE("the integer exponential agrees with the library's") {
  using sim::detail::scaled_exp2;
  CHECK(scaled_exp2(1000, 0) == 1000);
  CHECK(scaled_exp2(1000, std::int64_t{3} << 32) == 8000);
  CHECK(scaled_exp2(1000, -(std::int64_t{2} << 32)) == 250);
  CHECK(scaled_exp2(1'000'000'000, std::int64_t{1} << 31) == 1'414'213'562);
  for (std::int64_t step = -300; step <= 300; ++step) {
    std::int64_t const exponent = step * 429'496'729;  // tenths
    double const expected = 1e9 * std::exp2(static_cast<double>(exponent) / 4294967296.0);
    CAPTURE(step);
    CHECK(std::abs(static_cast<double>(scaled_exp2(1'000'000'000, exponent)) - expected) <=
          1.0 + expected * 1e-9);
  }
}

}  // namespace synthetic_test
