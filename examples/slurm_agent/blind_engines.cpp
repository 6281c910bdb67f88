// SPDX-License-Identifier: BSL-1.0
#include <berth/policies/priority_class.hpp>
#include <berth/presets/easy_backfill_scheduler.hpp>
#include <berth/presets/fifo_scheduler.hpp>
#include <berth/presets/tiresias.hpp>

#include <array>

#include "engine_model.hpp"

namespace slurm_agent {
namespace {

using made = berth::result<std::unique_ptr<engine>>;

made fifo(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::fifo(nodes, config));
}
made easy_backfill(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::easy_backfill(nodes, config));
}
made priority(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::make_scheduler(nodes, config, berth::priority_class{}));
}
made tiresias(berth::cluster const& nodes, berth::scheduler_config const& config) {
  return as_engine(berth::presets::tiresias(nodes, config));
}

}  // namespace

std::span<named_engine const> blind_engines() {
  static constexpr std::array<named_engine, 4> all{{
      {"fifo", "submit order, strict", fifo},
      {"easy_backfill", "submit order, EASY backfilling by time limit", easy_backfill},
      {"priority", "the priorities in the comments, preemptive", priority},
      {"tiresias", "least attained service in two queues, preemptive", tiresias},
  }};
  return all;
}

}  // namespace slurm_agent
