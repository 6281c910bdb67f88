// SPDX-License-Identifier: BSL-1.0
// Summaries as JSON, for scripts. The names are a contract; times are seconds, `tick_ns_*` are
// nanoseconds, `digest` is a string of 16 hexadecimal digits because a JSON number cannot hold it.
// What is undefined because no job finished is null.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/summary.hpp>

#include <span>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

[[nodiscard]] inline double seconds_of(duration span) noexcept {
  return static_cast<double>(span.count()) / 1000.0;
}

[[nodiscard]] inline nlohmann::ordered_json json_of(summary const& run) {
  auto const seconds = [&run](duration span) {
    return run.finished == 0 ? nlohmann::ordered_json{} : nlohmann::ordered_json(seconds_of(span));
  };
  nlohmann::ordered_json out;
  out["scheduler"] = run.scheduler;
  out["jobs"] = run.jobs;
  out["finished"] = run.finished;
  out["avg_jct_s"] = seconds(run.avg_jct);
  out["p50_jct_s"] = seconds(run.p50_jct);
  out["p99_jct_s"] = seconds(run.p99_jct);
  out["avg_wait_s"] = seconds(run.avg_wait);
  out["p99_wait_s"] = seconds(run.p99_wait);
  out["makespan_s"] = seconds(run.makespan);
  out["utilisation"] = run.utilisation;
  out["preemptions"] = run.preemptions;
  out["gpu_s_lost"] = static_cast<double>(run.lost.count()) / 1000.0;
  out["ticks"] = run.ticks;
  out["tick_ns_p50"] = run.tick_p50;
  out["tick_ns_p99"] = run.tick_p99;
  out["digest"] = fmt::format("{:016x}", run.digest);
  return out;
}

/// Text with every byte that is not UTF-8 replaced: names come from files.
[[nodiscard]] inline std::string dump(nlohmann::ordered_json const& value, int indent = -1) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace detail

/// `{"runs":[{…}]}` with a line feed at the end.
[[nodiscard]] inline std::string report_json(std::span<summary const> runs) {
  nlohmann::ordered_json all;
  all["runs"] = nlohmann::ordered_json::array();
  for (summary const& run : runs) {
    all["runs"].push_back(detail::json_of(run));
  }
  return detail::dump(all, 2) + "\n";
}

}  // namespace sim

BERTH_NAMESPACE_END
