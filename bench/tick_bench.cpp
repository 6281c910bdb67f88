// SPDX-License-Identifier: BSL-1.0
// How long a tick takes on a cluster that is 95 % full, with jobs that come and go between ticks.
// Every run also checks the books and compares its decisions with those of a second, equal run.
#include <berth/berth.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace std::chrono_literals;

/// A host that keeps a cluster busy: the same seed gives the same calls.
template <class Scheduler>
class busy_host {
 public:
  explicit busy_host(Scheduler& decider, std::int64_t gpus) : scheduler_{decider} {
    while (load_ < gpus * 95 / 100) {
      submit(std::int64_t{1} << random_.below(4));
    }
    for (std::int64_t waiting = 0; waiting < gpus / 10; ++waiting) {
      submit(16);
    }
    apply(scheduler_.tick(now_));
  }

  /// `changes` jobs end and as many arrive.
  void change(std::int64_t changes) {
    now_ += 1s;
    for (std::int64_t i = 0; i < changes && !running_.empty(); ++i) {
      std::size_t const at = static_cast<std::size_t>(random_.below(running_.size()));
      benchmark::DoNotOptimize(scheduler_.complete(running_[at], now_));
      running_[at] = running_.back();
      running_.pop_back();
      submit(std::int64_t{1} << random_.below(4));
    }
  }
  berth::plan tick() { return scheduler_.tick(now_); }
  void apply(berth::plan const& decided) {
    for (berth::action const& each : decided) {
      each.add_to(decisions_);
      if (each.kind == berth::action_kind::start) {
        benchmark::DoNotOptimize(scheduler_.report(each.job, berth::started{}, now_));
        running_.push_back(each.job);
      }
    }
  }
  std::uint64_t decisions() const { return decisions_.value(); }

 private:
  void submit(std::int64_t gang) {
    load_ += gang;
    benchmark::DoNotOptimize(
        scheduler_.submit({.gang = static_cast<std::int32_t>(gang), .work = 1h}, now_));
  }
  Scheduler& scheduler_;
  berth::random_source random_{7};
  berth::time_point now_{};
  std::vector<berth::job_id> running_;
  std::int64_t load_ = 0;
  berth::digest decisions_;
};

berth::scheduler_config limits(std::int64_t nodes) {
  berth::scheduler_config config;
  config.max_jobs = static_cast<std::uint32_t>(8 * nodes + 4096);
  config.max_nodes = static_cast<std::uint32_t>(nodes);
  config.max_gpus = static_cast<std::uint32_t>(8 * nodes);
  return config;
}

/// Arguments: nodes of 8 GPUs, jobs that end and arrive per tick.
template <class... Components>
void tick_with_churn(benchmark::State& state, Components... components) {
  std::int64_t const nodes = state.range(0);
  auto const cluster = berth::cluster::uniform(static_cast<std::int32_t>(nodes), 8);
  auto made = berth::make_scheduler(cluster.value(), limits(nodes), components...);
  auto twin = berth::make_scheduler(cluster.value(), limits(nodes), components...);
  busy_host host{made.value(), 8 * nodes};
  busy_host same{twin.value(), 8 * nodes};
  std::int64_t actions = 0;
  for (auto _ : state) {
    host.change(state.range(1));
    auto const before = std::chrono::steady_clock::now();
    berth::plan const decided = host.tick();
    auto const after = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(after - before).count());
    actions += static_cast<std::int64_t>(decided.size());
    host.apply(decided);
    same.change(state.range(1));
    same.apply(same.tick());
  }
  if (made.value().check_invariants() != nullptr) {
    state.SkipWithError(made.value().check_invariants());
  } else if (host.decisions() != same.decisions()) {
    state.SkipWithError("equal calls gave different plans");
  }
  state.counters["actions_per_tick"] =
      benchmark::Counter(static_cast<double>(actions), benchmark::Counter::kAvgIterations);
}

void fifo(benchmark::State& state) {
  tick_with_churn(state, berth::fifo{}, berth::never_preempt{});
}
void tiresias(benchmark::State& state) {
  tick_with_churn(state, berth::least_attained_service{});
}
void easy_backfill(benchmark::State& state) {
  tick_with_churn(state, berth::fifo{}, berth::easy_backfill{}, berth::never_preempt{});
}

BENCHMARK(fifo)
    ->Args({250, 0})
    ->Args({250, 20})
    ->Args({2000, 0})
    ->Args({2000, 20})
    ->UseManualTime();
BENCHMARK(tiresias)->Args({250, 20})->Args({2000, 20})->UseManualTime();
BENCHMARK(easy_backfill)->Args({250, 20})->Args({2000, 20})->UseManualTime();

}  // namespace
