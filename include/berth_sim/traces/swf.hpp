// SPDX-License-Identifier: BSL-1.0
// Standard Workload Format (Chapin et al., "Benchmarks and Standards for the Evaluation of Parallel
// Job Schedulers", JSSPP 1999): 18 fields separated by blanks, comments behind ';', -1 for unknown.
// A processor of the log is taken for a GPU: `processors_per_gpu` says how many make one.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/cells.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>
#include <berth_sim/workload.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct swf_options {
  bool lenient = false;                 ///< as read_options::lenient
  std::int32_t processors_per_gpu = 1;  ///< sizes are rounded up to whole GPUs; below 1 counts as 1
};

namespace detail {

inline constexpr std::array<std::string_view, 18> swf_fields{
    "job_number",      "submit_time",  "wait_time",   "run_time",
    "processors_used", "average_cpu",  "memory_used", "processors_asked",
    "time_asked",      "memory_asked", "status",      "user",
    "group",           "executable",   "queue",       "partition",
    "preceding_job",   "think_time"};

/// Unknown (-1) gives -1; every other negative number is refused.
[[nodiscard]] inline complaint parse_swf(std::string_view text, double& out) noexcept {
  if (text == "-1" || text == "-1.0" || text == "-1.00") {
    out = -1;
    return nullptr;
  }
  return parse_real(text, out);
}

[[nodiscard]] inline name_id intern_swf(string_table& table, double number) {
  return number < 0 ? name_id::none
                    : table.intern(std::to_string(static_cast<std::int64_t>(number)));
}

/// One line; the fields are already numbers in range.
inline std::optional<bad_cell> add_swf_job(workload& trace, std::array<double, 18> const& value,
                                           std::size_t line, std::int32_t processors_per_gpu) {
  job each;
  duration submit{};
  if (value[1] < 0) {
    return bad_cell{1, "is unknown"};
  }
  if (complaint const wrong = milliseconds_of(value[1], submit, max_instant)) {
    return complain(1, wrong);
  }
  // What was used counts; what was asked for stands in when that is unknown.
  std::size_t const source = value[4] > 0 ? 4 : 7;
  double const per_gpu = std::max(processors_per_gpu, 1);
  double const gpus = std::ceil(value[source] / per_gpu);
  if (gpus > static_cast<double>(std::numeric_limits<std::int32_t>::max())) {
    return bad_cell{source, "is out of range"};
  }
  if (gpus < 1) {
    ++trace.skipped.without_gpu;
    return std::nullopt;
  }
  if (value[3] > 0) {
    if (complaint const wrong = milliseconds_of(value[3], each.work)) {
      return complain(3, wrong);
    }
  }
  if (each.work <= duration::zero()) {
    ++trace.skipped.without_duration;
    return std::nullopt;
  }
  if (value[8] > 0) {
    if (complaint const wrong = milliseconds_of(value[8], each.estimate)) {
      return complain(8, wrong);
    }
  }
  each.submit = time_point{submit};
  each.gpus = static_cast<std::int32_t>(gpus);
  each.name = intern_swf(trace.names, value[0]);
  each.user = intern_swf(trace.users, value[11]);
  each.tenant = intern_swf(trace.tenants, value[12]);
  each.application = intern_swf(trace.applications, value[13]);
  each.line = static_cast<std::uint32_t>(line);
  trace.jobs.push_back(std::move(each));
  return std::nullopt;
}

}  // namespace detail

/// Reads a log. Jobs without a positive run time (cancelled before they started) and without
/// processors are skipped and counted. O(n log n).
[[nodiscard]] inline parsed<workload> read_swf(std::istream& in, std::string const& file,
                                               swf_options options = {}) {
  workload trace;
  trace.source = "swf " + file;
  detail::line_reader lines{in};
  std::string line;
  std::vector<detail::cell> cells;
  bool empty = true;
  while (lines.next(line)) {
    empty = false;
    line.resize(std::min(line.find(';'), line.size()));
    detail::split_blanks(line, cells);
    if (cells.empty()) {
      continue;
    }
    std::optional<parse_error> wrong;
    if (cells.size() != detail::swf_fields.size()) {
      wrong = detail::wrong_count(file, lines.number(), line, cells, detail::swf_fields);
    } else {
      std::array<double, 18> value{};
      std::optional<detail::bad_cell> bad;
      for (std::size_t at = 0; at < value.size() && !bad; ++at) {
        bad = detail::complain(at, detail::parse_swf(cells[at].text, value[at]));
        if (!bad && value[at] > static_cast<double>(max_instant.count())) {
          bad = detail::bad_cell{at, "is out of range"};
        }
      }
      if (!bad) {
        bad = detail::add_swf_job(trace, value, lines.number(), options.processors_per_gpu);
      }
      if (bad) {
        wrong = detail::locate(file, lines.number(), cells, detail::swf_fields, *bad);
      }
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

[[nodiscard]] inline parsed<workload> read_swf_file(std::string const& path,
                                                    swf_options options = {}) {
  return detail::read_path(
      path, [&](std::istream& in) -> parsed<workload> { return read_swf(in, path, options); });
}

}  // namespace sim

BERTH_NAMESPACE_END
