// SPDX-License-Identifier: BSL-1.0
// How a job plays, against sums made by hand, and that it does not matter how time is cut.
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/built_in_applications.hpp>
#include <berth_sim/elastic/elastic_training.hpp>
#include <berth_sim/elastic/placement_shape.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace elastic_training_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

/// Two epochs of 100 iterations, whose steps take 0.1 s + 0.01 s per sample, and whose noise makes
/// every sample worth as much as the first.
application plain() {
  goodput_parameters steps;
  application made{{"plain", {10, 1000, 1, 100}, 2, 8, true, {10s, 2s}, 1s}, {}, steps};
  made.curve.add(10, {{100, 100, 0.0, 1.0}, {200, 200, 0.0, 1.0}});
  return made;
}
duration run(elastic_training& training) {
  duration all{0};
  while (!training.is_done()) {
    duration const next = training.until_next();
    REQUIRE(next != forever);
    training.advance(next);
    all += next;
  }
  return all;
}

}  // namespace

TEST_CASE("elastic_training: a fixed batch takes its iterations times its steps, and the restart") {
  application const app = plain();
  elastic_training training{app, 10, 8};
  CHECK(training.until_next() == forever);
  training.place(placement_shape::packed(1, 4), 10s);
  CHECK(training.until_next() == 10s);
  training.advance(10s);
  CHECK(training.progress() == 0.0);
  CHECK(training.until_next() == 20s);  // 100 iterations of 0.2 s
  training.advance(5s);
  CHECK(training.progress() == doctest::Approx(25.0));
  CHECK(run(training) == 35s);
  CHECK(training.until_next() == forever);
  CHECK(training.epoch() == 2);
}

TEST_CASE("elastic_training: without GPUs nothing happens, and a restart that is cut off is lost") {
  application const app = plain();
  elastic_training training{app, 10, 8};
  training.place(placement_shape::packed(1, 4), 10s);
  training.advance(15s);
  training.place({}, 10s);
  training.advance(1h);
  CHECK(training.progress() == doctest::Approx(25.0));
  training.place(placement_shape::packed(2, 4), 10s);
  training.advance(9s);
  training.place(placement_shape::packed(1, 4), 2s);
  CHECK(training.until_next() == 2s);
  CHECK(run(training) == 37s);
}

TEST_CASE("elastic_training: the answer does not depend on how time is cut") {
  for (application const& app : built_in_applications()) {
    CAPTURE(app.facts.name);
    std::int32_t const fixed = app.facts.is_adaptive ? 0 : app.facts.limits.max_batch;
    std::int32_t const gpus = std::min(8, app.facts.max_gpus);
    elastic_training straight{app, fixed, 64};
    straight.place(placement_shape::packed(gpus, 4), app.facts.restart.first);
    duration const expected = run(straight);
    random_source random{7};
    elastic_training cut{app, fixed, 64};
    cut.place(placement_shape::packed(gpus, 4), app.facts.restart.first);
    duration now{0};
    while (!cut.is_done()) {
      duration const stride = std::min(cut.until_next(), duration{random.between(1, 60'000)});
      cut.advance(stride);
      now += stride;
    }
    // Every end of an epoch is rounded up to a millisecond for the host, but not inside.
    CHECK(std::abs((now - expected).count()) <= app.facts.epochs);
    elastic_training late{app, fixed, 64};
    late.place(placement_shape::packed(gpus, 4), app.facts.restart.first);
    late.advance(expected);
    CHECK(late.is_done());
    elastic_training early{app, fixed, 64};
    early.place(placement_shape::packed(gpus, 4), app.facts.restart.first);
    early.advance(expected - duration{app.facts.epochs + 1});
    CHECK_FALSE(early.is_done());
  }
}

TEST_CASE(
    "elastic_training: a job that measures learns where it has been, and reaches twice that") {
  auto const all = built_in_applications();
  application const& cifar = all[1];
  std::vector<rung> room(64);
  elastic_training training{cifar, 0, 64};
  CHECK_FALSE(training.is_profiled());
  CHECK(training.remaining() == 0s);
  CHECK(training.ladder(room, 4).size() == 1);
  training.place(placement_shape::packed(3, 4), 24s);
  CHECK_FALSE(training.is_profiled());
  training.advance(24s);
  CHECK(training.is_profiled());
  auto const ladder = training.ladder(room, 4);
  REQUIRE(ladder.size() == 6);
  CHECK(ladder.front() == rung{1, unit_rung_speed});
  CHECK(ladder.back().size == 6);
  CHECK(training.remaining() > 10min);
  CHECK(training.plan().total(3) >= cifar.facts.limits.initial_batch);
  CHECK(training.table().parameters() != goodput_parameters{});
}

TEST_CASE("elastic_training: with every size profiled the ladder is what it really does") {
  auto const all = built_in_applications();
  application const& app = all[5];  // yolov3
  elastic_training training{app, 0, 64};
  for (int round = 0; round < 2; ++round) {
    for (std::int32_t gpus : {1, 2, 3, 4, 6, 8, 16, 32, 64}) {
      training.place(placement_shape::packed(gpus, 4), 0s);
      training.advance(1ms);
    }
  }
  std::vector<rung> room(64);
  for (rung const& each : training.ladder(room, 4)) {
    elastic_training other = training;
    other.place(placement_shape::packed(1, 4), 0s);
    double const alone = app.rate(other.shape(), other.plan(), other.epoch());
    other.place(placement_shape::packed(each.size, 4), 0s);
    double const there = app.rate(other.shape(), other.plan(), other.epoch());
    CAPTURE(each.size);
    CHECK(static_cast<double>(each.speed) / static_cast<double>(unit_rung_speed) ==
          doctest::Approx(there / alone).epsilon(0.02));
  }
}

TEST_CASE("elastic_training: a fixed batch declares a ladder that ends at the smallest share") {
  auto const all = built_in_applications();
  elastic_training training{all[1], 2048, 64};
  std::vector<rung> room(64);
  auto const ladder = training.ladder(room, 4);
  REQUIRE(ladder.size() == 64);
  CHECK(ladder[0].speed == unit_rung_speed);
  elastic_training other{all[1], 512, 64};
  CHECK(other.ladder(room, 4).size() == 16);
  elastic_training single{all[4], 32768, 64};
  CHECK(single.ladder(room, 4).size() == 1);
}

TEST_CASE("divided_batch: everybody the same, no more than fits, two passes on a single GPU") {
  batch_limits const limits{128, 4096, 32, 1024};
  CHECK(divided_batch(limits, 2048, 2) == batch_plan{1024, 0});
  CHECK(divided_batch(limits, 2048, 1) == batch_plan{1024, 1});
  CHECK(divided_batch(limits, 256, 1) == batch_plan{128, 1});
  CHECK(divided_batch(limits, 128, 1) == batch_plan{128, 0});
  CHECK(divided_batch(limits, 4096, 3) == batch_plan{682, 1});  // 683 would be above the limit
  CHECK(divided_batch(limits, 2000, 7) == batch_plan{286, 0});
  CHECK(batch_plan{286, 1}.total(7) == 4004);
}

}  // namespace elastic_training_test
