// SPDX-License-Identifier: BSL-1.0
#include <berth/presets/afs.hpp>
#include <berth/presets/deepboot.hpp>
#include <berth/presets/lyra.hpp>
#include <berth/presets/optimus.hpp>
#include <berth/presets/pollux.hpp>

#include <array>

#include "engine_model.hpp"

namespace slurm_agent {
namespace {

using made = berth::result<std::unique_ptr<engine>>;

made deepboot(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::deepboot(nodes, config));
}
made pollux(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::pollux(nodes, config));
}
made optimus(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::optimus(nodes, config));
}
made afs(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::afs(nodes, config));
}
made lyra(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::lyra(nodes, config));
}

}  // namespace

std::span<named_engine const> elastic_engines() {
  static constexpr std::array<named_engine, 5> all{{
      {"deepboot", "elastic: what is gained by more nodes, by a knapsack", deepboot},
      {"pollux", "elastic: the mean of the jobs' speed-ups", pollux},
      {"optimus", "elastic: the node that saves most time, every ten minutes", optimus},
      {"afs", "elastic: the next node to the longer of two jobs if that pays", afs},
      {"lyra", "elastic: least sizes first, the rest by a knapsack", lyra},
  }};
  return all;
}

}  // namespace slurm_agent
