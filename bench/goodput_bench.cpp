// SPDX-License-Identifier: BSL-1.0
// How long it takes to fit a job's goodput as its profile grows, and to ask its table of speed-ups.
// Exit status 1 if the fit is far from the model that made the profile.
#include <berth/core/random.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/speedup_table.hpp>

#include <bench/support/thread_clock.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

constexpr berth::goodput_parameters truth{0.05, 0.0006, 0.2, 0.004, 0.02, 0.001, 1.4};
constexpr std::int32_t gpus_per_node = 4;
constexpr std::int32_t max_gpus = 64;

std::int32_t nodes_for(std::int32_t gpus) {
  return (gpus - 1) / gpus_per_node + 1;
}

/// A step of the truth, each of its times off by up to 5 %.
berth::profile_point measure(berth::random_source& random, std::int32_t gpus, std::int32_t batch) {
  berth::configuration const where{gpus, nodes_for(gpus), batch};
  auto const noisy = [&](double seconds) {
    return std::chrono::nanoseconds{std::llround(seconds * (0.95 + 0.1 * random.unit()) * 1e9)};
  };
  auto const compute = noisy(truth.compute_time(batch));
  return {where, compute, std::max(compute, noisy(truth.step(where).time))};
}

template <class Work>
double microseconds_taken(Work work) {
  double const begin = berth_bench::thread_microseconds();
  work();
  return berth_bench::thread_microseconds() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  std::string json_file;
  CLI::App options{"Fits of a growing profile, and a table of speed-ups"};
  options.add_option("--json", json_file, "also write the figures here");
  CLI11_PARSE(options, argc, argv);

  berth::random_source random{1};
  berth::speedup_table table{{128, 4096, 32, 1024}, max_gpus};
  table.set_noise({1.0, 10.0, 128}).value();
  nlohmann::json rows;
  bool holds = true;
  int points = 0;
  fmt::print("{:>6}  {:>9}  {:>12}  {:>9}  {:>12}\n", "points", "fit, us", "64 asked, us",
             "again, ns", "worst, %");
  for (std::int32_t const gpus : {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64}) {
    double fit = 0.0;
    for (std::int32_t const batch : {32, 64, 128, 256}) {
      berth::profile_point const seen = measure(random, gpus, batch);
      fit = microseconds_taken([&] { holds = table.add(seen).value() && holds; });
      ++points;
    }
    std::int64_t sum = 0;
    auto const ask_all = [&] {
      for (std::int32_t size = 1; size <= max_gpus; ++size) {
        sum += table.speedup(size, nodes_for(size));
      }
    };
    double const first = microseconds_taken(ask_all);
    constexpr int rounds = 1000;
    double const again = microseconds_taken([&] {
      for (int round = 0; round < rounds; ++round) {
        ask_all();
      }
    });
    double worst = 0.0;  // where it was profiled
    for (std::int32_t size = 1; size <= gpus; ++size) {
      berth::configuration const where{size, nodes_for(size), 96};
      double const ratio = table.parameters().step(where).time / truth.step(where).time;
      worst = std::max(worst, std::abs(ratio - 1.0));
    }
    holds = holds && worst < 0.1 && sum > 0;
    double const each = 1000.0 * again / rounds / max_gpus;
    fmt::print("{:6}  {:9.0f}  {:12.0f}  {:9.1f}  {:12.1f}\n", points, fit, first, each,
               100.0 * worst);
    rows.push_back({{"points", points},
                    {"fit_us", fit},
                    {"first_us", first},
                    {"again_ns", each},
                    {"worst_error", worst}});
  }
  if (!json_file.empty()) {
    std::ofstream{json_file} << nlohmann::json{{"rows", rows}}.dump(2) << '\n';
  }
  return holds ? 0 : 1;
}
