// SPDX-License-Identifier: BSL-1.0
// What one run of the study is of, and what comes out.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace berth_bench {

/// One world and one scheduler; with a seed, one run.
struct cell {
  std::string workload;
  double load = 0.9;       ///< GPU-time submitted ÷ GPU-time of the cluster while jobs arrive
  int overhead_scale = 1;  ///< 1: saving and restarting take 33 s in all, on average
  double sigma = 0;        ///< of the logarithm of predicted ÷ true length
  std::string scheduler;

  [[nodiscard]] auto key() const {
    return std::tie(workload, load, overhead_scale, sigma, scheduler);
  }
  [[nodiscard]] cell with(std::string const& other) const {
    cell same = *this;
    same.scheduler = other;
    return same;
  }
  [[nodiscard]] cell with_sigma(double other) const {
    cell same = *this;
    same.sigma = other;
    return same;
  }
  friend bool operator<(cell const& a, cell const& b) { return a.key() < b.key(); }
};

/// Seconds, except for `preemptions`. What a job waits is finish − submit − work: saving,
/// restarting and work done twice are waiting too.
struct outcome {
  double avg_wait = 0;
  double p99_wait = 0;
  double max_wait = 0;
  double makespan = 0;
  double preemptions = 0;  ///< stops after which a job was without its GPUs
  double gpu_lost = 0;     ///< GPU-seconds held that are not progress
  double gpu_used = 0;     ///< GPU-seconds of work
};

struct row {
  cell what;
  std::uint64_t seed = 1;
  outcome seen;
  std::string wrong;  ///< empty, or why the figures mean nothing
};

}  // namespace berth_bench
