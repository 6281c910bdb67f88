// SPDX-License-Identifier: BSL-1.0
// Elastic training and inference tasks through the real scheduler.
#include <berth/model/cluster.hpp>
#include <berth/presets/deepboot.hpp>
#include <berth/scheduler/config.hpp>

#include <berth_sim/elastic/built_in_applications.hpp>
#include <berth_sim/elastic/elastic_outcome.hpp>
#include <berth_sim/elastic/elastic_simulator.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/told_remaining.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace elastic_simulator_test {

namespace {

using namespace std::chrono_literals;
using namespace berth::sim;

/// Four training jobs, and a task every half minute for an hour.
elastic_workload small_workload(bool with_tasks) {
  elastic_workload work;
  std::vector<application> const apps = built_in_applications();
  std::size_t number = 0;
  for (std::size_t a = 0; a < apps.size(); ++a) {
    if (apps[a].facts.name == "cifar10" || apps[a].facts.name == "deepspeech2") {
      for (int i = 0; i < 2; ++i) {
        training_row row;
        row.submit = berth::time_point{berth::duration{60'000} * static_cast<int>(number++)};
        row.application = a;
        row.gpus = 4;
        row.batch = apps[a].facts.limits.initial_batch * 4;
        work.jobs.push_back(row);
      }
    }
  }
  for (int i = 0; with_tasks && i < 120; ++i) {
    task_row row;
    row.submit = berth::time_point{10min + 30s * i};
    row.length = 5s;
    row.application = static_cast<std::size_t>(i % 2);
    row.service = i % 2 == 0 ? "infer-a" : "infer-b";
    work.tasks.push_back(row);
  }
  return work;
}

elastic_outcome play(elastic_workload const& work, elastic_options const& options) {
  std::vector<application> const apps = built_in_applications();
  berth::cluster nodes;
  for (int i = 0; i < 4; ++i) {
    bool const serves = i >= 2;
    REQUIRE(
        nodes.add({.gpus = 4, .owner = serves ? berth::pool::inference : berth::pool::training}));
  }
  berth::scheduler_config config;
  config.max_jobs = 64;
  config.max_nodes = 4;
  config.max_gpus = 16;
  remaining_board board;
  auto made = berth::presets::deepboot(nodes, config, told_remaining{&board});
  REQUIRE(made);
  elastic_simulator simulator{*made, board, apps, work, options};
  elastic_outcome outcome = simulator.run();
  char const* const broken = made->check_invariants();
  REQUIRE_MESSAGE(broken == nullptr, broken);
  return outcome;
}

}  // namespace

TEST_CASE("elastic simulator: every job ends, restarts are counted, and so is what they cost") {
  elastic_outcome const outcome = play(small_workload(false), {});
  REQUIRE(outcome.training_s.size() == 4);
  for (double const time : outcome.training_s) {
    CHECK(time > 60.0);
  }
  CHECK(outcome.restarts > 0);
  CHECK(outcome.gpu_s_restarting > 0.0);
  CHECK(outcome.recalls == 0);
  CHECK(outcome.gpu_s_loaned == 0.0);
}

TEST_CASE("elastic simulator: the same run twice is the same run") {
  elastic_options options;
  options.lends = lending::everything;
  elastic_outcome const one = play(small_workload(true), options);
  elastic_outcome const two = play(small_workload(true), options);
  CHECK(one.training_s == two.training_s);
  CHECK(one.task_delay_s == two.task_delay_s);
  CHECK(one.recalls == two.recalls);
}

TEST_CASE("elastic simulator: dear restarts make jobs slower than cheap ones") {
  elastic_options options;
  double const fast = mean_of(play(small_workload(false), options).training_s);
  options.costs = restart_costs::full;
  double const full = mean_of(play(small_workload(false), options).training_s);
  CHECK(fast < full);
}

TEST_CASE(
    "elastic simulator: loans make training faster, and tasks wait for a cold start at most") {
  elastic_workload const work = small_workload(true);
  elastic_options options;
  elastic_outcome const alone = play(work, options);
  options.lends = lending::everything;
  options.headroom = 1;
  elastic_outcome const lent = play(work, options);
  CHECK(mean_of(lent.training_s) < mean_of(alone.training_s));
  CHECK(lent.gpu_s_loaned > 0.0);
  CHECK(alone.slow_tasks == 0);
  CHECK(lent.slow_tasks == 0);
}

TEST_CASE("elastic simulator: a replica that is warm serves at once") {
  elastic_outcome const outcome = play(small_workload(true), {});
  auto const warm = std::count(outcome.task_delay_s.begin(), outcome.task_delay_s.end(), 0.0);
  CHECK(outcome.cold_starts == 2);
  CHECK(warm + outcome.cold_starts >= 100);
}

TEST_CASE(
    "replica fleet: protection grows with hits, and the most popular replica is taken first") {
  replica_fleet fleet;
  berth::time_point now{};
  std::uint32_t const first = fleet.add({}, "a", 0);
  std::uint32_t const second = fleet.add({}, "a", 1);
  for (std::uint32_t const n : {first, second}) {
    fleet.start(n, 6s, now);
    fleet.serve(n, n, 5s, now + 6s);
    fleet.protect(n, now + 11s);
  }
  CHECK(fleet.at(first).changes == now + 41s);
  fleet.serve(second, 2, 1s, now + 12s);
  CHECK(fleet.warm("a") == first);
  fleet.protect(second, now + 13s);
  CHECK(fleet.at(second).changes == now + 13s + 45s);
  CHECK(fleet.warm("a") == second);
  CHECK_FALSE(fleet.warm("b"));
  CHECK(fleet.in_use() == 2);
  fleet.sleep(second);
  CHECK(fleet.in_use() == 1);
  CHECK(fleet.warm("a") == first);
  fleet.remove(first);
  CHECK(fleet.warm("a") == second);
  CHECK(fleet.next_change() == berth::never);
}

}  // namespace elastic_simulator_test
