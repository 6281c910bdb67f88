// SPDX-License-Identifier: BSL-1.0
// What the script of the HTML report draws: curves and sampled Gantt grids of each run, as JSON
// that may stand inside a <script> element.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/detail/gantt.hpp>
#include <berth_sim/detail/series.hpp>
#include <berth_sim/metrics.hpp>
#include <berth_sim/report_json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

/// The three curves of one run.
struct run_curves {
  std::vector<point> completion;
  std::vector<point> waiting;
  std::vector<point> load;
};

[[nodiscard]] inline run_curves curves_of(run_result const& run) {
  return {distribution(completion_times(run), 240), distribution(waiting_times(run), 240),
          utilisation(run, 300)};
}

[[nodiscard]] inline nlohmann::ordered_json json_of(std::vector<point> const& points) {
  auto const rounded = [](double value) { return std::round(value * 1000) / 1000; };
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (point const& each : points) {
    out.push_back({rounded(each.x), rounded(each.y)});
  }
  return out;
}

/// Rows as [cells, job, cells, job, …]; a job is an index into `jobs` = [[number, GPUs], …], or -1.
[[nodiscard]] inline nlohmann::ordered_json json_of(gantt_grid const& grid, run_result const& run) {
  std::map<std::uint32_t, std::int64_t> index;
  nlohmann::ordered_json jobs = nlohmann::ordered_json::array();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (gantt_row const& row : grid.rows) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::array();
    for (stretch const& each : row.stretches) {
      std::int64_t number = -1;
      if (each.job != no_job) {
        auto const [at, is_new] =
            index.try_emplace(each.job, static_cast<std::int64_t>(index.size()));
        if (is_new) {
          std::int32_t const gang = each.job < run.jobs.size() ? run.jobs[each.job].gpus : 0;
          jobs.push_back({each.job, gang});
        }
        number = at->second;
      }
      cells.push_back(each.cells);
      cells.push_back(number);
    }
    nlohmann::ordered_json line;
    line["node"] = row.node;
    line["gpu"] = row.gpu;
    line["cells"] = std::move(cells);
    rows.push_back(std::move(line));
  }
  nlohmann::ordered_json out;
  out["columns"] = grid.columns;
  out["hours"] = static_cast<double>((grid.span.to - grid.span.from).count()) / 3600e3;
  out["rows"] = std::move(rows);
  out["jobs"] = std::move(jobs);
  return out;
}

/// JSON with '<' written as an escape, so that no name can close the element around it.
[[nodiscard]] inline std::string dump_for_script(nlohmann::ordered_json const& value) {
  std::string out;
  for (char const letter : dump(value)) {
    if (letter == '<') {
      out += "\\u003c";
    } else {
      out += letter;
    }
  }
  return out;
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
