// SPDX-License-Identifier: BSL-1.0
// What one simulated run leaves behind: a record per job, who held which GPUs when, how busy the
// cluster was, how long the scheduler thought. summary.hpp boils it down, the reports show it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// The life of one job.
struct job_record {
  time_point submit{};
  time_point first_start = never;  ///< first instant it held GPUs; `never` = not yet
  time_point finish = never;       ///< `never` = unfinished when the run ended
  duration waiting{};  ///< time without GPUs between submit and finish, all stays summed
  std::int32_t gpus = 1;
  std::int32_t preemptions = 0;
  gpu_time lost;  ///< GPU-time held that is not progress: drain, save, redo, restart

  [[nodiscard]] constexpr bool is_finished() const noexcept { return finish != never; }
  /// Job completion time; only for finished jobs.
  [[nodiscard]] constexpr duration completion_time() const noexcept { return finish - submit; }
};

/// `count` GPUs of node number `node`, from `first` on. Both count from 0.
struct gpu_block {
  std::uint32_t node = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  friend constexpr bool operator==(gpu_block const&, gpu_block const&) noexcept = default;
};

/// Why a job let go of its GPUs.
enum class segment_end : std::uint8_t { finished, preempted, moved, failed, unfinished };

/// One stay of a job on a fixed set of GPUs, [start, end).
struct segment {
  time_point start{};
  time_point end{};
  std::uint32_t job = 0;          ///< index into run_result::jobs
  std::uint32_t first_range = 0;  ///< into run_result::ranges
  std::uint32_t range_count = 0;
  segment_end reason = segment_end::finished;
};

/// From `at` on; holds until the next sample.
struct load_sample {
  time_point at{};
  std::int64_t busy_gpus = 0;
  std::int64_t waiting_jobs = 0;
};

struct run_result {
  std::string scheduler;                ///< name shown in reports
  std::string workload;                 ///< workload::source
  std::vector<std::int32_t> node_gpus;  ///< GPUs of each node; gives the size of the cluster
  std::vector<job_record> jobs;         ///< same order as workload::jobs
  std::vector<load_sample> load;        ///< ascending in time
  std::vector<segment> segments;        ///< any order; may stay empty when no picture is wanted
  std::vector<gpu_block> ranges;        ///< of all segments
  std::vector<std::int64_t> tick_nanoseconds;  ///< wall time of each tick; empty = not measured
  std::int64_t ticks = 0;
  std::uint64_t digest = 0;  ///< of the decisions

  /// O(range count).
  void add_segment(std::uint32_t job, time_point start, time_point end,
                   std::span<gpu_block const> where, segment_end reason) {
    segments.push_back({start, end, job, static_cast<std::uint32_t>(ranges.size()),
                        static_cast<std::uint32_t>(where.size()), reason});
    ranges.insert(ranges.end(), where.begin(), where.end());
  }

  [[nodiscard]] std::span<gpu_block const> ranges_of(segment const& stay) const noexcept {
    return std::span<gpu_block const>{ranges}.subspan(stay.first_range, stay.range_count);
  }

  [[nodiscard]] std::int64_t gpu_count() const noexcept {
    std::int64_t sum = 0;
    for (std::int32_t const gpus : node_gpus) {
      sum += gpus;
    }
    return sum;
  }
};

}  // namespace sim

BERTH_NAMESPACE_END
