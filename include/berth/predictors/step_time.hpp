// SPDX-License-Identifier: BSL-1.0
// How long a training step takes, by GPUs, nodes and batch size: four unknowns per model.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/predictors/history_fit.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Where and how a job trains.
struct configuration {
  std::int32_t gpus = 1;
  std::int32_t nodes = 1;
  std::int32_t batch_size = 0;  ///< samples per GPU and step
  friend constexpr bool operator==(configuration const&, configuration const&) noexcept = default;
};

/// A measured step.
struct step_observation {
  configuration where;
  double step = 0.0;    ///< milliseconds
  double weight = 1.0;  ///< how much it counts
};

/// A step computes for alpha + beta · batch and communicates for gamma · c, and the two overlap in
/// part. Their sum (schedulers.md A.2) ignores that, their maximum exaggerates it; we take the
/// root of the sum of squares, the norm with exponent 2 of Pollux (Qiao et al., OSDI 2021, §3.2):
///
///   step^2 = (alpha + beta · batch)^2 + (gamma · c)^2 = a + b · batch + d · batch^2 + e · c^2
///
/// which is linear in four unknowns a, b, d, e >= 0, so that four records determine them. [recon]
/// c is the cost of an all-reduce: 0 on one GPU, 2 (g - 1) / g on one node (a ring), and
/// 5/3 · (1 + log2 g) over several: dearer, and growing with the gang; log2 is taken as straight
/// between powers of two. The factor 5/3 is fitted to six measured models, once for all.
class step_time_model {
 public:
  constexpr step_time_model() noexcept = default;
  /// Terms in squared milliseconds; not negative.
  constexpr explicit step_time_model(detail::four const& terms) noexcept : terms_{terms} {}

  /// Least squares of the relative error. Four records with distinct configurations are met exactly
  /// if a model with no negative term does. Relative to what was measured, short steps would pull:
  /// so a second round weighs by what the first one says. O(records).
  [[nodiscard]] static step_time_model fit(std::span<step_observation const> records) noexcept {
    return fit_relative_to(fit_relative_to(step_time_model{}, records), records);
  }

  /// Milliseconds; 0 if nothing was fitted.
  [[nodiscard]] double step(configuration const& where) const noexcept {
    detail::four const factor = factors(where);
    double sum = 0.0;
    for (std::size_t i = 0; i < factor.size(); ++i) {
      sum += detail::rounded_product(terms_[i], factor[i]);
    }
    return std::sqrt(sum);
  }
  [[nodiscard]] constexpr bool is_fitted() const noexcept {
    return terms_[0] > 0.0 || terms_[1] > 0.0 || terms_[2] > 0.0 || terms_[3] > 0.0;
  }
  [[nodiscard]] constexpr detail::four const& terms() const noexcept { return terms_; }

 private:
  [[nodiscard]] static detail::four factors(configuration const& where) noexcept {
    double const batch = where.batch_size;
    double const gpus = where.gpus;
    double c = 0.0;
    if (where.nodes > 1) {
      auto const whole = static_cast<unsigned>(where.gpus);
      int const octave = static_cast<int>(std::bit_width(whole)) - 1;
      double const beyond = gpus / static_cast<double>(1u << static_cast<unsigned>(octave)) - 1.0;
      c = detail::rounded_product(1.0 + octave + beyond, 5.0) / 3.0;
    } else {
      c = detail::rounded_product(2.0, gpus - 1.0) / gpus;
    }
    return {1.0, batch, detail::rounded_product(batch, batch), detail::rounded_product(c, c)};
  }
  /// Each record is divided by the squared step that `reference` expects of it, or by its own.
  [[nodiscard]] static step_time_model fit_relative_to(
      step_time_model const& reference, std::span<step_observation const> records) noexcept {
    auto const unit_of = [&](step_observation const& seen) {
      double const expected = reference.step(seen.where);
      double const step = expected > 0.0 ? expected : seen.step;
      return detail::rounded_product(step, step);
    };
    // Every unknown is scaled to its largest share in a record, or the pivots mean nothing.
    detail::four largest{};
    for (step_observation const& seen : records) {
      detail::four const row = factors(seen.where);
      for (std::size_t i = 0; i < row.size(); ++i) {
        largest[i] = std::max(largest[i], row[i] / unit_of(seen));
      }
    }
    detail::nonnegative_fit sums;
    for (step_observation const& seen : records) {
      detail::four row = factors(seen.where);
      double const unit = unit_of(seen);
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = largest[i] > 0.0 ? row[i] / unit / largest[i] : 0.0;
      }
      sums.add(row, detail::rounded_product(seen.step, seen.step) / unit, seen.weight);
    }
    detail::four terms = sums.solve();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      terms[i] = largest[i] > 0.0 ? terms[i] / largest[i] : 0.0;
    }
    return step_time_model{terms};
  }

  detail::four terms_{};
};

BERTH_NAMESPACE_END
