// SPDX-License-Identifier: BSL-1.0
// A run as Chrome trace events, to be opened in Perfetto or chrome://tracing: a process is a node,
// a thread a GPU, a complete event one stay of a job, an instant event a preemption. The trace
// format counts in microseconds of simulated time.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/metrics.hpp>
#include <berth_sim/report_json.hpp>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

[[nodiscard]] inline std::string_view name_of(segment_end reason) noexcept {
  switch (reason) {
    case segment_end::finished: return "finished";
    case segment_end::preempted: return "preempted";
    case segment_end::moved: return "moved";
    case segment_end::failed: return "failed";
    case segment_end::unfinished: return "unfinished";
  }
  return "";
}

[[nodiscard]] inline std::int64_t microseconds_of(time_point at) noexcept {
  return at.time_since_epoch().count() * 1000;
}

}  // namespace detail

/// One event a GPU and stay, written as it goes: memory does not grow with the run.
/// O(GPUs + GPUs of all segments).
inline void write_trace(std::ostream& out, run_result const& run) {
  out << R"({"displayTimeUnit":"ms","otherData":{"scheduler":)" << detail::dump(run.scheduler)
      << R"(,"workload":)" << detail::dump(run.workload) << R"(},"traceEvents":[)";
  char const* comma = "\n";
  auto const emit = [&out, &comma](std::string_view event) {
    out << comma << event;
    comma = ",\n";
  };
  // Process and thread ids count from 1: viewers give 0 a meaning of its own.
  for (std::size_t node = 0; node < run.node_gpus.size(); ++node) {
    emit(fmt::format(R"({{"name":"process_name","ph":"M","pid":{},"args":{{"name":"node {}"}}}})",
                     node + 1, node));
    for (std::int32_t gpu = 0; gpu < run.node_gpus[node]; ++gpu) {
      emit(fmt::format(
          R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"GPU {}"}}}})",
          node + 1, gpu + 1, gpu));
    }
  }
  for (segment const& stay : run.segments) {
    std::int64_t const start = detail::microseconds_of(stay.start);
    std::int64_t const end = detail::microseconds_of(stay.end);
    std::int32_t const gang = stay.job < run.jobs.size() ? run.jobs[stay.job].gpus : 0;
    for (gpu_block const& range : run.ranges_of(stay)) {
      for (std::uint32_t gpu = range.first; gpu < range.first + range.count; ++gpu) {
        emit(fmt::format(
            R"({{"name":"job {}","cat":"run","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},)"
            R"("args":{{"gpus":{},"ended":"{}"}}}})",
            stay.job, start, end - start, range.node + 1, gpu + 1, gang,
            detail::name_of(stay.reason)));
        if (stay.reason == segment_end::preempted) {
          emit(fmt::format(R"({{"name":"preempt job {}","cat":"preemption","ph":"i","s":"t",)"
                           R"("ts":{},"pid":{},"tid":{}}})",
                           stay.job, end, range.node + 1, gpu + 1));
        }
      }
    }
  }
  out << "\n]}\n";
}

}  // namespace sim

BERTH_NAMESPACE_END
