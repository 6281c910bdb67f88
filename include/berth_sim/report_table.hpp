// SPDX-License-Identifier: BSL-1.0
// Summaries as a table for a terminal: one line a scheduler, plain text, durations in the unit in
// which people would say them.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/summary.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// 850 ms · 12.3 s · 4.5 min · 2.1 h · 3.2 d
[[nodiscard]] inline std::string readable(duration span) {
  auto const value = static_cast<double>(span.count());
  if (span < std::chrono::seconds{1}) {
    return fmt::format("{} ms", span.count());
  }
  if (span < std::chrono::minutes{2}) {
    return fmt::format("{:.1f} s", value / 1e3);
  }
  if (span < std::chrono::hours{2}) {
    return fmt::format("{:.1f} min", value / 60e3);
  }
  if (span < std::chrono::hours{48}) {
    return fmt::format("{:.1f} h", value / 3600e3);
  }
  return fmt::format("{:.1f} d", value / 86400e3);
}

/// 640 ns · 12.3 us · 4.5 ms; empty when not measured.
[[nodiscard]] inline std::string readable_nanoseconds(std::int64_t nanoseconds) {
  auto const value = static_cast<double>(nanoseconds);
  if (nanoseconds <= 0) {
    return {};
  }
  if (nanoseconds < 1000) {
    return fmt::format("{} ns", nanoseconds);
  }
  return nanoseconds < 1'000'000 ? fmt::format("{:.1f} us", value / 1e3)
                                 : fmt::format("{:.1f} ms", value / 1e6);
}

namespace detail {
inline constexpr std::array<std::string_view, 13> table_columns{
    "scheduler", "jobs", "avg JCT",     "p50 JCT",  "p99 JCT",  "avg wait", "p99 wait",
    "makespan",  "util", "preemptions", "GPU lost", "tick p50", "tick p99"};
}  // namespace detail

/// With a heading and a line feed behind each line. `jobs` reads "finished/submitted" while some
/// are unfinished; JCT and waiting are of finished jobs and a dash when there is none.
[[nodiscard]] inline std::string report_table(std::span<summary const> runs) {
  using line = std::array<std::string, detail::table_columns.size()>;
  std::vector<line> lines(1);
  std::copy(detail::table_columns.begin(), detail::table_columns.end(), lines[0].begin());
  for (summary const& run : runs) {
    auto const span = [&run](duration value) {
      return run.finished == 0 ? std::string{"-"} : readable(value);
    };
    lines.push_back({run.scheduler,
                     run.finished == run.jobs ? fmt::format("{}", run.jobs)
                                              : fmt::format("{}/{}", run.finished, run.jobs),
                     span(run.avg_jct), span(run.p50_jct), span(run.p99_jct), span(run.avg_wait),
                     span(run.p99_wait), span(run.makespan),
                     fmt::format("{:.1f} %", run.utilisation * 100),
                     fmt::format("{}", run.preemptions),
                     fmt::format("{:.1f} h", static_cast<double>(run.lost.count()) / 3600e3),
                     readable_nanoseconds(run.tick_p50), readable_nanoseconds(run.tick_p99)});
  }
  line const& heading = lines[0];
  std::array<std::size_t, detail::table_columns.size()> width{};
  for (line const& each : lines) {
    for (std::size_t at = 0; at < heading.size(); ++at) {
      width[at] = std::max(width[at], each[at].size());
    }
  }
  std::string text;
  for (line const& each : lines) {
    text += fmt::format("{:<{}}", each[0], width[0]);
    for (std::size_t at = 1; at < heading.size(); ++at) {
      text += fmt::format("  {:>{}}", each[at], width[at]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace sim

BERTH_NAMESPACE_END
