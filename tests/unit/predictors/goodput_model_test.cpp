// SPDX-License-Identifier: BSL-1.0
// Throughput, efficiency and the best batch size. Golden numbers are those of the specification of
// DeepBoot's simulator (deepboot-vectors.json: model, speedup_base_1gpu), made with its own code.
#include <berth/core/fixed_math.hpp>
#include <berth/core/random.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/goodput_batch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace goodput_model_test {

using namespace berth;

namespace {

constexpr goodput_parameters golden_steps{0.1, 0.01, 0.5, 0.02, 0.1, 0.005, 1.5};
constexpr gradient_noise golden_noise{1.0, 10.0, 128};
constexpr batch_limits golden_limits{128, 4096, 32, 1024};

bool agrees(double a, double b, double relative) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}
double uniform(random_source& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.below(1'000'001)) / 1e6;
}
std::int32_t whole(random_source& random, std::int32_t low, std::int32_t high) {
  return low + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(high - low) + 1));
}

/// The published formulas, with the standard library's functions.
double plain_goodput(goodput_parameters const& p, gradient_noise const& noise, double gpus,
                     bool network, double local, double accumulation) {
  double const compute = p.alpha_compute + p.beta_compute * local;
  double const sync = gpus < 2.0 ? 0.0
                      : network  ? p.alpha_network + p.beta_network * (gpus - 2.0)
                                 : p.alpha_local + p.beta_local * (gpus - 2.0);
  double const step = std::pow(std::pow(compute, p.gamma) + std::pow(sync, p.gamma), 1.0 / p.gamma);
  double const batch = gpus * local * (accumulation + 1.0);
  double const scale = batch / noise.initial_batch;
  double const gain = (noise.variance + noise.square) / (noise.variance / scale + noise.square);
  return batch / (accumulation * compute + step) * gain / scale;
}

}  // namespace

TEST_SUITE("goodput_model") {
  TEST_CASE("logarithm and exponential have the same bits everywhere") {
    std::uint64_t bits = 0;
    for (int i = 1; i <= 1000; ++i) {
      double const x = i / 64.0;
      bits = std::rotl(bits, 7) ^ std::bit_cast<std::uint64_t>(detail::fixed_log(x)) ^
             std::bit_cast<std::uint64_t>(detail::fixed_exp(x - 8.0)) ^
             std::bit_cast<std::uint64_t>(goodput(golden_steps, golden_noise, {8, 2, i}, i % 3));
    }
    CHECK(bits == 14022665271553668813u);
  }

  TEST_CASE("throughput is as published") {
    struct row {
      configuration where;
      std::int32_t accumulation;
      double samples_per_second;
    };
    for (row const& each :
         {row{{1, 1, 128}, 0, 92.75362318836764}, row{{1, 1, 64}, 1, 86.48648648644121},
          row{{4, 1, 32}, 0, 280.24849344811435}, row{{8, 2, 32}, 0, 307.29323189175705},
          row{{16, 4, 32}, 2, 846.8062220898762}, row{{2, 2, 64}, 0, 128.84962257911576}}) {
      CAPTURE(each.where.gpus);
      CHECK(agrees(golden_steps.throughput(each.where, each.accumulation), each.samples_per_second,
                   1e-9));
    }
  }
  TEST_CASE("efficiency is as published") {
    CHECK(golden_noise.efficiency(128) == 1.0);
    CHECK(agrees(golden_noise.efficiency(256), 0.9166666666666666, 1e-15));
    CHECK(agrees(golden_noise.efficiency(1024), 0.6111111111111112, 1e-15));
    CHECK(agrees(golden_noise.efficiency(4096), 0.2619047619047619, 1e-15));
  }
  TEST_CASE("goodput is throughput times efficiency") {
    random_source random{3};
    for (int i = 0; i < 2000; ++i) {
      goodput_parameters const steps{uniform(random, 1e-3, 1),   uniform(random, 1e-5, 0.1),
                                     uniform(random, 1e-8, 2),   uniform(random, 1e-8, 1),
                                     uniform(random, 1e-8, 0.1), uniform(random, 1e-8, 0.1),
                                     uniform(random, 1, 10)};
      gradient_noise const noise{uniform(random, 0.1, 9), uniform(random, 0, 99), 32};
      configuration const where{whole(random, 1, 99), 1 + whole(random, 0, 1),
                                whole(random, 1, 999)};
      std::int32_t const accumulation = whole(random, 0, 9);
      double const batch = 1.0 * where.gpus * where.batch_size * (accumulation + 1);
      double const found = goodput(steps, noise, where, accumulation);
      CHECK(agrees(found, steps.throughput(where, accumulation) * noise.efficiency(batch), 1e-13));
      CHECK(agrees(
          found,
          plain_goodput(steps, noise, where.gpus, where.nodes > 1, where.batch_size, accumulation),
          1e-12));
    }
  }
  TEST_CASE("a step lies between the longer of its parts and their sum") {
    for (double const sync : {1e-9, 1e-3, 0.4, 1.0, 7.0, 1e6}) {
      double last = 1.0 + sync;
      CHECK(agrees(overlapped_step::of(1.0, sync, 1.0).time, last, 1e-15));
      for (double const gamma : {1.5, 2.0, 5.0, 10.0}) {
        overlapped_step const step = overlapped_step::of(1.0, sync, gamma);
        CHECK(step.time <= last);
        CHECK(step.time >= std::max(1.0, sync));
        last = step.time;
      }
    }
  }
  TEST_CASE("the slopes of a step are those of its differences") {
    for (double const sync : {0.01, 0.5, 1.0, 3.0}) {
      for (double const gamma : {1.1, 2.0, 6.0}) {
        double const h = 1e-6;
        overlapped_step const step = overlapped_step::of(1.0, sync, gamma);
        auto const log_time = [&](double compute, double exponent) {
          return std::log(overlapped_step::of(compute, sync, exponent).time);
        };
        double const by_compute = (log_time(1.0 + h, gamma) - log_time(1.0 - h, gamma)) / (2 * h);
        double const by_gamma = (log_time(1.0, gamma + h) - log_time(1.0, gamma - h)) / (2 * h);
        CHECK(std::abs(step.compute_share - by_compute) < 1e-8);
        CHECK(std::abs(step.gamma_slope - by_gamma) < 1e-8);
      }
    }
  }
  TEST_CASE("a sample is worth less the larger the batch, and an iteration more") {
    for (double batch = 128; batch < 1e9; batch *= 1.5) {
      CHECK(golden_noise.efficiency(batch * 1.5) < golden_noise.efficiency(batch));
      CHECK(golden_noise.gain(batch * 1.5) > golden_noise.gain(batch));
      CHECK(golden_noise.gain(batch) < 11.0);
    }
    gradient_noise const noiseless{1.0, 0.0, 128};
    CHECK(noiseless.gain(4096) == 1.0);
    gradient_noise const only_noise{0.0, 5.0, 128};
    CHECK(only_noise.efficiency(4096) == 1.0);
    gradient_noise const nothing{0.0, 0.0, 128};
    CHECK(nothing.gain(4096) == 1.0);
  }
}

TEST_SUITE("goodput_batch") {
  TEST_CASE("the best batch is at least as good as that of the published search") {
    struct row {
      std::int32_t nodes;
      std::int32_t gpus;
      double goodput;
    };
    for (row const& each :
         {row{1, 1, 92.75362318836764}, row{1, 2, 170.0298398398179}, row{1, 4, 305.6129305991111},
          row{2, 8, 389.25672157101474}, row{4, 16, 527.3029232135108},
          row{16, 64, 523.6986635327542}, row{1, 32, 1159.2781004658716}}) {
      CAPTURE(each.gpus);
      batch_choice const best =
          best_batch(golden_steps, golden_noise, golden_limits, each.gpus, each.nodes);
      CHECK(best.goodput >= each.goodput * (1.0 - 1e-12));
      CHECK(best.goodput <= each.goodput * 1.001);  // 50 batch sizes are not so bad
    }
  }
  TEST_CASE("speed-ups are as published, as far as its search goes") {
    struct row {
      std::int32_t nodes;
      std::int32_t gpus;
      double speedup;
    };
    double const base = best_batch(golden_steps, golden_noise, golden_limits, 1, 1).goodput;
    for (row const& each :
         {row{1, 1, 1.0}, row{1, 2, 1.8331342107737907}, row{1, 4, 3.294889408023022},
          row{2, 8, 4.196674029439229}, row{4, 16, 5.684984640898001},
          row{8, 32, 6.370631456535823}, row{16, 64, 5.646126216214828}}) {
      CAPTURE(each.gpus);
      double const found =
          best_batch(golden_steps, golden_noise, golden_limits, each.gpus, each.nodes).goodput /
          base;
      CHECK(found >= each.speedup * (1.0 - 1e-12));
      CHECK(found <= each.speedup * 1.001);
    }
  }
  TEST_CASE("a single GPU accumulates above the initial batch size") {
    // Steps that cost next to nothing per sample: a large batch is better, were it allowed.
    goodput_parameters const steps{1.0, 1e-8, 1e-8, 1e-8, 1e-8, 1e-8, 1.0};
    batch_choice const best = best_batch(steps, golden_noise, golden_limits, 1, 1);
    CHECK(best.accumulation == 1);
    CHECK(best.local_batch * 2 > 128);
    CHECK(best_batch(steps, golden_noise, golden_limits, 2, 1).accumulation == 0);
    batch_limits limits = golden_limits;
    limits.max_accumulation = 0;
    CHECK(best_batch(steps, golden_noise, limits, 1, 1) ==
          batch_choice{128, 0, goodput(steps, golden_noise, {1, 1, 128}, 0)});
  }
  TEST_CASE("it is the best of all batch sizes and accumulations") {
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
      CAPTURE(seed);
      random_source random{seed};
      goodput_parameters const steps{std::exp(uniform(random, -9, 1)),
                                     std::exp(uniform(random, -12, 0)),
                                     std::exp(uniform(random, -9, 2)),
                                     std::exp(uniform(random, -12, 0)),
                                     std::exp(uniform(random, -9, 1)),
                                     std::exp(uniform(random, -12, 0)),
                                     uniform(random, 1, 10)};
      batch_limits limits;
      limits.initial_batch = whole(random, 1, 200);
      limits.max_batch = limits.initial_batch + whole(random, 0, 400);
      limits.min_local = whole(random, 1, 12);
      limits.max_local = limits.min_local + whole(random, 0, 40);
      gradient_noise const noise{uniform(random, 0, 5), std::exp(uniform(random, -6, 9)),
                                 limits.initial_batch};
      std::int32_t const gpus = random.below(3) == 0 ? 1 : whole(random, 2, 24);
      std::int32_t const nodes = std::min(gpus, whole(random, 1, 2));
      double most = 0.0;
      std::int32_t largest_below = 0;
      for (std::int32_t local = limits.min_local; local <= limits.max_local; ++local) {
        for (std::int32_t k = 0; k <= limits.max_accumulation; ++k) {
          std::int32_t const batch = gpus * local * (k + 1);
          bool const measurable = gpus > 1 || k > 0 || batch <= limits.initial_batch;
          if (batch <= limits.max_batch && batch < limits.initial_batch) {
            largest_below = std::max(largest_below, batch);
          }
          if (batch >= limits.initial_batch && batch <= limits.max_batch && measurable) {
            most = std::max(most, plain_goodput(steps, noise, gpus, nodes > 1, local, k));
          }
        }
      }
      batch_choice const best = best_batch(steps, noise, limits, gpus, nodes);
      std::int32_t const batch = gpus * best.local_batch * (best.accumulation + 1);
      CHECK(batch <= limits.max_batch);
      if (most > 0.0) {
        CHECK(agrees(best.goodput, most, 1e-11));
        CHECK(batch >= limits.initial_batch);
        CHECK((gpus > 1 || best.accumulation > 0 || batch <= limits.initial_batch));
      } else if (best.goodput > 0.0) {
        CHECK(batch < limits.initial_batch);
        CHECK(batch <= largest_below);
      } else {
        CHECK(best == batch_choice{});
      }
      if (best.local_batch != 0) {
        CHECK(best.local_batch >= limits.min_local);
        CHECK(best.local_batch <= limits.max_local);
        CHECK(agrees(
            best.goodput,
            plain_goodput(steps, noise, gpus, nodes > 1, best.local_batch, best.accumulation),
            1e-11));
      }
    }
  }
  TEST_CASE("a fixed batch size that the GPUs do not divide is rounded down, not given up") {
    batch_limits const fixed{128, 128, 1, 128};
    CHECK(best_batch(golden_steps, golden_noise, fixed, 7, 1).local_batch == 18);
    CHECK(best_batch(golden_steps, golden_noise, fixed, 8, 1).local_batch == 16);
  }
  TEST_CASE("a single GPU that could only run more than the initial batch at once runs nothing") {
    CHECK(best_batch(golden_steps, {1.0, 1.0, 5}, {5, 7, 6, 7}, 1, 1) == batch_choice{});
    CHECK(best_batch(golden_steps, {1.0, 1.0, 5}, {5, 12, 6, 7}, 1, 1).accumulation == 1);
  }
  TEST_CASE("more GPUs than smallest batches run nothing") {
    CHECK(golden_limits.max_gpus() == 128);
    CHECK(best_batch(golden_steps, golden_noise, golden_limits, 129, 33) == batch_choice{});
    CHECK(best_batch(golden_steps, golden_noise, golden_limits, 128, 32).local_batch == 32);
  }
  TEST_CASE("huge limits and extreme parameters give a finite answer in bounded work") {
    std::int32_t const huge = std::numeric_limits<std::int32_t>::max();
    for (double const noise : {0.0, 1e-30, 1.0, 1e30}) {
      for (double const time : {1e-8, 1.0, 1e9}) {
        for (std::int32_t const gpus : {1, 2, 1000, huge}) {
          goodput_parameters const steps{time, 1e-8, 1e-8, 1e9, 1e9, 1e-8, 10.0};
          batch_limits const limits{1, huge, 1, huge, 1023};
          batch_limits const narrow{huge, huge, 1, 1, 1023};
          for (batch_limits const& each : {limits, narrow}) {
            batch_choice const best =
                best_batch(steps, {1.0, noise, each.initial_batch}, each, gpus, 1);
            CHECK(best.goodput >= 0.0);
            CHECK(std::isfinite(best.goodput));
          }
        }
      }
    }
  }
  TEST_CASE("limits that contradict themselves are refused") {
    CHECK(check_limits(golden_limits).has_value());
    CHECK(check_limits({0, 1, 1, 1}).error() == error{errc::zero_or_negative, field::batch_size});
    CHECK(check_limits({1, 1, 0, 1}).error() == error{errc::zero_or_negative, field::batch_size});
    CHECK(check_limits({2, 1, 1, 1}).error() == error{errc::inconsistent, field::batch_size});
    CHECK(check_limits({1, 1, 2, 1}).error() == error{errc::inconsistent, field::batch_size});
    CHECK(check_limits({1, 1, 1, 1, 1024}).error() == error{errc::bad_number, field::batch_size});
    CHECK(check_limits({1, 1, 1, 1, -1}).error() == error{errc::bad_number, field::batch_size});
  }
}

}  // namespace goodput_model_test
