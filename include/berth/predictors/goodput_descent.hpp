// SPDX-License-Identifier: BSL-1.0
// The minimisation behind goodput_fit.hpp: Levenberg and Marquardt's damped Newton steps, projected
// onto bounds, on a sum of two norms that is smooth where a fit is exact.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/history_fit.hpp>
#include <berth/predictors/step_time.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>

BERTH_NAMESPACE_BEGIN

/// A measured step of a job.
struct profile_point {
  configuration where;                  ///< batch_size: samples per GPU and pass
  std::chrono::nanoseconds compute{0};  ///< for the gradients, without synchronising
  std::chrono::nanoseconds step{0};     ///< with it
};

namespace detail {

using seven = std::array<double, 7>;

/// A function's value, slope, and a curvature that is nowhere negative.
struct quadratic_model {
  double value = 0.0;
  seven slope{};
  std::array<seven, 7> curvature{};
};

/// The root of the mean square of residuals, sqrt(mean r² + softness²). Of linear residuals it is
/// convex; its curvature takes them as linear.
class smooth_norm {
 public:
  /// Where both norms of a fit are far above this, it changes nothing that matters; where a fit is
  /// exact, the published norm has a kink and this has none.
  static constexpr double softness = 1e-7;

  /// A residual and its slope in the unknowns `which`.
  template <std::size_t N>
  void add(double residual, std::array<std::size_t, N> const& which,
           std::array<double, N> const& slope) noexcept {
    squares_ += rounded_product(residual, residual);
    for (std::size_t i = 0; i < N; ++i) {
      pull_[which[i]] += rounded_product(residual, slope[i]);
      for (std::size_t j = 0; j < N; ++j) {
        product_[which[i]][which[j]] += rounded_product(slope[i], slope[j]);
      }
    }
  }
  void add_to(quadratic_model& sum, double count) const noexcept {
    constexpr double soft_square = softness * softness;
    double const norm = std::sqrt(squares_ / count + soft_square);
    double const unit = rounded_product(count, norm);
    seven slope{};
    for (std::size_t i = 0; i < 7; ++i) {
      slope[i] = pull_[i] / unit;
      sum.slope[i] += slope[i];
    }
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 0; j < 7; ++j) {
        sum.curvature[i][j] += product_[i][j] / unit - rounded_product(slope[i], slope[j]) / norm;
      }
    }
    sum.value += norm;
  }

 private:
  double squares_ = 0.0;
  seven pull_{};
  std::array<seven, 7> product_{};
};

/// The x with (curvature + damping · its diagonal) x = -slope on the unknowns `open`, by Cholesky's
/// factors of the matrix scaled to a diagonal of ones. False if it is singular all the same.
[[nodiscard]] inline bool damped_step(quadratic_model const& at, std::array<bool, 7> const& open,
                                      double damping, seven& x) noexcept {
  std::array<std::size_t, 7> chosen{};
  seven unit{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    x[i] = 0.0;
    if (open[i] && at.curvature[i][i] > 0.0) {
      unit[n] = std::sqrt(at.curvature[i][i]);
      chosen[n++] = i;
    }
  }
  std::array<seven, 7> factor{};
  seven y{};
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = -at.slope[chosen[i]] / unit[i];
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = i == j ? 1.0 + damping : at.curvature[chosen[i]][chosen[j]] / unit[i] / unit[j];
      for (std::size_t k = 0; k < j; ++k) {
        rest -= rounded_product(factor[i][k], factor[j][k]);
      }
      if (i == j && !(rest > 1e-15)) {
        return false;
      }
      factor[i][j] = i == j ? std::sqrt(rest) : rest / factor[j][j];
    }
    for (std::size_t k = 0; k < i; ++k) {
      y[i] -= rounded_product(factor[i][k], y[k]);
    }
    y[i] /= factor[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) {
      y[i] -= rounded_product(factor[k][i], y[k]);
    }
    y[i] /= factor[i][i];
    x[chosen[i]] = y[i] / unit[i];
  }
  return true;
}

/// What is fitted to, what stays as it is, and the descent.
class goodput_descent {
 public:
  static constexpr double least = 1e-8;  ///< of every alpha and beta
  static constexpr double most_gamma = 10.0;

  /// `ratio_weights` of (beta / alpha)² of the network and of one node. The points must outlive it.
  goodput_descent(std::span<profile_point const> points, std::array<bool, 7> const& fixed,
                  std::array<double, 2> const& ratio_weights) noexcept
      : points_{points}, fixed_{fixed}, ratio_weights_{ratio_weights} {}

  /// Goes downhill from x for at most `rounds` rounds; the value there. O(rounds · points).
  double descend(seven& x, int rounds) const noexcept {
    quadratic_model here = model_at(x);
    double damping = 1e-3;
    int idle = 0;
    for (int round = 0; round < rounds && idle < 3 && damping < 1e12; ++round) {
      std::array<bool, 7> open{};
      for (std::size_t i = 0; i < 7; ++i) {
        bool const at_bound = here.slope[i] > 0.0 ? x[i] <= low(i) : x[i] >= high(i);
        open[i] = !fixed_[i] && !at_bound;
      }
      seven step{};
      if (!damped_step(here, open, damping, step)) {
        damping *= 8.0;
        continue;
      }
      seven next{};
      for (std::size_t i = 0; i < 7; ++i) {
        next[i] = std::clamp(x[i] + step[i], low(i), high(i));
      }
      quadratic_model const there = model_at(next);
      double const gain = here.value - there.value;
      idle = gain < 1e-13 && gain > -1e-13 ? idle + 1 : 0;
      if (gain > 0.0) {
        damping = std::max(damping / 8.0, 1e-12);
        x = next;
        here = there;
      } else {
        damping *= 8.0;
      }
    }
    return here.value;
  }

 private:
  [[nodiscard]] static constexpr double low(std::size_t i) noexcept { return i == 6 ? 1.0 : least; }
  [[nodiscard]] static constexpr double high(std::size_t i) noexcept {
    return i == 6 ? most_gamma : 1e30;
  }

  [[nodiscard]] quadratic_model model_at(seven const& x) const noexcept {
    auto const steps = goodput_parameters::from(x);
    smooth_norm computing;
    smooth_norm stepping;
    for (profile_point const& seen : points_) {
      double const batch = seen.where.batch_size;
      double const compute = steps.compute_time(seen.where.batch_size);
      double const sync = steps.sync_time(seen.where.gpus, seen.where.nodes);
      overlapped_step const step = overlapped_step::of(compute, sync, steps.gamma);
      computing.add<2>(error_of(compute, seen.compute), {0, 1}, {1.0 / compute, batch / compute});
      double const by_compute = step.compute_share / compute;
      double const by_sync = sync > 0.0 ? (1.0 - step.compute_share) / sync : 0.0;
      double const beyond = std::max(0.0, seen.where.gpus - 2.0);
      std::size_t const link = seen.where.nodes > 1 ? 2 : 4;
      stepping.add<5>(error_of(step.time, seen.step), {0, 1, link, link + 1, 6},
                      {by_compute, rounded_product(by_compute, batch), by_sync,
                       rounded_product(by_sync, beyond), step.gamma_slope});
    }
    quadratic_model sum;
    auto const count = static_cast<double>(points_.size());
    computing.add_to(sum, count);
    stepping.add_to(sum, count);
    add_priors(sum, x);
    return sum;
  }
  [[nodiscard]] static double error_of(double expected, std::chrono::nanoseconds seen) noexcept {
    return fixed_log(expected / (static_cast<double>(seen.count()) / 1e9));
  }
  /// gamma near 1, betas far below their alphas.
  void add_priors(quadratic_model& sum, seven const& x) const noexcept {
    constexpr double weight = 1e-3;
    double const above = x[6] - 1.0;
    sum.value += rounded_product(weight, rounded_product(above, above));
    sum.slope[6] += rounded_product(2.0 * weight, above);
    sum.curvature[6][6] += 2.0 * weight;
    for (std::size_t link = 0; link < 2; ++link) {
      std::size_t const a = 2 + 2 * link;
      std::size_t const b = a + 1;
      double const ratio = x[b] / x[a];
      double const by_a = -ratio / x[a];
      double const by_b = 1.0 / x[a];
      double const twice = 2.0 * ratio_weights_[link];
      sum.value += rounded_product(ratio_weights_[link], rounded_product(ratio, ratio));
      sum.slope[a] += rounded_product(rounded_product(twice, ratio), by_a);
      sum.slope[b] += rounded_product(rounded_product(twice, ratio), by_b);
      sum.curvature[a][a] += rounded_product(rounded_product(twice, by_a), by_a);
      sum.curvature[b][b] += rounded_product(rounded_product(twice, by_b), by_b);
      sum.curvature[a][b] += rounded_product(rounded_product(twice, by_a), by_b);
      sum.curvature[b][a] = sum.curvature[a][b];
    }
  }

  std::span<profile_point const> points_;
  std::array<bool, 7> fixed_;
  std::array<double, 2> ratio_weights_;
};

}  // namespace detail
BERTH_NAMESPACE_END
