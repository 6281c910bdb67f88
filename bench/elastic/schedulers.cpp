// SPDX-License-Identifier: BSL-1.0
// The sizing rules as whole schedulers. Every one is told what a change of size costs, and what is
// left of each job, so that they differ in the rule alone.
#include <berth/allocators/elastic.hpp>
#include <berth/model/cluster.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/preemption/auto_fast_elastic.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/pairwise.hpp>
#include <berth/sizing/power_mean.hpp>
#include <berth/sizing/two_phase.hpp>

#include <bench/elastic/schedulers.hpp>
#include <berth_sim/elastic/elastic_simulator.hpp>
#include <berth_sim/elastic/told_remaining.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace berth_bench {

namespace {

template <class... Components>
berth::sim::elastic_outcome play_with(elastic_play const& play, Components... components) {
  auto const nodes = berth::cluster::uniform(play.nodes, play.gpus_per_node).value();
  berth::sim::remaining_board board;
  berth::scheduler_config config;
  config.max_jobs = static_cast<std::uint32_t>(play.work.jobs.size()) + 1;
  config.max_nodes = static_cast<std::uint32_t>(play.nodes);
  config.max_gpus = static_cast<std::uint32_t>(play.nodes * play.gpus_per_node);
  auto scheduler =
      std::move(berth::make_scheduler(nodes, config, berth::sim::told_remaining{.board = &board},
                                      std::move(components)...)
                    .value());
  return berth::sim::elastic_simulator{scheduler, board, play.applications, play.work, play.options}
      .run();
}
template <class Rule>
berth::sim::elastic_outcome play_rule(elastic_play const& play) {
  return play_with(play, berth::elastic<Rule>{}, berth::auto_fast_elastic{});
}
berth::sim::elastic_outcome play_tiresias(elastic_play const& play) {
  return play_with(play, berth::least_attained_service{}, berth::consolidated{},
                   berth::auto_fast_elastic{});
}

}  // namespace

std::vector<elastic_scheduler> elastic_schedulers() {
  return {
      {"deepboot", true, true, berth::sim::fast_reach, play_rule<berth::choice_knapsack_sizing>},
      {"pollux", true, true, {}, play_rule<berth::power_mean>},
      {"afs", false, true, {}, play_rule<berth::pairwise>},
      {"optimus", false, true, {}, play_rule<berth::marginal_gain>},
      {"lyra", false, true, {}, play_rule<berth::two_phase>},
      {"tiresias", false, false, {}, play_tiresias}};
}

}  // namespace berth_bench
