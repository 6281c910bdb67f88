// SPDX-License-Identifier: BSL-1.0
// A Slurm in memory with an agent beside it that can be replaced, and the two clocks.
#pragma once

#include <berth/core/time.hpp>

#include <tests/slurm_agent/fake_slurm.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <examples/slurm_agent/agent.hpp>
#include <examples/slurm_agent/engine.hpp>
#include <examples/slurm_agent/journal.hpp>

struct agent_world {
  agent_world(int nodes, slurm_agent::engine_factory chosen)
      : slurm{nodes}, make{std::move(chosen)} {
    restart();
  }

  void restart(std::vector<std::byte> memory = {}) {
    self.emplace(slurm, make, slurm_agent::agent_settings{.max_jobs = 64}, log);
    self->remember(std::move(memory));
  }
  slurm_agent::cycle_outcome cycle() { return self->cycle({now, unix_seconds}); }
  /// Cycles of a tenth of a second.
  void pass_seconds(int seconds) {
    for (int tenth = 0; tenth < seconds * 10; ++tenth) {
      static_cast<void>(cycle());
      now += std::chrono::milliseconds{100};
      if (tenth % 10 == 9) {
        ++unix_seconds;
        slurm.pass();
      }
    }
  }

  fake_slurm slurm;
  slurm_agent::engine_factory make;
  slurm_agent::journal log{slurm_agent::severity::error};
  std::optional<slurm_agent::agent> self;
  berth::time_point now{std::chrono::hours{1000}};
  std::int64_t unix_seconds = 3'600'000;
};
