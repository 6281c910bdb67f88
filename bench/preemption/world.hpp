// SPDX-License-Identifier: BSL-1.0
// The worlds of the study: a cluster, jobs, what it takes them to save and to restart, and how well
// their lengths are known. The same for all schedulers.
#pragma once

#include <bench/preemption/cell.hpp>
#include <berth_sim/nodes.hpp>
#include <berth_sim/simulation_options.hpp>
#include <berth_sim/workload.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace berth_bench {

struct world {
  berth::sim::workload trace;
  berth::sim::node_list nodes;
  berth::sim::execution_model model;
};

/// synthetic       log-normal lengths, sizes 1 to 16 of which most are small, one node of 64 GPUs
/// synthetic_wide  the same, but all sizes from 1 to 16 are equally likely
/// philly          a window of the Philly trace, on 8 nodes of 8 GPUs
inline constexpr std::array workload_names{"synthetic", "synthetic_wide", "philly"};

class world_maker {
 public:
  /// `data`: folder of the real traces, empty: there are none. `jobs`: in each world; 0 = 800, and
  /// 1,500 of the trace.
  world_maker(std::string const& data, std::size_t jobs);

  /// False: it would need a trace that is not there.
  [[nodiscard]] bool can_make(std::string const& workload) const;

  /// Throws std::runtime_error if a trace cannot be read.
  [[nodiscard]] world make(cell const& what, std::uint64_t seed) const;

  /// Of which jobs it consists, for people.
  [[nodiscard]] std::string describe(std::string const& workload, std::uint64_t seed) const;

 private:
  [[nodiscard]] berth::sim::workload jobs_of(std::string const& workload, double load,
                                             std::uint64_t seed) const;
  [[nodiscard]] berth::sim::workload synthetic(bool wide, double load, std::uint64_t seed) const;
  [[nodiscard]] berth::sim::workload window(std::uint64_t seed) const;

  berth::sim::workload philly_;  ///< jobs that fit the cluster
  std::size_t synthetic_jobs_;
  std::size_t window_jobs_;
};

}  // namespace berth_bench
