// SPDX-License-Identifier: BSL-1.0
// Goodput: how fast an elastic job learns, which is how many samples it processes times what a
// sample is worth at that batch size. After Pollux (Qiao et al., OSDI 2021, §3).
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/predictors/step_time.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A step that is the sum of computing and synchronising to some extent: the norm of both with
/// exponent gamma, from their sum (1: no overlap) towards their maximum (Pollux §3.2).
struct overlapped_step {
  double time = 0.0;
  double compute_share = 1.0;  ///< d ln time / d ln compute; that of the synchronisation is 1 - it
  double gamma_slope = 0.0;    ///< d ln time / d gamma, <= 0

  /// compute > 0, sync >= 0, gamma >= 1.
  [[nodiscard]] static overlapped_step of(double compute, double sync, double gamma) noexcept {
    if (!(sync > 0.0)) {
      return {compute, 1.0, 0.0};
    }
    double const longer = std::max(compute, sync);
    double const shorter = std::min(compute, sync);
    // Relative to the longer, so that no power overflows.
    double const log_ratio = detail::fixed_log(shorter / longer);
    double const power = detail::fixed_exp(detail::rounded_product(gamma, log_ratio));
    double const stretch = detail::fixed_log_of_one_plus(power) / gamma;
    double const share = power / (1.0 + power);  // of the shorter
    return {detail::rounded_product(longer, detail::fixed_exp(stretch)),
            compute < sync ? share : 1.0 - share,
            (detail::rounded_product(share, log_ratio) - stretch) / gamma};
  }
};

/// What a job's steps take, in seven numbers; seconds. A GPU computes gradients for alpha_compute +
/// beta_compute · batch; r > 1 GPUs then synchronise for alpha + beta · (r - 2), over the network
/// if they are on several nodes. On how many, or how the GPUs lie on them, does not matter.
struct goodput_parameters {
  double alpha_compute = 0.1;
  double beta_compute = 0.01;  ///< per sample
  double alpha_network = 0.1;
  double beta_network = 0.01;  ///< per GPU
  double alpha_local = 0.1;
  double beta_local = 0.01;  ///< per GPU
  double gamma = 1.001;      ///< how much of both overlaps, 1 to 10

  /// Of `batch` samples on one GPU.
  [[nodiscard]] double compute_time(std::int32_t batch) const noexcept {
    return alpha_compute + detail::rounded_product(beta_compute, batch);
  }
  /// 0 on one GPU.
  [[nodiscard]] double sync_time(std::int32_t gpus, std::int32_t nodes) const noexcept {
    if (gpus <= 1) {
      return 0.0;
    }
    double const beyond = static_cast<double>(gpus) - 2.0;
    return nodes > 1 ? alpha_network + detail::rounded_product(beta_network, beyond)
                     : alpha_local + detail::rounded_product(beta_local, beyond);
  }
  /// Computing and synchronising once.
  [[nodiscard]] overlapped_step step(configuration const& where) const noexcept {
    return overlapped_step::of(compute_time(where.batch_size), sync_time(where.gpus, where.nodes),
                               gamma);
  }
  /// `accumulation` times computing without synchronising, then a step. `accumulation` >= 0.
  [[nodiscard]] double iteration_time(configuration const& where,
                                      std::int32_t accumulation) const noexcept {
    return step(where).time + detail::rounded_product(accumulation, compute_time(where.batch_size));
  }
  /// Samples per second.
  [[nodiscard]] double throughput(configuration const& where,
                                  std::int32_t accumulation) const noexcept {
    double const samples = detail::rounded_product(
        detail::rounded_product(where.gpus, where.batch_size), accumulation + 1.0);
    return samples / iteration_time(where, accumulation);
  }

  [[nodiscard]] constexpr std::array<double, 7> values() const noexcept {
    return {alpha_compute, beta_compute, alpha_network, beta_network,
            alpha_local,   beta_local,   gamma};
  }
  [[nodiscard]] static constexpr goodput_parameters from(
      std::array<double, 7> const& values) noexcept {
    return {values[0], values[1], values[2], values[3], values[4], values[5], values[6]};
  }
  friend constexpr bool operator==(goodput_parameters const&,
                                   goodput_parameters const&) noexcept = default;
};

/// What larger batches are worth, from the gradients that the job measures (Pollux §3.1; McCandlish
/// et al., 2018): 0 <= both, finite, only their ratio counts.
struct gradient_noise {
  double square = 1.0;             ///< squared norm of the true gradient
  double variance = 0.0;           ///< of the gradient at `initial_batch`
  std::int32_t initial_batch = 1;  ///< total batch size that both refer to, > 0

  /// How many iterations at the initial batch size one at `batch` in all is worth. At most batch /
  /// initial_batch, and at most 1 + variance / square.
  [[nodiscard]] double gain(double batch) const noexcept {
    double const scale = batch / initial_batch;
    double const rest = variance / scale + square;
    return rest > 0.0 ? (variance + square) / rest : 1.0;
  }
  /// What a sample is worth, 1 at the initial batch size and less above it.
  [[nodiscard]] double efficiency(double batch) const noexcept {
    return gain(batch) / (batch / initial_batch);
  }
  friend constexpr bool operator==(gradient_noise const&, gradient_noise const&) noexcept = default;
};

/// Samples per second, in samples at the initial batch size: throughput times efficiency.
/// `where.batch_size` is per GPU and pass, > 0. O(1).
[[nodiscard]] inline double goodput(goodput_parameters const& steps, gradient_noise const& noise,
                                    configuration const& where,
                                    std::int32_t accumulation) noexcept {
  double const batch = detail::rounded_product(
      detail::rounded_product(where.gpus, where.batch_size), accumulation + 1.0);
  double const gain = detail::rounded_product(noise.initial_batch, noise.gain(batch));
  return gain / steps.iteration_time(where, accumulation);
}

BERTH_NAMESPACE_END
