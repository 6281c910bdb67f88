// SPDX-License-Identifier: BSL-1.0
// What was measured at a size is what a ladder says there.
#include <berth/predictors/goodput.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/corrected_ladder.hpp>
#include <berth_sim/elastic/measured_steps.hpp>
#include <berth_sim/elastic/placement_shape.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace corrected_ladder_test {

using namespace berth;
using namespace berth::sim;

namespace {

goodput_parameters const model{0.1, 0.01, 0.5, 0.02, 0.1, 0.005, 1.5};

/// A step that takes `times` as long as the model says.
step_timing slower(placement_shape const& shape, batch_plan const& plan, double times) {
  configuration const where{shape.gpus, shape.nodes, plan.local_batch};
  double const compute = model.compute_time(plan.local_batch) * times;
  return {compute, model.step(where).time * times};
}
void add(corrected_ladder& ladder, std::int32_t gpus, double times) {
  placement_shape const shape = placement_shape::packed(gpus, 4);
  batch_plan const plan{32, 1};
  ladder.add(shape, plan, slower(shape, plan, times));
}

}  // namespace

TEST_CASE(
    "corrected_ladder: without measurements, or with such as the model says, nothing changes") {
  std::array<rung, 2> rungs{{{1, unit_rung_speed}, {2, 100'000}}};
  auto const before = rungs;
  corrected_ladder ladder;
  ladder.apply(rungs, model);
  CHECK(rungs == before);
  add(ladder, 1, 1.0);
  add(ladder, 2, 1.0);
  ladder.apply(rungs, model);
  CHECK(rungs == before);
}

TEST_CASE("corrected_ladder: is exact where it was, and between two sizes of a row in proportion") {
  corrected_ladder ladder;
  add(ladder, 1, 1.0);
  add(ladder, 4, 2.0);
  add(ladder, 8, 4.0);
  add(ladder, 16, 1.0);
  CHECK(ladder.factor(1, model) == doctest::Approx(1.0));
  CHECK(ladder.factor(2, model) == doctest::Approx(1.0 - 0.5 / 3.0));
  CHECK(ladder.factor(4, model) == doctest::Approx(0.5));
  CHECK(ladder.factor(5, model) == doctest::Approx(0.25));  // of the other row
  CHECK(ladder.factor(8, model) == doctest::Approx(0.25));
  CHECK(ladder.factor(12, model) == doctest::Approx(0.625));
  CHECK(ladder.factor(64, model) == doctest::Approx(1.0));
  std::array<rung, 3> rungs{{{1, unit_rung_speed}, {4, 200'000}, {8, 300'000}}};
  ladder.apply(rungs, model);
  CHECK(rungs[0].speed == unit_rung_speed);
  CHECK(rungs[1].speed == 100'000);
  CHECK(rungs[2].speed == 75'000);
}

TEST_CASE("corrected_ladder: speeds stay relative to one GPU, which may be off itself") {
  corrected_ladder ladder;
  add(ladder, 1, 2.0);
  add(ladder, 2, 1.0);
  std::array<rung, 2> rungs{{{1, unit_rung_speed}, {2, 100'000}}};
  ladder.apply(rungs, model);
  CHECK(rungs[0].speed == unit_rung_speed);
  CHECK(rungs[1].speed == 200'000);
}

TEST_CASE("corrected_ladder: a job that is spread out learns nothing about packed sizes") {
  corrected_ladder ladder;
  placement_shape const spread = placement_shape::of(std::array<std::int32_t, 2>{1, 1});
  ladder.add(spread, {32, 1}, slower(spread, {32, 1}, 3.0));
  CHECK(ladder.factor(2, model) == 1.0);
}

}  // namespace corrected_ladder_test
