// SPDX-License-Identifier: BSL-1.0
// The batch size with which a job makes the most of its GPUs.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/core/result.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/step_time.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// What a job allows. `max_accumulation` is ours: it bounds the work, and at its default holds for
/// every job of the published workloads.
struct batch_limits {
  std::int32_t initial_batch = 1;  ///< in all, what its owner chose; smaller ones are not tried
  std::int32_t max_batch = 1;      ///< in all
  std::int32_t min_local = 1;      ///< per GPU and pass
  std::int32_t max_local = 1;      ///< per GPU and pass: what its memory holds
  std::int32_t max_accumulation = 255;

  /// More cannot each have their smallest batch.
  [[nodiscard]] constexpr std::int32_t max_gpus() const noexcept { return max_batch / min_local; }
  friend constexpr bool operator==(batch_limits const&, batch_limits const&) noexcept = default;
};

/// Errors: zero_or_negative, or inconsistent if a minimum is above its maximum, both with
/// batch_size; bad_number if max_accumulation is not from 0 to 1023.
[[nodiscard]] constexpr result<void> check_limits(batch_limits const& limits) noexcept {
  if (limits.initial_batch <= 0 || limits.min_local <= 0) {
    return error{errc::zero_or_negative, field::batch_size};
  }
  if (limits.max_batch < limits.initial_batch || limits.max_local < limits.min_local) {
    return error{errc::inconsistent, field::batch_size};
  }
  if (limits.max_accumulation < 0 || limits.max_accumulation > 1023) {
    return error{errc::bad_number, field::batch_size};
  }
  return {};
}

/// How to run. All 0: the job cannot run on so many GPUs within its limits.
struct batch_choice {
  std::int32_t local_batch = 0;   ///< per GPU and pass
  std::int32_t accumulation = 0;  ///< passes before the one that synchronises
  double goodput = 0.0;           ///< in samples per second at the initial batch size
  friend constexpr bool operator==(batch_choice const&, batch_choice const&) noexcept = default;
};

namespace detail {

/// The best local batch of `low` to `high` with so many passes. The gain is concave in the batch
/// and the time of an iteration convex, so goodput rises and then falls: halving finds the top.
/// The smaller on a tie. O(log(high - low)).
[[nodiscard]] inline batch_choice best_local(goodput_parameters const& steps,
                                             gradient_noise const& noise, configuration where,
                                             std::int32_t accumulation, std::int32_t low,
                                             std::int32_t high) noexcept {
  auto const at = [&](std::int32_t local) {
    where.batch_size = local;
    return goodput(steps, noise, where, accumulation);
  };
  while (low < high) {
    std::int32_t const middle = low + (high - low) / 2;
    if (at(middle) < at(middle + 1)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, accumulation, at(low)};
}

/// No goodput with `accumulation` or more passes without synchronising is above this: as if steps
/// took no longer than computing, at the best of all batch sizes up to `max_local` per GPU.
[[nodiscard]] inline double goodput_bound(goodput_parameters const& steps,
                                          gradient_noise const& noise, std::int32_t gpus,
                                          std::int32_t accumulation,
                                          std::int32_t max_local) noexcept {
  double const fixed = rounded_product(accumulation + 1.0, steps.alpha_compute);
  double const per_sample = steps.beta_compute;
  double const initial = noise.initial_batch;
  if (!(noise.variance > 0.0)) {
    return initial / fixed;
  }
  // gain / (fixed + per_sample · local) is largest where its two sums have grown alike.
  double local = max_local;
  double const falling =
      rounded_product(rounded_product(noise.square, per_sample), static_cast<double>(gpus));
  if (falling > 0.0) {
    double const rising = rounded_product(rounded_product(noise.variance, fixed), initial);
    local = std::min(local, std::sqrt(rising / falling));
  }
  double const gain = noise.gain(rounded_product(local, gpus));
  return rounded_product(initial, gain) / (fixed + rounded_product(per_sample, local));
}

}  // namespace detail

/// The local batch and accumulation with the largest goodput on so many GPUs and nodes: exactly,
/// where Pollux tries 50 total batch sizes (§3.3). The total is from the initial to the maximal
/// batch size; if rounding to a multiple of the GPUs leaves none, the largest below. A single GPU
/// accumulates at least once above the initial batch size, or it could not measure the noise. The
/// fewest passes, then the smallest batch, on a tie. Preconditions: check_limits(limits), gpus and
/// nodes > 0, noise.initial_batch == limits.initial_batch. O(passes · log max_local); passes that
/// cannot pay are not tried.
[[nodiscard]] inline batch_choice best_batch(goodput_parameters const& steps,
                                             gradient_noise const& noise,
                                             batch_limits const& limits, std::int32_t gpus,
                                             std::int32_t nodes) noexcept {
  configuration const where{gpus, nodes, 0};
  std::int32_t const most = limits.max_batch / gpus;  // per GPU and iteration
  if (most < limits.min_local) {
    return {};
  }
  std::int32_t const least = (limits.initial_batch - 1) / gpus + 1;
  batch_choice best{};
  for (std::int32_t passes = 1; passes <= limits.max_accumulation + 1; ++passes) {
    bool const initial_only = gpus == 1 && passes == 1;
    std::int32_t const high =
        std::min({limits.max_local, most / passes, initial_only ? limits.initial_batch : most});
    std::int32_t const low = std::max(limits.min_local, (least - 1) / passes + 1);
    if (most / passes < limits.min_local ||
        detail::goodput_bound(steps, noise, gpus, passes - 1, most) <= best.goodput) {
      break;
    }
    if (low <= high) {
      batch_choice const found = detail::best_local(steps, noise, where, passes - 1, low, high);
      best = found.goodput > best.goodput ? found : best;
    }
  }
  if (best.local_batch == 0) {
    std::int32_t const passes = (most - 1) / limits.max_local + 1;
    std::int32_t const local = most / passes;
    if (local >= limits.min_local && passes <= limits.max_accumulation + 1 &&
        local * passes < least) {
      best = detail::best_local(steps, noise, where, passes - 1, local, local);
    }
  }
  return best;
}

BERTH_NAMESPACE_END
