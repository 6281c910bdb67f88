// SPDX-License-Identifier: BSL-1.0
// Traces of the Gavel repository (Narayanan et al., OSDI 2020), without a header, separated by
// tabs, in either layout:
//   10 columns  job type, command, directory, step option, needs data, steps, GPUs, weight, SLO,
//   arrival
//    7 columns  job type, command, step option, needs data, steps, arrival, GPUs
// The work is steps ÷ steps per second on the reference GPU type.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/cells.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>
#include <berth_sim/traces/gavel_throughputs.hpp>
#include <berth_sim/workload.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct gavel_options {
  bool lenient = false;                            ///< as read_options::lenient
  gavel_throughputs const* throughputs = nullptr;  ///< nullptr = gavel_throughputs::nominal()
  std::string reference_type = "v100";             ///< the GPU type on which `work` is counted
};

namespace detail {

inline constexpr std::array<std::string_view, 10> gavel_long{
    "job_type",   "command", "working_directory", "steps_argument",
    "needs_data", "steps",   "scale_factor",      "weight",
    "slo",        "arrival"};
inline constexpr std::array<std::string_view, 7> gavel_short{
    "job_type", "command", "steps_argument", "needs_data", "steps", "arrival", "scale_factor"};

/// Batch size out of "Model (batch size N)"; 0 when there is none.
[[nodiscard]] inline std::int64_t gavel_batch_size(std::string_view job_type) noexcept {
  constexpr std::string_view marker = "(batch size ";
  std::size_t const start = job_type.find(marker);
  std::int64_t size = 0;
  if (start == std::string_view::npos || !job_type.ends_with(')')) {
    return 0;
  }
  std::size_t const digits = start + marker.size();
  return parse_integer(job_type.substr(digits, job_type.size() - digits - 1), size) == nullptr
             ? size
             : 0;
}

inline std::optional<bad_cell> add_gavel_job(workload& trace, std::vector<cell> const& cells,
                                             std::size_t line, gavel_throughputs const& speeds,
                                             std::string_view reference_type) {
  bool const is_long = cells.size() == gavel_long.size();
  std::size_t const steps_at = is_long ? 5 : 4;
  std::size_t const gpus_at = 6;
  std::size_t const arrival_at = is_long ? 9 : 5;
  job each;
  std::int64_t steps = 0;
  duration arrival{};
  if (complaint const wrong = parse_integer(cells[steps_at].text, steps)) {
    return complain(steps_at, wrong);
  }
  if (complaint const wrong = parse_gpus(cells[gpus_at].text, each.gpus)) {
    return complain(gpus_at, wrong);
  }
  if (complaint const wrong = parse_seconds(cells[arrival_at].text, arrival, max_instant)) {
    return complain(arrival_at, wrong);
  }
  if (is_long) {
    double weight = 0;
    if (complaint const wrong = parse_real(cells[7].text, weight)) {
      return complain(7, wrong);
    }
    if (weight > std::numeric_limits<std::int32_t>::max()) {
      return bad_cell{7, "is out of range"};
    }
    each.priority = static_cast<std::int32_t>(weight);
    if (cells[8].text != "-1" && cells[8].text != "-1.000000") {  // no deadline
      if (complaint const wrong = parse_seconds(cells[8].text, each.deadline)) {
        return complain(8, wrong);
      }
    }
  }
  double const speed = speeds.steps_per_second(reference_type, cells[0].text, each.gpus);
  if (!(speed > 0)) {
    return bad_cell{0, "has no throughput on the reference GPU type"};
  }
  if (steps > 0) {
    if (complaint const wrong = milliseconds_of(static_cast<double>(steps) / speed, each.work)) {
      return complain(steps_at, wrong);
    }
  }
  if (each.work <= duration::zero()) {
    ++trace.skipped.without_duration;
    return std::nullopt;
  }
  each.submit = time_point{arrival};
  each.members = each.gpus;
  each.batch_size = gavel_batch_size(cells[0].text);
  each.application = trace.applications.intern(cells[0].text);
  each.line = static_cast<std::uint32_t>(line);
  trace.jobs.push_back(std::move(each));
  return std::nullopt;
}

}  // namespace detail

/// Reads a trace; every line may have either layout. O(n log n).
[[nodiscard]] inline parsed<workload> read_gavel(std::istream& in, std::string const& file,
                                                 gavel_options const& options = {}) {
  workload trace;
  trace.source = "gavel " + file;
  gavel_throughputs const nominal =
      options.throughputs == nullptr ? gavel_throughputs::nominal() : gavel_throughputs{};
  gavel_throughputs const& speeds = options.throughputs == nullptr ? nominal : *options.throughputs;
  detail::line_reader lines{in};
  std::string line;
  std::vector<detail::cell> cells;
  bool empty = true;
  while (lines.next(line)) {
    empty = false;
    detail::split_tabs(line, cells);
    bool const is_long = cells.size() > detail::gavel_short.size();
    std::span<std::string_view const> const names =
        is_long ? std::span<std::string_view const>{detail::gavel_long}
                : std::span<std::string_view const>{detail::gavel_short};
    std::optional<parse_error> wrong;
    if (cells.size() != names.size()) {
      wrong = detail::wrong_count(file, lines.number(), line, cells, names);
    } else if (auto const bad = detail::add_gavel_job(trace, cells, lines.number(), speeds,
                                                      options.reference_type)) {
      wrong = detail::locate(file, lines.number(), cells, names, *bad);
    }
    if (wrong) {
      if (!options.lenient) {
        return *std::move(wrong);
      }
      ++trace.skipped.malformed;
    }
  }
  if (empty) {
    return parse_error{file, 0, 0, {}, "the file is empty"};
  }
  sort_by_submit(trace);
  rebase(trace);
  return trace;
}

[[nodiscard]] inline parsed<workload> read_gavel_file(std::string const& path,
                                                      gavel_options const& options = {}) {
  return detail::read_path(
      path, [&](std::istream& in) -> parsed<workload> { return read_gavel(in, path, options); });
}

}  // namespace sim

BERTH_NAMESPACE_END
