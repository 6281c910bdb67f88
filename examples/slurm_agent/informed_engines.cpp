// SPDX-License-Identifier: BSL-1.0
#include <berth/presets/pickyman.hpp>
#include <berth/presets/shortest_remaining_scheduler.hpp>

#include <array>

#include "engine_model.hpp"

namespace slurm_agent {
namespace {

using made = berth::result<std::unique_ptr<engine>>;

made shortest_remaining(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::shortest_remaining(nodes, config));
}
made pickyman(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::pickyman(nodes, config));
}

}  // namespace

std::span<named_engine const> informed_engines() {
  static constexpr std::array<named_engine, 2> all{{
      {"shortest_remaining", "shortest remaining time first, preemptive", shortest_remaining},
      {"pickyman", "shortest remaining, but preempts only where it pays", pickyman},
  }};
  return all;
}

engine_factory engine_named(std::string_view name) {
  for (auto const group : {blind_engines(), informed_engines(), elastic_engines()}) {
    for (named_engine const& each : group) {
      if (each.name == name) {
        return each.make;
      }
    }
  }
  return {};
}

}  // namespace slurm_agent
