// SPDX-License-Identifier: BSL-1.0
// A job trace in memory: what was submitted when, and the truth the simulator plays back (how much
// work a job really is), which the scheduler under test is not told unless the job declares it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/string_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// One line of a trace.
struct job {
  time_point submit{};                ///< since the first submission of the workload
  duration work{};                    ///< run time of the whole gang, undisturbed; at least 1 ms
  duration estimate = forever;        ///< what the user declared; `forever` = nothing
  duration predicted{};               ///< what its host says `work` is; 0 = the truth
  duration deadline = forever;        ///< after `submit`; `forever` = none
  duration epoch_period{};            ///< 0 = unknown
  duration checkpoint_period{};       ///< 0 = unknown
  std::int64_t checkpoint_bytes = 0;  ///< 0 = unknown
  duration save{};                    ///< writing its state; 0 = what the execution model says
  duration restart{};                 ///< until it works again; 0 = what the execution model says
  std::int64_t batch_size = 0;        ///< global batch size; 0 = unknown
  std::int32_t gpus = 1;              ///< GPUs of the whole gang
  std::int32_t members = 1;           ///< processes that start together; `gpus` is split among them
  std::int32_t min_gpus = 0;          ///< elastic range; 0 = the job is rigid
  std::int32_t max_gpus = 0;
  std::int32_t priority = 0;     ///< larger is more important
  std::int32_t spread_loss = 0;  ///< speed lost when spread over nodes, per mille; 0 = insensitive
  name_id name = name_id::none;
  name_id user = name_id::none;
  name_id tenant = name_id::none;
  name_id application = name_id::none;
  std::vector<name_id> allowed_types;  ///< GPU types by name; empty = every type
  std::uint32_t line = 0;              ///< of the source file, or 1, 2, … for generated jobs

  [[nodiscard]] constexpr bool is_elastic() const noexcept { return max_gpus > min_gpus; }
};

/// What a reader left out, and why.
struct skip_counts {
  std::int64_t malformed = 0;         ///< refused lines, in lenient mode only
  std::int64_t without_duration = 0;  ///< well-formed, but the run time is unknown or zero
  std::int64_t without_gpu = 0;       ///< well-formed, but no GPU (processor) was asked for

  [[nodiscard]] constexpr std::int64_t total() const noexcept {
    return malformed + without_duration + without_gpu;
  }
};

/// Jobs in order of (submit, line), and the tables their names index.
struct workload {
  std::string source;  ///< for people: format, file, generator and seed
  std::vector<job> jobs;
  string_table names;
  string_table users;
  string_table tenants;
  string_table applications;
  string_table gpu_types;
  skip_counts skipped;
  duration origin{};  ///< instant of the trace's own clock that became zero here
};

/// Puts the jobs in the order the simulator needs. O(n log n).
inline void sort_by_submit(workload& trace) {
  std::sort(trace.jobs.begin(), trace.jobs.end(), [](job const& a, job const& b) {
    return std::tie(a.submit, a.line) < std::tie(b.submit, b.line);
  });
}

/// Moves the clock so that the first submission is at zero; the jobs must be sorted.
inline void rebase(workload& trace) {
  if (trace.jobs.empty()) {
    return;
  }
  duration const shift = trace.jobs.front().submit.time_since_epoch();
  for (job& each : trace.jobs) {
    each.submit -= shift;
  }
  trace.origin += shift;
}

/// Keeps the jobs submitted in [from, to), at most `limit` of them (0 = all), and rebases the rest.
inline void cut(workload& trace, time_point from, time_point to, std::size_t limit) {
  std::erase_if(trace.jobs,
                [from, to](job const& each) { return each.submit < from || each.submit >= to; });
  if (limit != 0 && trace.jobs.size() > limit) {
    trace.jobs.resize(limit);
  }
  rebase(trace);
}

/// GPU-time of all jobs together; saturates.
[[nodiscard]] inline gpu_time total_work(workload const& trace) noexcept {
  gpu_time sum;
  for (job const& each : trace.jobs) {
    sum += gpu_time{each.gpus, each.work};
  }
  return sum;
}

}  // namespace sim

BERTH_NAMESPACE_END
