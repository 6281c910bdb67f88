// SPDX-License-Identifier: BSL-1.0
// What a round of sizing and a recall take on a large cluster: 2,000 nodes of 8 GPUs, 2,000 elastic
// jobs, 4,000 replicas. Exit status 1 if an invariant breaks or a replica gets no GPU.
#include <berth/core/random.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/rung.hpp>
#include <berth/presets/deepboot.hpp>

#include <berth_sim/must.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using namespace std::chrono_literals;
using berth::sim::detail::must;
using clock_type = std::chrono::steady_clock;

struct options {
  int rounds = 60;
  std::uint64_t seed = 1;
};

constexpr int training_nodes = 1'350;
constexpr int inference_nodes = 650;
constexpr int gpus_per_node = 8;
constexpr std::size_t elastic_jobs = 2'000;
constexpr std::size_t replicas = 4'000;
constexpr std::size_t burst = 100;

berth::cluster two_pools() {
  berth::cluster made;
  for (int i = 0; i < training_nodes + inference_nodes; ++i) {
    bool const serves = i >= training_nodes;
    must(made.add({.gpus = gpus_per_node,
                   .rack = berth::rack_id{static_cast<std::uint32_t>(i / 40)},
                   .owner = serves ? berth::pool::inference : berth::pool::training}));
  }
  return made;
}

/// A host that obeys at once, and takes the time of its ticks.
template <class Scheduler>
class host {
 public:
  host(Scheduler scheduler, std::uint64_t seed) : s_{std::move(scheduler)}, random_{seed} {}

  void submit_training() {
    berth::job_spec spec;
    spec.gang = 1 << (1 + random_.below(5));
    spec.min_gang = 1;
    spec.borrows = berth::borrowing::extra;
    spec.work = std::chrono::minutes{30 + static_cast<int>(random_.below(3'000))};
    berth::job_id const id = must(s_.submit(spec, now_));
    double const share = 0.6 + 0.4 * static_cast<double>(random_.below(1'000)) / 1'000;
    std::vector<berth::rung> ladder;
    for (std::int32_t gpus = 1; gpus <= spec.gang; gpus *= 2) {
      double const speed = std::pow(gpus, share);
      ladder.push_back({gpus, static_cast<std::int64_t>(
                                  speed * static_cast<double>(berth::unit_rung_speed) + 0.5)});
    }
    must(s_.set_ladder(id, ladder, now_));
    training_.push_back(id);
  }
  void submit_replica() {
    serving_.push_back(must(s_.submit({.gang = 1, .where = berth::pool::inference}, now_)));
  }
  /// Microseconds of the first tick.
  double tick_and_obey() {
    double first = -1;
    for (int rounds = 0; rounds < 1'000; ++rounds) {
      auto const before = clock_type::now();
      auto const plan = s_.tick(now_);
      std::chrono::duration<double, std::micro> const took = clock_type::now() - before;
      first = first < 0 ? took.count() : first;
      std::vector<berth::action> const orders(plan.begin(), plan.end());
      for (berth::action const& each : orders) {
        obey(each);
      }
      if (orders.empty()) {
        break;
      }
    }
    return first;
  }
  void pass(berth::duration time) { now_ += time; }
  void lend(std::int32_t gpus) { must(s_.lend({.gpus = gpus}, now_)); }
  void end_training(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t const which = random_.below(training_.size());
      must(s_.complete(training_[which], now_));
      training_[which] = training_.back();
      training_.pop_back();
    }
  }
  void end_replicas(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      must(s_.complete(serving_.back(), now_));
      serving_.pop_back();
    }
  }
  [[nodiscard]] bool is_right() const {
    return s_.check_invariants() == nullptr &&
           std::all_of(serving_.begin(), serving_.end(),
                       [&](berth::job_id id) { return s_.view(id)->gpus_held() == 1; });
  }
  [[nodiscard]] Scheduler const& scheduler() const { return s_; }

 private:
  void obey(berth::action const& each) {
    switch (each.kind) {
      case berth::action_kind::start:
        must(s_.report(each.job, berth::started{each.run}, now_));
        break;
      case berth::action_kind::resize:
        must(s_.report(each.job, berth::resized{each.run, each.change}, now_));
        break;
      case berth::action_kind::stop:
        must(s_.report(each.job, berth::stopped{.run = each.run}, now_));
        break;
      case berth::action_kind::carry_on: break;
    }
  }

  Scheduler s_;
  berth::random_source random_;
  berth::time_point now_{};
  std::vector<berth::job_id> training_;
  std::vector<berth::job_id> serving_;
};

void print(std::string const& what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  fmt::print("{:<44} {:>5} {:>10.1f} {:>10.1f} {:>10.1f}\n", what, times.size(),
             times[times.size() / 2], times[times.size() * 99 / 100], times.back());
}

int study(options const& chosen) {
  berth::scheduler_config config;
  config.max_nodes = training_nodes + inference_nodes;
  config.max_gpus = config.max_nodes * gpus_per_node;
  config.max_jobs = 8'192;
  fmt::print("2,000 nodes of 8 GPUs, 2,000 elastic jobs, 4,000 replicas; seed {}\n", chosen.seed);
  host big{std::move(berth::presets::deepboot(two_pools(), config).value()), chosen.seed};
  for (std::size_t i = 0; i < replicas; ++i) {
    big.submit_replica();
  }
  for (std::size_t i = 0; i < elastic_jobs; ++i) {
    big.submit_training();
  }
  big.tick_and_obey();
  big.lend(inference_nodes * gpus_per_node - static_cast<std::int32_t>(replicas));
  big.tick_and_obey();
  fmt::print("{} GPUs on loan\n", big.scheduler().gpus_on_loan());
  std::vector<double> training;
  std::vector<double> recalls;
  std::int64_t taken_back = 0;
  for (int round = 0; round < chosen.rounds; ++round) {
    big.pass(5min);
    big.end_training(20);
    for (int i = 0; i < 20; ++i) {
      big.submit_training();
    }
    training.push_back(big.tick_and_obey());
    big.pass(10s);
    for (std::size_t i = 0; i < burst; ++i) {
      big.submit_replica();
    }
    std::int64_t const lent = big.scheduler().gpus_on_loan();
    recalls.push_back(big.tick_and_obey());
    taken_back += lent - big.scheduler().gpus_on_loan();
    if (!big.is_right()) {
      fmt::print(stderr, "round {}: WRONG\n", round);
      return 1;
    }
    big.end_replicas(burst);
    big.tick_and_obey();
  }
  fmt::print("{:<44} {:>5} {:>10} {:>10} {:>10}\n", "microseconds", "count", "p50", "p99", "max");
  print("a round: 20 jobs end, 20 come", training);
  print("a recall: 100 replicas come", recalls);
  fmt::print("{} GPUs taken back a recall\n", taken_back / chosen.rounds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  options chosen;
  CLI::App app{"What sizing and recalls take on a large cluster"};
  app.add_option("--rounds", chosen.rounds, "of each kind")->check(CLI::Range(1, 100'000));
  app.add_option("--seed", chosen.seed, "of the jobs");
  CLI11_PARSE(app, argc, argv);
  return study(chosen);
}
