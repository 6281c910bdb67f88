// SPDX-License-Identifier: BSL-1.0
// The fluid model where it can be worked out by hand.
#include <berth/core/time.hpp>
#include <berth/predictors/goodput.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/fluid_model.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace fluid_model_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

/// Synchronising costs nothing and every sample is worth as much as another: GPUs share the work,
/// up to as many as there are samples.
application divisible(double iterations) {
  goodput_parameters steps{1e-8, 0.1, 1e-8, 1e-8, 1e-8, 1e-8, 1.0};
  application made{{"divisible", {8, 8, 1, 8}, 1, 8, true, {}, 0s}, {}, steps};
  made.curve.add(8, {{iterations, iterations, 0.0, 1.0}});
  return made;
}

}  // namespace

TEST_CASE("fluid_model: shortest first where speed-ups are linear, and only then") {
  // 0.8 s an iteration on one GPU, 0.1 s on eight: 100 and 50 iterations take 10 s and 5 s.
  std::vector<application> const apps{divisible(100), divisible(50)};
  elastic_workload work;
  work.jobs = {{time_point{0s}, "long", 0, 8, 8}, {time_point{0s}, "short", 1, 8, 8}};
  auto const times = [&](double power) {
    return fluid_model{apps, work, {.gpus = 8, .gpus_per_node = 4, .power = power}}
        .completion_times();
  };
  auto const by_length = times(1.0);
  CHECK(by_length[1].count() == doctest::Approx(5000).epsilon(0.001));
  CHECK(by_length[0].count() == doctest::Approx(15000).epsilon(0.001));
}

TEST_CASE("fluid_model: jobs that come later take from those that are there") {
  std::vector<application> const apps{divisible(100), divisible(10)};
  elastic_workload work;
  work.jobs = {{time_point{0s}, "long", 0, 8, 8}, {time_point{4s}, "short", 1, 8, 8}};
  auto const times =
      fluid_model{apps, work, {.gpus = 8, .gpus_per_node = 4, .power = 1.0}}.completion_times();
  CHECK(times[1].count() == doctest::Approx(1000).epsilon(0.002));
  CHECK(times[0].count() == doctest::Approx(11000).epsilon(0.002));
}

}  // namespace fluid_model_test
