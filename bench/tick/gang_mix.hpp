// SPDX-License-Identifier: BSL-1.0
// Gang sizes as in the Philly trace, tilted towards large gangs until a given number of them fills
// a given number of GPUs.
#pragma once

#include <berth/core/random.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace berth_bench {

/// Jobs of the Philly trace by GPUs (Jeon et al., USENIX ATC'19; the reduction that ElasticFlow's
/// repository carries: 82,247 jobs, github.com/pkusys/ElasticFlow, pollux/.../philly.csv).
class gang_mix {
 public:
  /// Weights are jobs × GPUs^tilt; the tilt is chosen so that gangs have `mean` GPUs on average.
  explicit gang_mix(double mean) {
    double low = 0;
    double high = 3;
    for (int i = 0; i < 60; ++i) {
      double const tilt = (low + high) / 2;
      (mean_at(tilt) < mean ? low : high) = tilt;
    }
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      sum += weight(i, low);
      below_[i] = static_cast<std::uint64_t>(sum * 1024);
    }
  }

  [[nodiscard]] std::int32_t draw(berth::random_source& random) const {
    std::uint64_t const at = random.below(below_.back());
    std::size_t i = 0;
    while (below_[i] <= at) {
      ++i;
    }
    return sizes[i];
  }

 private:
  static constexpr std::array<std::int32_t, 10> sizes{1, 2, 4, 8, 12, 16, 24, 32, 64, 128};
  static constexpr std::array<double, 10> jobs{76627, 1818, 1870, 1643, 7, 199, 7, 67, 6, 3};

  static double weight(std::size_t i, double tilt) {
    return jobs[i] * std::pow(static_cast<double>(sizes[i]), tilt);
  }
  static double mean_at(double tilt) {
    double gpus = 0;
    double count = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      gpus += weight(i, tilt) * static_cast<double>(sizes[i]);
      count += weight(i, tilt);
    }
    return gpus / count;
  }
  std::array<std::uint64_t, 10> below_{};
};

}  // namespace berth_bench
