// SPDX-License-Identifier: BSL-1.0
// Single calls, measured by Google Benchmark: what a host pays for one submit, report, question or
// tick, and what the small solvers inside a tick cost. Every benchmark checks its answer.
#include <berth/berth.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace std::chrono_literals;

/// A cluster of 8-GPU nodes of which nine in ten are full, under tiresias.
class full_cluster {
 public:
  explicit full_cluster(std::int32_t nodes)
      : made_{berth::presets::tiresias(berth::cluster::uniform(nodes, 8).value(), limits(nodes))} {
    for (std::int32_t i = 0; i < nodes * 9 / 10; ++i) {
      static_cast<void>(made_.value().submit({.gang = 8, .work = 1h}, now));
    }
    for (int i = 0; i < 2; ++i) {
      std::vector<berth::job_id> started;
      for (berth::action const& each : made_.value().tick(now)) {
        started.push_back(each.job);
      }
      for (berth::job_id const job : started) {
        static_cast<void>(made_.value().report(job, berth::started{}, now));
      }
    }
  }
  auto& scheduler() { return made_.value(); }
  berth::time_point now{};

 private:
  static berth::scheduler_config limits(std::int32_t nodes) {
    berth::scheduler_config config;
    config.max_jobs = static_cast<std::uint32_t>(2 * nodes);
    config.max_nodes = static_cast<std::uint32_t>(nodes);
    config.max_gpus = static_cast<std::uint32_t>(8 * nodes);
    return config;
  }
  decltype(berth::presets::tiresias(berth::cluster{}, berth::scheduler_config{})) made_;
};

void submit_and_cancel(benchmark::State& state) {
  full_cluster host{static_cast<std::int32_t>(state.range(0))};
  for (auto _ : state) {
    auto const job = host.scheduler().submit({.gang = 4, .work = 1h}, host.now);
    if (!job || !host.scheduler().cancel(job.value(), host.now)) {
      state.SkipWithError("a call was refused");
      break;
    }
  }
}

/// submit, the tick that starts it, started, complete, and the tick that sees it gone.
void life_of_a_job(benchmark::State& state) {
  full_cluster host{static_cast<std::int32_t>(state.range(0))};
  for (auto _ : state) {
    host.now += 1s;
    auto const job = host.scheduler().submit({.gang = 4, .work = 1h}, host.now);
    if (host.scheduler().tick(host.now).size() != 1) {
      state.SkipWithError("it did not start");
      break;
    }
    static_cast<void>(host.scheduler().report(job.value(), berth::started{}, host.now));
    static_cast<void>(host.scheduler().complete(job.value(), host.now));
    benchmark::DoNotOptimize(host.scheduler().tick(host.now).size());
  }
}

void idle_tick(benchmark::State& state) {
  full_cluster host{static_cast<std::int32_t>(state.range(0))};
  static_cast<void>(host.scheduler().tick(host.now));
  for (auto _ : state) {
    if (!host.scheduler().tick(host.now).is_idle()) {
      state.SkipWithError("something was looked at");
      break;
    }
  }
}

void why_waiting(benchmark::State& state) {
  full_cluster host{static_cast<std::int32_t>(state.range(0))};
  auto const job =
      host.scheduler().submit({.gang = static_cast<std::int32_t>(8 * state.range(0))}, host.now);
  static_cast<void>(host.scheduler().tick(host.now));
  for (auto _ : state) {
    if (host.scheduler().why_waiting(job.value()).value() == berth::wait_reason::none) {
      state.SkipWithError("it does not wait");
      break;
    }
  }
}

/// The cheapest of eight holders that leave four GPUs: once per node that a tick prices.
void cover(benchmark::State& state) {
  std::vector<berth::cover_item<berth::gpu_time>> items;
  for (std::int32_t i = 0; i < 8; ++i) {
    items.push_back({1 + i % 3, berth::gpu_time{1000 + 37 * ((5 * i) % 8)}});
  }
  berth::cover_workspace<berth::gpu_time> memory{items.size(), 8};
  for (auto _ : state) {
    auto const status = berth::cover_knapsack{}.solve({items, 4}, memory);
    if (status != berth::solve_status::optimal) {
      state.SkipWithError("no optimum");
      break;
    }
    benchmark::DoNotOptimize(memory.solution().total);
  }
}

/// Elastic jobs with concave ladders of 8 sizes each share a cluster.
void share_out(benchmark::State& state) {
  auto const jobs = static_cast<std::size_t>(state.range(0));
  berth::random_source random{3};
  std::vector<berth::choice_option<berth::gpu_time>> options;
  std::vector<std::uint32_t> const count(jobs, 8);
  for (std::size_t j = 0; j < jobs; ++j) {
    std::int64_t gain = 1'000'000 + static_cast<std::int64_t>(random.below(1'000'000));
    std::int64_t value = 0;
    for (std::int32_t size = 0; size < 8; ++size) {
      options.push_back({size, berth::gpu_time{value}});
      value += gain;
      gain = gain * 3 / 4;
    }
  }
  auto const capacity = static_cast<std::int32_t>(3 * jobs);
  berth::choice_workspace<berth::gpu_time> memory;
  memory.reserve_concave(jobs);
  for (auto _ : state) {
    auto const status = berth::choice_knapsack{}.solve({options, count, capacity}, memory);
    if (status != berth::solve_status::optimal || memory.solution().size > capacity) {
      state.SkipWithError("no optimum");
      break;
    }
  }
}

BENCHMARK(submit_and_cancel)->Arg(250)->Arg(12'500);
BENCHMARK(life_of_a_job)->Arg(250)->Arg(12'500);
BENCHMARK(idle_tick)->Arg(12'500);
BENCHMARK(why_waiting)->Arg(12'500);
BENCHMARK(cover);
BENCHMARK(share_out)->Arg(100)->Arg(2'000);

}  // namespace

BENCHMARK_MAIN();
