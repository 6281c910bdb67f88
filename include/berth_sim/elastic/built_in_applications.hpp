// SPDX-License-Identifier: BSL-1.0
// The six applications without any file: step times by fitted parameters, and how noisy gradients
// are by tenths of the training.
//
// Where the figures come from: the measurements of the Pollux artifact (petuum/adaptdl,
// Apache-2.0). fit_goodput of the step times of packed placements on 1 to 64 GPUs of nodes of four
// (placements.csv, scalability.csv) with local batches from the smallest to the largest; variance
// over square as the geometric mean over epochs and batch sizes (validation-<batch>.csv).
#pragma once

#include <berth/core/config.hpp>
#include <berth/predictors/goodput.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/training_curve.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

struct fitted_application {
  goodput_parameters steps;
  double total;                  ///< progress of a whole run
  std::array<double, 10> noise;  ///< variance over square, by tenths of the run
};

/// In the order of known_applications.
inline constexpr std::array<fitted_application, 6> fitted_applications{{
    {{0.1851, 0.05845, 1.853, 1e-8, 0.2521, 0.03014, 1.965},
     14'774,
     {173, 173, 173, 173, 173, 658, 658, 658, 658, 658}},
    {{0.01911, 0.0006968, 0.1463, 0.00164, 0.02807, 0.003712, 2.039},
     39'063,
     {5.02, 22.0, 35.3, 50.0, 70.7, 111, 196, 319, 459, 495}},
    {{0.3695, 0.02296, 0.863, 0.002603, 4.357e-5, 1e-8, 1.766},
     28'536,
     {5.52, 54.9, 193, 618, 1418, 2784, 7716, 5007, 4276, 3770}},
    {{0.06662, 0.00457, 0.4046, 0.002897, 0.03991, 0.001025, 2.311},
     576'526,
     {22.3, 41.2, 45.0, 111, 142, 129, 186, 378, 353, 340}},
    {{0.007315, 4.379e-7, 1.1e-8, 1.1e-8, 1e-8, 1e-8, 1.0},
     194'174,
     {424, 7300, 3807, 8094, 30'460, 42'840, 34'860, 115'100, 119'400, 129'800}},
    {{0.332, 0.01126, 1.328, 0.001588, 0.1624, 0.07556, 2.095},
     103'444,
     {7.39, 43.3, 47.7, 57.6, 61.5, 75.6, 98.9, 145, 247, 552}},
}};

}  // namespace detail

/// All known applications, in their order.
[[nodiscard]] inline std::vector<application> built_in_applications() {
  std::vector<application> all;
  for (std::size_t number = 0; number < known_applications.size(); ++number) {
    application_facts const& facts = known_applications[number];
    detail::fitted_application const& fitted = detail::fitted_applications[number];
    application made{facts, {}, fitted.steps};
    for (std::int64_t batch = facts.limits.initial_batch; batch <= facts.limits.max_batch;
         batch *= 2) {
      std::vector<epoch_record> record;
      epoch_record end;
      for (std::int32_t epoch = 0; epoch < facts.epochs; ++epoch) {
        double const noise = fitted.noise[static_cast<std::size_t>(10 * epoch / facts.epochs)];
        gradient_noise const here{1.0, noise, facts.limits.initial_batch};
        double const length = fitted.total / facts.epochs;
        end = {end.progress + length,
               end.iteration + length / here.gain(static_cast<double>(batch)), 1.0, noise};
        record.push_back(end);
      }
      made.curve.add(static_cast<std::int32_t>(batch), std::move(record));
    }
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace sim

BERTH_NAMESPACE_END
