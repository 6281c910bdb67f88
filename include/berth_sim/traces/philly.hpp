// SPDX-License-Identifier: BSL-1.0
// Jobs of Microsoft's Philly cluster in the five-column reduction that the Pollux and ElasticFlow
// simulators use: timestamp,duration,num_gpus,gpu_time,cluster. The trace itself is described in
// Jeon et al., "Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads", ATC
// 2019.
//
// Timestamps are local time without a zone. They are read as a uniform clock of 86,400 s a day:
// across the change of daylight saving time inside the trace, intervals may be wrong by one hour,
// and no reader can know better. Lines are not sorted; the workload is.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>
#include <berth_sim/traces/read_options.hpp>
#include <berth_sim/workload.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

/// "YYYY-MM-DD HH:MM:SS" as a uniform clock since 1970.
[[nodiscard]] inline complaint parse_timestamp(std::string_view text, time_point& out) noexcept {
  constexpr std::string_view shape = "dddd-dd-dd dd:dd:dd";
  constexpr complaint wrong = "is not YYYY-MM-DD HH:MM:SS";
  if (text.size() != shape.size()) {
    return wrong;
  }
  std::array<int, 6> parts{};
  std::size_t part = 0;
  for (std::size_t at = 0; at < shape.size(); ++at) {
    if (shape[at] != 'd') {
      if (text[at] != shape[at]) {
        return wrong;
      }
      ++part;
    } else if (text[at] < '0' || text[at] > '9') {
      return wrong;
    } else {
      parts[part] = parts[part] * 10 + (text[at] - '0');
    }
  }
  std::chrono::year_month_day const date{std::chrono::year{parts[0]},
                                         std::chrono::month{static_cast<unsigned>(parts[1])},
                                         std::chrono::day{static_cast<unsigned>(parts[2])}};
  if (!date.ok() || parts[3] > 23 || parts[4] > 59 || parts[5] > 59) {
    return "is no date of the calendar";
  }
  auto const day = std::chrono::sys_days{date}.time_since_epoch();
  out = time_point{day + std::chrono::hours{parts[3]} + std::chrono::minutes{parts[4]} +
                   std::chrono::seconds{parts[5]}};
  return nullptr;
}

}  // namespace detail

/// Reads the trace; the column `cluster` becomes the tenant. Jobs without a positive duration are
/// skipped and counted. O(n log n).
[[nodiscard]] inline parsed<workload> read_philly(std::istream& in, std::string const& file,
                                                  read_options options = {}) {
  static constexpr std::array<std::string_view, 5> names{"timestamp", "duration", "num_gpus",
                                                         "gpu_time", "cluster"};
  workload trace;
  trace.source = "philly " + file;
  auto const row = [&trace](std::vector<detail::cell> const& cells,
                            std::size_t line) -> std::optional<detail::bad_cell> {
    job each;
    duration ignored{};
    if (auto const wrong = detail::parse_timestamp(cells[0].text, each.submit)) {
      return detail::complain(0, wrong);
    }
    if (auto const wrong = detail::parse_seconds(cells[1].text, each.work)) {
      return detail::complain(1, wrong);
    }
    if (auto const wrong = detail::parse_gpus(cells[2].text, each.gpus)) {
      return detail::complain(2, wrong);
    }
    if (auto const wrong = detail::parse_seconds(cells[3].text, ignored, max_instant)) {
      return detail::complain(3, wrong);
    }
    if (cells[4].text.empty()) {
      return detail::complain(4, "is empty");
    }
    if (each.work <= duration::zero()) {
      ++trace.skipped.without_duration;
      return std::nullopt;
    }
    each.tenant = trace.tenants.intern(cells[4].text);
    each.line = static_cast<std::uint32_t>(line);
    trace.jobs.push_back(std::move(each));
    return std::nullopt;
  };
  if (auto wrong =
          detail::read_csv(in, file, options.lenient, names, trace.skipped.malformed, row)) {
    return *std::move(wrong);
  }
  sort_by_submit(trace);
  rebase(trace);
  return trace;
}

[[nodiscard]] inline parsed<workload> read_philly_file(std::string const& path,
                                                       read_options options = {}) {
  return detail::read_path(
      path, [&](std::istream& in) -> parsed<workload> { return read_philly(in, path, options); });
}

}  // namespace sim

BERTH_NAMESPACE_END
