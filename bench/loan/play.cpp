// SPDX-License-Identifier: BSL-1.0
#include <berth/model/cluster.hpp>
#include <berth/presets/deepboot.hpp>
#include <berth/presets/pollux.hpp>
#include <berth/scheduler/config.hpp>

#include <bench/loan/setting.hpp>
#include <berth_sim/elastic/told_remaining.hpp>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace berth_bench {
namespace {

using namespace std::chrono_literals;
using namespace berth::sim;

template <class Made>
elastic_outcome run(Made made, remaining_board& board, std::vector<application> const& applications,
                    elastic_workload const& work, elastic_options const& options) {
  auto& scheduler = made.value();
  elastic_simulator simulator{scheduler, board, applications, work, options};
  elastic_outcome out = simulator.run();
  if (char const* const broken = scheduler.check_invariants()) {
    throw std::runtime_error{broken};
  }
  return out;
}

}  // namespace

std::vector<inference_load> inference_loads(std::int32_t inference_gpus) {
  double const gpus = inference_gpus;
  // 3,200 tasks of 1 to 9 s over 15.4 hours, as in DeepBoot's small workload.
  double const light = 3200 * 5.0 / 55'440;
  daily_load const flat{.mean_gpus = light, .peak_gpus = light};
  // With their starts and the time for which they are protected, the replicas of these tasks use 40
  // % of the GPUs on average and 90 % in the busiest five minutes: half of it is protection.
  daily_load daily{.mean_gpus = 6.0 / 32 * gpus, .peak_gpus = 12.5 / 32 * gpus};
  daily.shortest = 10s;
  daily.longest = 30s;
  daily_load surge = flat;
  surge.surge = 30;
  surge.surge_from = berth::time_point{3h};
  surge.surge_length = 10min;
  return {{"light", flat}, {"daily", daily}, {"surge", surge}};
}

std::vector<loan_setting> loan_settings() {
  return {{"no loans", "none", lending::none},
          {"no loans, pollux", "none", lending::none, "pollux"},
          {"forecast", "forecast", lending::forecast},
          {"all that is idle", "idle", lending::everything},
          {"clairvoyant", "clairvoyant", lending::clairvoyant}};
}

loan_row play_loan(std::vector<application> const& applications,
                   std::vector<training_row> const& jobs, inference_load const& load,
                   loan_setting const& setting, loan_play const& play) {
  elastic_workload work;
  work.jobs = jobs;
  work.tasks =
      daily_tasks(load.load, berth::time_point{}, berth::time_point{48h}, 1000 + play.seed);
  elastic_options options;
  options.costs = play.costs;
  options.lends = setting.lends;
  options.lender_rules = play.rules;
  options.reach = setting.scheduler == "deepboot" ? fast_reach : berth::profile_reach{};
  if (setting.lends == lending::forecast) {
    // The service has run for a week before, without the surge.
    daily_load usual = load.load;
    usual.surge = 1;
    options.history = inference_demand(
        daily_tasks(usual, berth::time_point{-7 * 24h}, berth::time_point{}, 2000 + play.seed),
        applications, options.pods);
    while (!options.history.empty() && options.history.back().at >= berth::time_point{}) {
      options.history.pop_back();
    }
  }
  if (setting.lends == lending::clairvoyant) {
    options.future = inference_demand(work.tasks, applications, options.pods);
  }
  berth::cluster nodes;
  for (std::int32_t i = 0; i < play.training_nodes + play.inference_nodes; ++i) {
    bool const serves = i >= play.training_nodes;
    static_cast<void>(nodes
                          .add({.gpus = play.gpus_per_node,
                                .owner = serves ? berth::pool::inference : berth::pool::training})
                          .value());
  }
  berth::scheduler_config config;
  config.max_nodes = static_cast<std::uint32_t>(nodes.nodes().size());
  config.max_gpus = config.max_nodes * static_cast<std::uint32_t>(play.gpus_per_node);
  config.max_jobs = static_cast<std::uint32_t>(jobs.size()) + 2 * config.max_gpus + 256;
  remaining_board board;
  loan_row row{load.name, setting.name, play.seed, work.tasks.size(), {}};
  told_remaining const told{&board};
  row.out =
      setting.scheduler == "pollux"
          ? run(berth::presets::pollux(nodes, config, told), board, applications, work, options)
          : run(berth::presets::deepboot(nodes, config, told), board, applications, work, options);
  return row;
}

}  // namespace berth_bench
