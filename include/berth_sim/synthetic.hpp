// SPDX-License-Identifier: BSL-1.0
// Seeded workloads that need no file. All arithmetic is on integers: the same options give the same
// jobs on every platform, bit for bit.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/detail/arrivals.hpp>
#include <berth_sim/detail/fixed_exp.hpp>
#include <berth_sim/workload.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct philly_like_options {
  std::size_t jobs = 1000;
  std::uint64_t seed = 1;
  /// GPU-time submitted ÷ GPU-time of the cluster while jobs arrive.
  std::int32_t load_percent = 90;
  std::int32_t gpus = 512;      ///< of the cluster the load is meant for
  std::int32_t max_gang = 128;  ///< larger sizes are not drawn; nor are sizes above `gpus`
};

struct log_normal_options {
  std::size_t jobs = 800;
  std::uint64_t seed = 1;
  std::int32_t load_percent = 90;
  std::int32_t gpus = 64;
  duration median_work = std::chrono::minutes{30};
  /// Of ln(work): with the median above, a mean of about 2.1 h.
  std::int32_t sigma_permille = 1700;
  duration mean_epoch = std::chrono::seconds{600};
};

namespace detail {

struct size_weight {
  std::int32_t gpus;
  std::uint64_t weight;
};

/// Jobs of each size in the 82,247 of the published trace.
inline constexpr std::array philly_sizes{
    size_weight{1, 76627}, size_weight{2, 1818}, size_weight{4, 1870}, size_weight{8, 1643},
    size_weight{12, 7},    size_weight{16, 199}, size_weight{24, 7},   size_weight{32, 67},
    size_weight{64, 6},    size_weight{128, 3}};

/// Where the quantiles below stand, per ten thousand.
inline constexpr std::array<std::int64_t, 20> quantile_at{0,    100,  500,  1000, 2000, 3000, 4000,
                                                          5000, 6000, 7000, 8000, 8500, 9000, 9500,
                                                          9700, 9800, 9900, 9950, 9990, 10000};
using quantiles = std::array<std::int64_t, 20>;

/// Run times in seconds: quantiles of the published trace for 1, 2, 4, 8 and more GPUs (facts about
/// data under CC-BY-4.0: Jeon et al., ATC 2019).
inline constexpr std::array<quantiles, 5> philly_work{
    quantiles{1,    30,   52,   62,    76,    215,   600,    1117,   1728,   2464,
              3754, 5342, 8512, 19137, 44246, 68259, 135404, 266986, 868927, 3256045},
    quantiles{2,   5,     9,     11,     15,     17,     19,     21,     25,      33,
              150, 22366, 73625, 197392, 268985, 343945, 526030, 810065, 1521148, 2582803},
    quantiles{3,      35,     75,     136,    400,    1695,   7457,   17388,   36253,   78636,
              106275, 151663, 184426, 274339, 449510, 536225, 908661, 1213031, 2641566, 2750674},
    quantiles{1,      33,     125,    216,    783,    3940,   12390,   23683,   64753,   140815,
              203140, 242280, 352409, 525631, 670069, 807057, 1066894, 2010727, 2658784, 4628226},
    quantiles{1,      2,      35,     69,     345,    880,    3165,    21137,   53862,   73728,
              159985, 181596, 252560, 446126, 522661, 622377, 1152387, 1369876, 1710643, 1710643}};

template <std::size_t Count>
[[nodiscard]] std::int32_t draw_size(std::array<size_weight, Count> const& sizes,
                                     std::int32_t largest, random_source& random) noexcept {
  std::uint64_t sum = 0;
  for (size_weight const& each : sizes) {
    sum += each.gpus <= largest ? each.weight : 0;
  }
  std::uint64_t left = random.below(sum);
  for (size_weight const& each : sizes) {
    std::uint64_t const weight = each.gpus <= largest ? each.weight : 0;
    if (left < weight) {
      return each.gpus;
    }
    left -= weight;
  }
  return 1;
}

/// Inverse of the piecewise linear distribution through `knots`; between two of them the lower part
/// is preferred by squaring the fraction, because the density of run times falls.
[[nodiscard]] inline duration draw_work(quantiles const& knots, random_source& random) noexcept {
  constexpr std::int64_t step = 1000;
  std::int64_t const at = random.between(0, 10000 * step - 1);
  std::size_t upper = 1;
  while (at >= quantile_at[upper] * step) {
    ++upper;
  }
  std::int64_t const width = (quantile_at[upper] - quantile_at[upper - 1]) * step;
  std::int64_t const part = at - quantile_at[upper - 1] * step;
  std::int64_t const rise = (knots[upper] - knots[upper - 1]) * 1000;
  // rise < 2^33, part and width ≤ 2^21: the products stay below 2^54.
  std::int64_t const once = rise * part / width;
  return duration{knots[upper - 1] * 1000 + once * part / width};
}

/// Sum of twelve uniform numbers less six, with 32 bits behind the point: mean 0, variance 1, and
/// never beyond ±6, so that no job is absurdly long.
[[nodiscard]] inline std::int64_t draw_normal(random_source& random) noexcept {
  std::int64_t sum = -6 * (std::int64_t{1} << 32);
  for (int term = 0; term < 12; ++term) {
    sum += static_cast<std::int64_t>(random.next() >> 32);
  }
  return sum;
}

[[nodiscard]] inline duration draw_log_normal(duration median, std::int32_t sigma_permille,
                                              random_source& random) noexcept {
  // z · sigma · log2(e) as a 32.32 number; each factor is cut to keep the products within 63 bits.
  std::int64_t const scaled = draw_normal(random) / 1000 * sigma_permille;
  std::int64_t const exponent = (scaled >> 16) * (log2_of_e >> 16);
  constexpr std::int64_t limit = std::int64_t{30} << 32;
  return std::clamp(duration{scaled_exp2(median.count(), std::clamp(exponent, -limit, limit))},
                    duration{1}, max_duration);
}

/// Fields that no public trace has and preemption pricing needs.
inline void add_training_details(job& each, duration mean_epoch, random_source& random) noexcept {
  each.epoch_period = duration{random.between(mean_epoch.count() / 3, mean_epoch.count() * 5 / 3)};
  each.checkpoint_period = each.epoch_period;
  each.checkpoint_bytes = random.between(100, 4000) * 1'000'000;
  each.spread_loss = each.gpus > 1 && random.below(2) == 0
                         ? static_cast<std::int32_t>(random.between(50, 300))
                         : 0;
}

}  // namespace detail

/// Jobs of the published Philly shape: sizes, run times by size (median 19 min, 90 % below 3.1 h,
/// up to 53 days), daily and weekly cycle. They declare no estimate, as in the trace. Options below
/// 1 count as
/// 1. O(n log n).
[[nodiscard]] inline workload philly_like(philly_like_options options = {}) {
  options.load_percent = std::max(options.load_percent, 1);
  options.gpus = std::max(options.gpus, 1);
  std::int32_t const largest = std::max(std::min(options.max_gang, options.gpus), 1);
  random_source random{options.seed};
  workload trace;
  trace.source = "synthetic philly, " + std::to_string(options.jobs) + " jobs, seed " +
                 std::to_string(options.seed);
  trace.jobs.reserve(options.jobs);
  for (std::size_t at = 0; at < options.jobs; ++at) {
    job each;
    each.gpus = detail::draw_size(detail::philly_sizes, largest, random);
    std::size_t const shape = each.gpus == 1   ? 0
                              : each.gpus == 2 ? 1
                              : each.gpus == 4 ? 2
                              : each.gpus == 8 ? 3
                                               : 4;
    each.work = detail::draw_work(detail::philly_work[shape], random);
    detail::add_training_details(each, std::chrono::seconds{600}, random);
    // The smaller of two draws: the first virtual clusters submit the most.
    each.tenant =
        trace.tenants.intern("vc" + std::to_string(std::min(random.below(15), random.below(15))));
    each.line = static_cast<std::uint32_t>(at + 1);
    trace.jobs.push_back(std::move(each));
  }
  detail::place_arrivals(trace, random,
                         detail::span_for_load(trace, options.gpus, options.load_percent), true);
  return trace;
}

/// Jobs with log-normal run times, sizes 1 to 16, epochs around a mean, exact estimates and evenly
/// spread arrivals: a small setting in which the cost of preemption shows. Options below 1 count
/// as 1. O(n log n).
[[nodiscard]] inline workload log_normal(log_normal_options options = {}) {
  constexpr std::array sizes{detail::size_weight{1, 40}, detail::size_weight{2, 20},
                             detail::size_weight{4, 20}, detail::size_weight{8, 15},
                             detail::size_weight{16, 5}};
  options.load_percent = std::max(options.load_percent, 1);
  options.gpus = std::max(options.gpus, 1);
  options.sigma_permille = std::clamp(options.sigma_permille, 0, 10'000);
  options.median_work =
      std::clamp(options.median_work, duration{1}, duration{(std::int64_t{1} << 31) - 1});
  options.mean_epoch = std::clamp(options.mean_epoch, duration{1}, max_duration);
  random_source random{options.seed};
  workload trace;
  trace.source = "synthetic log-normal, " + std::to_string(options.jobs) + " jobs, seed " +
                 std::to_string(options.seed);
  trace.jobs.reserve(options.jobs);
  for (std::size_t at = 0; at < options.jobs; ++at) {
    job each;
    each.gpus = detail::draw_size(sizes, options.gpus, random);
    each.work = detail::draw_log_normal(options.median_work, options.sigma_permille, random);
    each.estimate = each.work;
    detail::add_training_details(each, options.mean_epoch, random);
    each.line = static_cast<std::uint32_t>(at + 1);
    trace.jobs.push_back(std::move(each));
  }
  detail::place_arrivals(trace, random,
                         detail::span_for_load(trace, options.gpus, options.load_percent), false);
  return trace;
}

}  // namespace sim

BERTH_NAMESPACE_END
