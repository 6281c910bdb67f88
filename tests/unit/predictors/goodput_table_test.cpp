// SPDX-License-Identifier: BSL-1.0
// A job's profile and its table of speed-ups. Golden profile: deepboot-vectors.json, fit, cifar10.
#include <berth/core/random.hpp>
#include <berth/predictors/goodput_profile.hpp>
#include <berth/predictors/speedup_table.hpp>
#include <berth/sizing/check_sizing.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace goodput_table_test {

using namespace berth;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

namespace {

constexpr batch_limits limits{128, 4096, 32, 1024};
constexpr gradient_noise noise{1.0, 10.0, 128};

std::vector<profile_point> const cifar10{
    {{1, 1, 128}, nanoseconds{102'589'988}, nanoseconds{103'115'323}},
    {{2, 1, 64}, nanoseconds{64'552'481}, nanoseconds{65'473'437}},
    {{4, 1, 128}, nanoseconds{105'329'381}, nanoseconds{109'760'170}},
    {{8, 2, 128}, nanoseconds{104'406'673}, nanoseconds{230'390'084}},
};
speedup_table profiled(std::int32_t max_gpus = 64) {
  speedup_table table{limits, max_gpus};
  REQUIRE(table.set_noise(noise).has_value());
  for (profile_point const& each : cifar10) {
    REQUIRE(table.add(each).value());
  }
  return table;
}

}  // namespace

TEST_SUITE("goodput_table") {
  TEST_CASE("before the first point a job is taken as perfectly scalable, on one GPU") {
    speedup_table table{limits, 64};
    CHECK(!table.is_profiled());
    CHECK(table.reach() == 1);
    for (std::int32_t gpus = 1; gpus <= 64; ++gpus) {
      CHECK(table.speedup(gpus, (gpus + 3) / 4) == gpus * unit_rung_speed);
    }
  }
  TEST_CASE("speed-ups are goodputs of the fit over that of one GPU, rounded") {
    speedup_table table = profiled();
    goodput_parameters const steps = fit_goodput(cifar10).parameters;
    double const base = best_batch(steps, noise, limits, 1, 1).goodput;
    for (std::int32_t gpus = 1; gpus <= 64; ++gpus) {
      for (std::int32_t nodes : {1, 2, gpus}) {
        if (nodes <= gpus) {
          double const exact = best_batch(steps, noise, limits, gpus, nodes).goodput / base;
          CHECK(std::abs(static_cast<double>(table.speedup(gpus, nodes)) / unit_rung_speed -
                         exact) < 1e-4 * exact);  // the table's fit came by way of others
        }
      }
    }
    double const own = table.best(1, 1).goodput;
    for (std::int32_t gpus = 1; gpus <= 64; ++gpus) {
      double const ratio = table.best(gpus, 1).goodput / own;
      CHECK(table.speedup(gpus, 1) == std::llround(ratio * unit_rung_speed));
    }
    CHECK(table.speedup(1, 1) == unit_rung_speed);
    CHECK(table.speedup(8, 1) > table.speedup(8, 2));
    CHECK(table.speedup(8, 2) == table.speedup(8, 4));  // the slowest link counts
  }
  TEST_CASE("what does not fit is worth nothing") {
    speedup_table table = profiled();
    CHECK(table.max_gpus() == 64);
    CHECK(table.speedup(0, 0) == 0);
    CHECK(table.speedup(65, 17) == 0);
    CHECK(table.speedup(2, 3) == 0);
    CHECK(table.speedup(-1, 1) == 0);
    CHECK(table.speedup(4, 0) == 0);
    CHECK(table.best(65, 17) == batch_choice{});
    CHECK(speedup_table{limits, 1000}.max_gpus() == 128);  // 4096 / 32
  }
  TEST_CASE("where one GPU is too few, the fewest count for so many") {
    batch_limits const crowded{4096, 4096, 32, 64, 0};
    speedup_table table{crowded, 128};
    CHECK(table.reach() == 64);
    CHECK(table.speedup(63, 1) == 0);
    CHECK(table.speedup(64, 1) == 64 * unit_rung_speed);
    REQUIRE(table.add({{64, 1, 64}, microseconds{100}, microseconds{110}}).value());
    CHECK(table.speedup(64, 1) == 64 * unit_rung_speed);
  }
  TEST_CASE("a table kept from event to event is that of the same points at once") {
    speedup_table kept{limits, 64};
    REQUIRE(kept.set_noise({2.0, 3.0, 128}).has_value());
    (void)kept.speedup(16, 4);
    (void)kept.speedup(1, 1);
    for (profile_point const& each : cifar10) {
      REQUIRE(kept.add(each).value());
      (void)kept.speedup(16, 4);
      (void)kept.speedup(2, 1);
    }
    REQUIRE(kept.set_noise(noise).has_value());
    speedup_table fresh = profiled();
    for (std::int32_t gpus = 1; gpus <= 64; ++gpus) {
      std::int32_t const nodes = (gpus + 3) / 4;
      CHECK(kept.speedup(gpus, nodes) == fresh.speedup(gpus, nodes));
      CHECK(kept.best(gpus, nodes) == fresh.best(gpus, nodes));
    }
  }
  TEST_CASE("a job may double what it was profiled on, within its table") {
    speedup_table table{limits, 12};
    for (profile_point const& each : cifar10) {
      REQUIRE(table.add(each).value());
      CHECK(table.reach() == std::min(12, 2 * each.where.gpus));
    }
  }
  TEST_CASE("its reach is where it begins, and how it grows") {
    speedup_table table{limits, 64, 64, {.first = 4, .growth = 3}};
    CHECK(table.reach() == 4);
    CHECK(table.speedup(4, 1) == 4 * unit_rung_speed);  // nothing is known
    REQUIRE(table.add(cifar10.front()).value());
    CHECK(table.reach() == std::max(4, 3 * cifar10.front().where.gpus));
    speedup_table small{limits, 3, 64, {.first = 4, .growth = 3}};
    CHECK(small.reach() == 3);
  }
  TEST_CASE("a step as the model expects it changes nothing but the reach") {
    speedup_table table = profiled();
    goodput_parameters const before = table.parameters();
    auto const time = [](double seconds) {
      return nanoseconds{static_cast<std::int64_t>(seconds * 1e9)};
    };
    configuration const larger{24, 6, 96};
    auto const step_that_is_off_by = [&](double share) {
      return profile_point{larger, time(before.compute_time(96)),
                           time(before.step(larger).time * (1.0 + share))};
    };
    CHECK_FALSE(table.add(step_that_is_off_by(0.015)).value());
    CHECK(table.parameters() == before);
    CHECK(table.reach() == 48);
    CHECK(profiled().add(step_that_is_off_by(0.02)).value());
    CHECK(profiled().add(step_that_is_off_by(-0.02)).value());
  }
  TEST_CASE("its ladder holds what an allocator may ask for") {
    speedup_table table = profiled();
    std::vector<rung> rungs(64);
    std::span<rung> const ladder = table.ladder(rungs, 4);
    REQUIRE(ladder.size() == 16);
    for (std::size_t i = 0; i < ladder.size(); ++i) {
      auto const gpus = static_cast<std::int32_t>(i) + 1;
      CHECK(ladder[i] == rung{gpus, table.speedup(gpus, (gpus + 3) / 4)});
    }
    CHECK(check_elastic_job({.id = job_id{0, 1}, .ladder = ladder}).has_value());
    CHECK(table.ladder(std::span{rungs}.first(3), 4).size() == 3);

    speedup_table crowded{{4096, 4096, 32, 64, 0}, 128};  // needs 64 GPUs
    CHECK(crowded.ladder(rungs, 4).size() == 1);
    speedup_table impossible{{23, 23, 12, 12, 0}, 8};
    CHECK(impossible.ladder(rungs, 4).empty());
  }
  TEST_CASE("what says nothing new changes nothing") {
    speedup_table table = profiled();
    goodput_parameters const before = table.parameters();
    for (profile_point const& each : cifar10) {
      CHECK(table.add(each).value() == false);
    }
    CHECK(table.parameters() == before);
    profile_point slower = cifar10[3];
    slower.step *= 2;
    CHECK(table.add(slower).value());
    CHECK(table.parameters().step({8, 2, 128}).time > before.step({8, 2, 128}).time * 1.2);
  }
  TEST_CASE("noisier gradients make more GPUs worth more") {
    speedup_table table = profiled();
    std::int64_t last = 0;
    for (double const variance : {0.0, 1.0, 10.0, 100.0, 1000.0}) {
      REQUIRE(table.set_noise({1.0, variance, 128}).has_value());
      CHECK(table.speedup(32, 8) >= last);
      last = table.speedup(32, 8);
    }
    CHECK(last > 2 * unit_rung_speed);
  }
  TEST_CASE("noise that cannot be is refused and changes nothing") {
    speedup_table table = profiled();
    double const infinite = std::numeric_limits<double>::infinity();
    double const nothing = std::numeric_limits<double>::quiet_NaN();
    for (gradient_noise const& bad :
         {gradient_noise{-1.0, 1.0, 128}, gradient_noise{1.0, -1.0, 128},
          gradient_noise{0.0, 0.0, 128}, gradient_noise{infinite, 1.0, 128},
          gradient_noise{1.0, infinite, 128}, gradient_noise{nothing, 1.0, 128},
          gradient_noise{1.0, nothing, 128}}) {
      CHECK(table.set_noise(bad).error() == error{errc::bad_number, field::batch_size});
    }
    CHECK(table.set_noise({1.0, 1.0, 64}).error() == error{errc::inconsistent, field::batch_size});
    CHECK(table.noise() == noise);
  }
  TEST_CASE("a point that cannot be is refused and changes nothing") {
    speedup_table table = profiled();
    goodput_parameters const before = table.parameters();
    profile_point const bad{{4, 1, 0}, nanoseconds{1}, nanoseconds{1}};
    CHECK(table.add(bad).error() == error{errc::zero_or_negative, field::batch_size});
    CHECK(table.parameters() == before);
    CHECK(table.reach() == 16);
  }
  TEST_CASE("any profile gives speed-ups within bounds") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      CAPTURE(seed);
      random_source random{seed};
      speedup_table table{limits, 40, 8};
      REQUIRE(table.set_noise({static_cast<double>(random.below(3)), 1.0, 128}).has_value());
      for (int i = 0; i < 12; ++i) {
        auto const time = [&] {
          return nanoseconds{
              1 + static_cast<std::int64_t>(random.below(std::uint64_t{1} << random.below(51)))};
        };
        auto const gpus = static_cast<std::int32_t>(1 + random.below(64));
        auto const nodes =
            static_cast<std::int32_t>(1 + random.below(static_cast<std::uint64_t>(gpus)));
        auto const batch = static_cast<std::int32_t>(1 + random.below(2000));
        REQUIRE(table.add({{gpus, nodes, batch}, time(), time()}).has_value());
      }
      for (std::int32_t gpus = 1; gpus <= 40; ++gpus) {
        for (std::int32_t const nodes : {1, 2}) {
          std::int64_t const found = table.speedup(gpus, nodes);
          CHECK(found >= 0);
          CHECK(found <= max_rung_speed);
        }
      }
    }
  }
}

TEST_SUITE("goodput_profile") {
  TEST_CASE("the same place is averaged, and changes the points when that matters") {
    goodput_profile profile{8};
    configuration const where{2, 1, 64};
    CHECK(profile.add({where, nanoseconds{64'000}, nanoseconds{128'000}}));
    CHECK(!profile.add({where, nanoseconds{66'000}, nanoseconds{128'000}}));  // mean 65'000
    CHECK(profile.points()[0].compute == nanoseconds{64'000});
    CHECK(profile.add({where, nanoseconds{71'000}, nanoseconds{128'000}}));  // mean 67'000
    CHECK(profile.points()[0].compute == nanoseconds{67'000});
    CHECK(profile.points().size() == 1);
  }
  TEST_CASE("a full profile forgets the oldest of the commonest kind") {
    goodput_profile profile{4};
    profile_point point{{1, 1, 8}, nanoseconds{10}, nanoseconds{10}};
    CHECK(profile.add(point));
    for (std::int32_t const gpus : {4, 2, 16}) {
      point.where = {gpus, gpus > 2 ? 2 : 1, 8};
      CHECK(profile.add(point));
    }
    point.where = {8, 2, 8};
    CHECK(profile.add(point));
    std::vector<std::int32_t> gpus;
    for (profile_point const& each : profile.points()) {
      gpus.push_back(each.where.gpus);
    }
    CHECK(gpus == std::vector<std::int32_t>{1, 8, 2, 16});
    CHECK(profile.most_gpus() == 16);
  }
}

}  // namespace goodput_table_test
