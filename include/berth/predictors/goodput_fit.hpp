// SPDX-License-Identifier: BSL-1.0
// The seven numbers of a job's steps from measured ones.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/core/result.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/goodput_descent.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Longest step that a profile may hold, about 12 days.
inline constexpr std::chrono::nanoseconds max_profiled_step{std::int64_t{1} << 50};

/// Errors: zero_or_negative with gpus, node, batch_size; inconsistent with node if there are more
/// of them than GPUs; bad_number with iteration if a time is not from 1 ns to max_profiled_step.
[[nodiscard]] constexpr result<void> check_point(profile_point const& seen) noexcept {
  if (seen.where.gpus <= 0) {
    return error{errc::zero_or_negative, field::gpus};
  }
  if (seen.where.nodes <= 0) {
    return error{errc::zero_or_negative, field::node};
  }
  if (seen.where.nodes > seen.where.gpus) {
    return error{errc::inconsistent, field::node};
  }
  if (seen.where.batch_size <= 0) {
    return error{errc::zero_or_negative, field::batch_size};
  }
  for (auto const time : {seen.compute, seen.step}) {
    if (time <= std::chrono::nanoseconds{0} || time > max_profiled_step) {
      return error{errc::bad_number, field::iteration};
    }
  }
  return {};
}

namespace detail {

/// What a profile can tell, and the sums from which a descent starts.
struct profile_summary {
  /// Of one kind of link, or of all.
  struct sums {
    double points = 0.0;
    double gpus_beyond_two = 0.0;
    double sync = 0.0;  ///< seconds
  };
  double compute = 0.0;  ///< seconds, mean
  double batch = 0.0;    ///< mean
  double batch_variance = 0.0;
  double covariance = 0.0;  ///< of batch and compute
  bool several_batches = false;
  bool more_than_two_gpus = false;
  sums network{};
  sums local{};

  explicit profile_summary(std::span<profile_point const> points) noexcept {
    auto const count = static_cast<double>(points.size());
    for (profile_point const& seen : points) {
      compute += seconds(seen.compute) / count;
      batch += seen.where.batch_size / count;
    }
    for (profile_point const& seen : points) {
      double const off = seen.where.batch_size - batch;
      batch_variance += rounded_product(off, off);
      covariance += rounded_product(off, seconds(seen.compute) - compute);
      several_batches |= seen.where.batch_size != points.front().where.batch_size;
      more_than_two_gpus |= seen.where.gpus > 2;
      if (seen.where.gpus > 1) {
        sums& link = seen.where.nodes > 1 ? network : local;
        link.points += 1.0;
        link.gpus_beyond_two += seen.where.gpus - 2.0;
        link.sync += std::max(1e-6, seconds(seen.step - seen.compute));
      }
    }
  }
  [[nodiscard]] static double seconds(std::chrono::nanoseconds time) noexcept {
    return static_cast<double>(time.count()) / 1e9;
  }
};

/// A place to start from: the measured means, with a share of the synchronisation, in quarters,
/// that grows with the GPUs.
[[nodiscard]] inline seven measured_start(profile_summary const& seen, int growing,
                                          double gamma) noexcept {
  constexpr double least = goodput_descent::least;
  seven x{};
  x[1] = seen.several_batches ? seen.covariance / seen.batch_variance
                              : seen.compute / 2.0 / seen.batch;
  x[1] = std::clamp(x[1], least, std::max(least, seen.compute / seen.batch));
  x[0] = std::max(least, seen.compute - rounded_product(x[1], seen.batch));
  auto const link = [&](profile_summary::sums const& sums, std::size_t at) {
    if (sums.points > 0.0) {
      double const mean = sums.sync / sums.points;
      x[at] = std::max(least, mean * (4 - growing) / 4);
      x[at + 1] = std::max(least, mean * growing / 4 / (1.0 + sums.gpus_beyond_two / sums.points));
    }
  };
  link(seen.network, 2);
  link(seen.local, 4);
  x[6] = gamma;
  return x;
}

}  // namespace detail

/// An answer of fit_goodput.
struct goodput_fit {
  goodput_parameters parameters{};
  double objective = 0.0;  ///< what was minimised, softened as smooth_norm says
};

/// The parameters with the least
///
///   rms(ln compute: model / seen) + rms(ln step: model / seen)
///     + (gamma - 1)² / 1000 + ((beta_network / alpha_network)² + (beta_local / alpha_local)²) /
///     100
///
/// that Pollux fits (§4.1), within its bounds: alphas and betas from 1e-8, gamma from 1 to 10. What
/// the points cannot tell is taken as (almost) free, so that a job is tried on more GPUs: no point
/// on several nodes, or none on several GPUs of one, or none on more than two GPUs. With one local
/// batch size alone, half of its time counts as fixed. What was never measured between nodes is at
/// least a tenth dearer than within one.
///
/// Several starts, always the same, each descended for some rounds and the best to the end: the
/// problem is not convex. `hint`, an earlier fit, is one more. Precondition: check_point(p) for
/// each point. Without points, the model's defaults. O(points), a few hundred evaluations; no
/// allocation; the same bits on every compiler.
[[nodiscard]] inline goodput_fit fit_goodput(std::span<profile_point const> points,
                                             goodput_parameters const* hint = nullptr) noexcept {
  constexpr double least = detail::goodput_descent::least;
  if (points.empty()) {
    return {};
  }
  detail::profile_summary const seen{points};
  bool const no_network = !(seen.network.points > 0.0);
  bool const no_local = !(seen.local.points > 0.0);
  bool const no_growth = !seen.more_than_two_gpus;
  std::array<bool, 7> const fixed{
      !seen.several_batches, false, no_network, no_network || no_growth, no_local,
      no_local || no_growth, false};
  // Where the network will follow the numbers of one node, so does its share of the objective.
  detail::goodput_descent const descent{
      points, fixed, {no_network ? 0.0 : 0.01, no_network ? 0.02 : 0.01}};
  auto const prepared = [&](detail::seven x) {
    for (std::size_t i = 0; i < 6; ++i) {
      x[i] = fixed[i] ? least : std::max(least, x[i]);
    }
    x[0] = fixed[0] ? std::max(least, seen.compute / 2.0) : x[0];
    return x;
  };
  std::array<detail::seven, 6> starts{
      prepared(goodput_parameters{}.values()),
      prepared(detail::measured_start(seen, 1, 1.001)),
      prepared(detail::measured_start(seen, 4, 1.5)),
      prepared(detail::measured_start(seen, 0, 3.0)),
      prepared(detail::measured_start(seen, 2, 2.0)),
      prepared(hint != nullptr ? hint->values() : goodput_parameters{}.values())};
  std::size_t best = 0;
  double lowest = 0.0;
  for (std::size_t i = 0; i < (hint != nullptr ? 6 : 5); ++i) {
    double const value = descent.descend(starts[i], 30);
    if (i == 0 || value < lowest) {
      best = i;
      lowest = value;
    }
  }
  detail::seven x = starts[best];
  lowest = descent.descend(x, 100);
  if (no_network) {
    x[2] = std::max(x[2], detail::rounded_product(1.1, x[4]));
    x[3] = std::max(x[3], detail::rounded_product(1.1, x[5]));
  }
  return {goodput_parameters::from(x), lowest};
}

BERTH_NAMESPACE_END
