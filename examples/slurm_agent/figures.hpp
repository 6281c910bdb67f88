// SPDX-License-Identifier: BSL-1.0
// What the agent counts, and where it is told to.
#pragma once

#include <berth/model/gpu.hpp>

#include <array>
#include <chrono>
#include <cstdint>

namespace slurm_agent {

/// How long the parts of one cycle took.
struct cycle_times {
  std::chrono::nanoseconds load{0};    ///< reading Slurm's state
  std::chrono::nanoseconds settle{0};  ///< telling berth what has changed
  std::chrono::nanoseconds decide{0};  ///< berth's ticks
  std::chrono::nanoseconds act{0};     ///< requests to Slurm
};

struct figures {
  cycle_times last;
  std::uint64_t cycles = 0;
  std::uint64_t decisions = 0;  ///< ticks that looked at something
  std::uint64_t starts = 0;
  std::uint64_t preemptions = 0;  ///< orders to stop
  std::uint64_t resizes = 0;      ///< orders to go on with another size
  std::uint64_t refusals = 0;     ///< requests that Slurm refused
  std::uint64_t rebuilds = 0;     ///< how often berth was told everything anew
  std::uint64_t unreachable = 0;  ///< cycles without an answer
  std::int64_t gpu_milliseconds_lost = 0;
  std::uint64_t waiting = 0;
  std::uint64_t running = 0;
  std::uint64_t stopping = 0;
  std::array<std::int64_t, berth::gpu_state_count> gpus{};
};

/// Is told after every cycle.
class figures_sink {
 public:
  virtual ~figures_sink() = default;
  virtual void take(figures const& now) = 0;
};

}  // namespace slurm_agent
