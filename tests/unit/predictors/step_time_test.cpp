// SPDX-License-Identifier: BSL-1.0
// The step-time model and its least squares.
#include <berth/core/random.hpp>
#include <berth/predictors/step_time.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace step_time_test {

using namespace berth;

namespace {

constexpr std::array<configuration, 4> four_places{
    {{1, 1, 8}, {1, 1, 64}, {4, 1, 32}, {16, 4, 16}}};

std::vector<step_observation> measured(step_time_model const& truth,
                                       std::vector<configuration> const& places) {
  std::vector<step_observation> seen;
  for (configuration const& where : places) {
    seen.push_back({where, truth.step(where), 1.0});
  }
  return seen;
}

/// Minimises by cyclic coordinate descent, which converges to the optimum of a convex problem.
std::array<double, 4> descend(std::vector<std::array<double, 4>> const& rows) {
  std::array<double, 4> x{};
  for (int round = 0; round < 200'000; ++round) {
    double moved = 0.0;
    for (std::size_t j = 0; j < 4; ++j) {
      double slope = 0.0;
      double curve = 0.0;
      for (auto const& row : rows) {
        double rest = 1.0;
        for (std::size_t k = 0; k < 4; ++k) {
          rest -= row[k] * x[k];
        }
        slope += row[j] * rest;
        curve += row[j] * row[j];
      }
      double const next = std::max(0.0, x[j] + slope / curve);
      moved = std::max(moved, std::abs(next - x[j]));
      x[j] = next;
    }
    if (moved < 1e-14) {
      break;
    }
  }
  return x;
}
double loss(std::vector<std::array<double, 4>> const& rows, std::array<double, 4> const& x) {
  double sum = 0.0;
  for (auto const& row : rows) {
    double rest = 1.0;
    for (std::size_t k = 0; k < 4; ++k) {
      rest -= row[k] * x[k];
    }
    sum += rest * rest;
  }
  return sum;
}

}  // namespace

TEST_CASE("step_time: four records with distinct configurations are met exactly") {
  step_time_model const truth{{900.0, 40.0, 2.5, 3000.0}};
  auto const seen = measured(truth, {four_places.begin(), four_places.end()});
  step_time_model const fitted = step_time_model::fit(seen);
  for (configuration const& where :
       {configuration{1, 1, 8}, configuration{16, 4, 16}, configuration{2, 1, 128},
        configuration{64, 16, 48}, configuration{3, 3, 1}}) {
    CHECK(std::abs(fitted.step(where) / truth.step(where) - 1.0) < 1e-6);
  }
}

TEST_CASE("step_time: what the records do not determine stays zero, and nothing is negative") {
  step_time_model const truth{{900.0, 40.0, 2.5, 3000.0}};
  auto const alone = measured(truth, {{1, 1, 8}, {1, 1, 16}, {1, 1, 32}, {1, 1, 64}});
  step_time_model const fitted = step_time_model::fit(alone);
  CHECK(fitted.terms()[3] == 0.0);
  CHECK(std::abs(fitted.step({1, 1, 24}) / truth.step({1, 1, 24}) - 1.0) < 1e-6);
  // A step that gets shorter with the batch: no model with positive terms does that.
  std::vector<step_observation> const odd{{{1, 1, 8}, 9.0, 1.0},
                                          {{1, 1, 16}, 7.0, 1.0},
                                          {{1, 1, 32}, 5.0, 1.0},
                                          {{1, 1, 64}, 3.0, 1.0}};
  step_time_model const bounded = step_time_model::fit(odd);
  for (double const term : bounded.terms()) {
    CHECK(term >= 0.0);
  }
  CHECK_FALSE(step_time_model::fit({}).is_fitted());
  CHECK(step_time_model{}.step({4, 2, 8}) == 0.0);
}

TEST_CASE("step_time: more GPUs, more nodes and larger batches never make a step shorter") {
  step_time_model const model{{900.0, 40.0, 2.5, 3000.0}};
  for (std::int32_t gpus = 2; gpus < 200; ++gpus) {
    CHECK(model.step({gpus, 2, 8}) >= model.step({gpus - 1, 2, 8}));
    CHECK(model.step({gpus, 1, 8}) >= model.step({gpus - 1, 1, 8}));
    CHECK(model.step({gpus, 2, 8}) > model.step({gpus, 1, 8}));
    CHECK(model.step({gpus, 1, 9}) > model.step({gpus, 1, 8}));
  }
}

TEST_CASE("nonnegative_fit: as good as coordinate descent on 300 random problems") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    random_source random{seed};
    std::vector<std::array<double, 4>> rows(4 + random.below(9));
    detail::nonnegative_fit sums;
    for (auto& row : rows) {
      for (double& entry : row) {
        entry = random.unit() + (random.below(4) == 0 ? -0.5 : 0.0);
      }
      sums.add(row, 1.0, 1.0);
    }
    CAPTURE(seed);
    auto const x = sums.solve();
    for (double const each : x) {
      CHECK(each >= 0.0);
    }
    CHECK(loss(rows, x) <= loss(rows, descend(rows)) + 1e-9);
  }
}

TEST_CASE("step_time: the same bits whatever the compiler and its options") {
  std::vector<step_observation> const seen{{{1, 1, 20}, 147.4, 1.0},
                                           {{1, 1, 200}, 1093.7, 0.9},
                                           {{4, 1, 57}, 391.3, 0.8},
                                           {{12, 4, 28}, 402.1, 0.7},
                                           {{24, 6, 115}, 871.9, 0.6}};
  step_time_model const fitted = step_time_model::fit(seen);
  CHECK(std::bit_cast<std::uint64_t>(fitted.step({16, 4, 81})) == 4'648'839'615'172'519'919u);
  CHECK(std::bit_cast<std::uint64_t>(fitted.step({2, 1, 40})) == 4'643'450'983'167'017'245u);
}

}  // namespace step_time_test
