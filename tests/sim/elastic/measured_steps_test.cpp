// SPDX-License-Identifier: BSL-1.0
// What lies between measurements, against planes and lines that are known.
#include <berth_sim/elastic/measured_steps.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

namespace measured_steps_test {

using berth::sim::measured_steps;
using berth::sim::placement_shape;
using berth::sim::step_timing;

namespace {

/// Linear in nodes, GPUs and batch: whatever is interpolated linearly must meet it.
step_timing plane(std::int32_t nodes, std::int32_t gpus, std::int32_t batch) {
  double const compute = 0.5 + 0.01 * batch;
  return {compute, compute + 0.03 * nodes + 0.002 * gpus + 0.001 * batch};
}
void fill(measured_steps& steps) {
  for (std::int32_t batch : {10, 20, 50}) {
    for (std::int32_t gpus = 4; gpus <= 16; ++gpus) {
      std::array<std::int32_t, 4> nodes{1, 1, 1, 1};
      for (std::int32_t more = gpus - 4, at = 0; more > 0; --more, at = (at + 1) % 4) {
        ++nodes[static_cast<std::size_t>(at)];
      }
      steps.add_placement(placement_shape::of(nodes), batch, plane(4, gpus, batch));
    }
    for (std::int32_t nodes : {6, 8, 16}) {
      for (std::int32_t gpus = nodes; gpus <= 4 * nodes; gpus += nodes) {
        steps.add_size(nodes, gpus, batch, plane(nodes, gpus, batch));
      }
    }
  }
}
void check_equal(step_timing const& found, step_timing const& expected) {
  CHECK(found.compute == doctest::Approx(expected.compute).epsilon(1e-12));
  CHECK(found.step == doctest::Approx(expected.step).epsilon(1e-12));
}

}  // namespace

TEST_CASE("measured_steps: what is linear is met everywhere between measurements") {
  measured_steps steps;
  fill(steps);
  for (std::int32_t nodes = 4; nodes <= 16; ++nodes) {
    for (std::int32_t gpus = nodes; gpus <= 4 * nodes; ++gpus) {
      for (std::int32_t batch : {10, 13, 20, 37, 50}) {
        CAPTURE(nodes);
        CAPTURE(gpus);
        CAPTURE(batch);
        check_equal(steps.at({nodes, gpus, 0}, batch), plane(nodes, gpus, batch));
      }
    }
  }
}

TEST_CASE("measured_steps: goes on straight above the largest batch, stays below the smallest") {
  measured_steps steps;
  fill(steps);
  check_equal(steps.at({8, 16, 0}, 80), plane(8, 16, 80));
  check_equal(steps.at({8, 16, 0}, 5), plane(8, 16, 10));
}

TEST_CASE("measured_steps: more nodes than were measured count as the most that were") {
  measured_steps steps;
  fill(steps);
  check_equal(steps.at({20, 60, 0}, 10), plane(16, 60, 10));
}

TEST_CASE("measured_steps: a placement that was measured is not interpolated") {
  measured_steps steps;
  fill(steps);
  auto const shape = placement_shape::of(std::array<std::int32_t, 4>{4, 1, 1, 1});
  auto const other = placement_shape::of(std::array<std::int32_t, 4>{2, 2, 2, 1});
  steps.add_placement(shape, 10, {1.0, 9.0});
  check_equal(steps.at(shape, 10), {1.0, 9.0});
  check_equal(steps.at(other, 10), plane(4, 7, 10));
  // Measured again: the mean.
  steps.add_placement(shape, 10, {2.0, 11.0});
  check_equal(steps.at(shape, 10), {1.5, 10.0});
}

TEST_CASE("step_timing: passes that accumulate do not synchronise") {
  CHECK(step_timing{2.0, 5.0}.iteration(0) == 5.0);
  CHECK(step_timing{2.0, 5.0}.iteration(3) == 11.0);
}

}  // namespace measured_steps_test
