// SPDX-License-Identifier: BSL-1.0
// Runs compared on one page: summary, distributions of completion and waiting time, utilisation
// over time, a Gantt picture of the GPUs. The page is one file and asks the network for nothing
// (its content security policy forbids it). Pictures are sampled, so a page stays below about 3 MB
// however long the run was.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/detail/gantt.hpp>
#include <berth_sim/detail/html_data.hpp>
#include <berth_sim/detail/html_script.hpp>
#include <berth_sim/detail/html_style.hpp>
#include <berth_sim/detail/series.hpp>
#include <berth_sim/detail/svg_chart.hpp>
#include <berth_sim/metrics.hpp>
#include <berth_sim/report_table.hpp>
#include <berth_sim/summary.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct html_options {
  std::string title = "Schedulers compared";
  /// Text of Chart.js 3 to put into the page (the build brings it as assets::chartjs()); empty: the
  /// line charts are plain SVG.
  std::string_view chart_script;
};

namespace detail {

/// A column of the summary table: what to show, and the number that says which run is best.
struct html_column {
  std::string_view heading;
  std::string (*text)(summary const&);
  double (*badness)(summary const&);  ///< nullptr = no run is better than another
};

inline double badness_of(duration value) noexcept {
  return static_cast<double>(value.count());
}

inline constexpr std::array html_columns{
    html_column{"jobs finished",
                [](summary const& run) { return fmt::format("{} of {}", run.finished, run.jobs); },
                nullptr},
    html_column{"average JCT", [](summary const& run) { return readable(run.avg_jct); },
                [](summary const& run) { return badness_of(run.avg_jct); }},
    html_column{"median JCT", [](summary const& run) { return readable(run.p50_jct); },
                [](summary const& run) { return badness_of(run.p50_jct); }},
    html_column{"p99 JCT", [](summary const& run) { return readable(run.p99_jct); },
                [](summary const& run) { return badness_of(run.p99_jct); }},
    html_column{"average wait", [](summary const& run) { return readable(run.avg_wait); },
                [](summary const& run) { return badness_of(run.avg_wait); }},
    html_column{"p99 wait", [](summary const& run) { return readable(run.p99_wait); },
                [](summary const& run) { return badness_of(run.p99_wait); }},
    html_column{"makespan", [](summary const& run) { return readable(run.makespan); },
                [](summary const& run) { return badness_of(run.makespan); }},
    html_column{"utilisation",
                [](summary const& run) { return fmt::format("{:.1f} %", run.utilisation * 100); },
                nullptr},
    html_column{"preemptions",
                [](summary const& run) { return fmt::format("{}", run.preemptions); }, nullptr},
    html_column{"GPU-time lost",
                [](summary const& run) {
                  return fmt::format("{:.1f} GPU·h",
                                     static_cast<double>(run.lost.count()) / 3600e3);
                },
                nullptr},
    html_column{"tick p50 / p99",
                [](summary const& run) {
                  return run.tick_p50 == 0 ? std::string{"–"}
                                           : readable_nanoseconds(run.tick_p50) + " / " +
                                                 readable_nanoseconds(run.tick_p99);
                },
                nullptr}};

inline void write_summary_table(std::ostream& out, std::span<summary const> runs) {
  bool const compare = runs.size() > 1;
  out << "<section><h2>Summary</h2><p class=\"quiet\">JCT: job completion time, from submission to "
         "finish. Wait: time without GPUs. Averages and percentiles (nearest rank) are over "
         "finished "
         "jobs."
      << (compare ? " The shortest time of each column is shaded." : "")
      << "</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Summary table\">"
         "<table><thead><tr><th scope=\"col\">scheduler</th>";
  for (html_column const& column : html_columns) {
    out << "<th scope=\"col\">" << column.heading << "</th>";
  }
  out << "</tr></thead>\n<tbody>";
  for (summary const& run : runs) {
    out << "<tr><th scope=\"row\">" << escape_html(run.scheduler) << "</th>";
    for (html_column const& column : html_columns) {
      bool const best =
          compare && column.badness != nullptr && run.finished == run.jobs &&
          std::all_of(runs.begin(), runs.end(), [&column, &run](summary const& other) {
            return column.badness(run) <= column.badness(other);
          });
      bool const known = run.finished != 0 || column.badness == nullptr;
      out << (best ? "<td class=\"best\">" : "<td>") << (known ? column.text(run) : "–") << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div></section>\n";
}

/// The distributions once more as numbers, for readers who do not see the picture.
inline void write_quantiles(std::ostream& out, std::span<run_result const> runs,
                            std::vector<duration> (*values_of)(run_result const&)) {
  constexpr std::array<std::uint32_t, 8> percents{10, 25, 50, 75, 90, 95, 99, 100};
  out << "<details><summary>As numbers</summary><div class=\"scroll\" tabindex=\"0\"><table><thead>"
         "<tr><th scope=\"col\">scheduler</th>";
  for (std::uint32_t const percent : percents) {
    out << "<th scope=\"col\">" << (percent == 100 ? "max" : fmt::format("p{}", percent))
        << "</th>";
  }
  out << "</tr></thead><tbody>";
  for (run_result const& run : runs) {
    std::vector<duration> values = values_of(run);
    std::sort(values.begin(), values.end());
    out << "<tr><th scope=\"row\">" << escape_html(run.scheduler) << "</th>";
    for (std::uint32_t const percent : percents) {
      out << "<td>" << (values.empty() ? "–" : readable(nearest_rank(values, percent))) << "</td>";
    }
    out << "</tr>";
  }
  out << "</tbody></table></div></details>";
}

struct html_chart {
  std::string_view key;  ///< of the run's curve in the data
  std::string_view heading;
  std::string_view note;
  chart_text text;
  bool logarithmic = true;
};

inline void write_chart(std::ostream& out, html_chart const& chart,
                        std::vector<curve> const& curves, bool with_library) {
  out << "<section><h2>" << chart.heading << "</h2><p class=\"quiet\">" << chart.note << "</p>";
  if (with_library) {
    out << "<div class=\"plot\"><canvas role=\"img\" data-curve=\"" << chart.key << "\" data-x=\""
        << chart.text.x_label << "\" data-y=\"" << chart.text.y_label << "\" aria-label=\""
        << chart.text.title << "\"></canvas></div>\n";
  } else {
    out << svg_chart(curves, chart.text, chart.logarithmic);
  }
}

inline void write_gantt(std::ostream& out, std::span<run_result const> runs,
                        std::vector<gantt_grid> const& grids) {
  out << "<section><h2>GPUs over time</h2><p class=\"quiet\">A row is one GPU";
  std::size_t shown = 0;
  for (gantt_grid const& grid : grids) {
    shown = std::max(shown, grid.rows.size());
  }
  if (static_cast<std::int64_t>(shown) < runs[0].gpu_count()) {
    out << fmt::format(" ({} of {} are shown)", shown, runs[0].gpu_count());
  }
  out << ", a bar one stay of a job. Point at a bar, or focus the picture and use the arrow keys, "
         "to "
         "see which job it is and where else it runs; Escape lets go.</p>\n<div class=\"controls\">"
         "<label>Scheduler <select id=\"which\">";
  for (std::size_t at = 0; at < grids.size(); ++at) {
    if (!grids[at].rows.empty()) {
      out << "<option value=\"" << at << "\">" << escape_html(runs[at].scheduler) << "</option>";
    }
  }
  out << "</select></label><ul class=\"legend\" aria-label=\"GPUs of the job\">";
  constexpr std::array<std::string_view, 5> sizes{"1 GPU", "2–4", "5–8", "9–16", "17 and more"};
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    out << fmt::format("<li><span class=\"swatch\" style=\"background:var(--g{})\"></span>{}</li>",
                       at, sizes[at]);
  }
  out << "<li><span class=\"swatch\" style=\"background:var(--idle)\"></span>idle</li></ul></div>\n"
         "<canvas id=\"gantt\" tabindex=\"0\" role=\"application\" aria-label=\"Gantt picture of "
         "the "
         "GPUs; arrow keys move\" aria-describedby=\"where\"></canvas>"
         "<p id=\"where\" role=\"status\" aria-live=\"polite\"></p></section>\n";
}

}  // namespace detail

/// Writes the page. The runs should be of one workload on one cluster; the first names both.
inline void write_html(std::ostream& out, std::span<run_result const> runs,
                       html_options const& options = {}) {
  std::vector<summary> summaries;
  std::vector<detail::gantt_grid> grids;
  std::vector<detail::curve> completion;
  std::vector<detail::curve> waiting;
  std::vector<detail::curve> load;
  nlohmann::ordered_json data;
  data["runs"] = nlohmann::ordered_json::array();
  bool any_gantt = false;
  for (run_result const& run : runs) {
    summaries.push_back(summarise(run));
    // 100,000 stretches of about 20 bytes on the whole page.
    grids.push_back(detail::sample_gantt(run, 128, 800, 100'000 / runs.size()));
    detail::run_curves curves = detail::curves_of(run);
    nlohmann::ordered_json line;
    line["name"] = run.scheduler;
    line["jct"] = detail::json_of(curves.completion);
    line["wait"] = detail::json_of(curves.waiting);
    line["load"] = detail::json_of(curves.load);
    if (!grids.back().rows.empty()) {
      any_gantt = true;
      line["gantt"] = detail::json_of(grids.back(), run);
    }
    data["runs"].push_back(std::move(line));
    completion.push_back({run.scheduler, std::move(curves.completion)});
    waiting.push_back({run.scheduler, std::move(curves.waiting)});
    load.push_back({run.scheduler, std::move(curves.load)});
  }
  std::string const title = detail::escape_html(options.title);
  bool const with_library = !options.chart_script.empty();

  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n<title>"
      << title << "</title>\n<style>" << detail::html_style
      << "</style>\n</head>\n<body>\n<main>\n<h1>" << title << "</h1>\n<p class=\"quiet\">";
  if (!runs.empty()) {
    out << detail::escape_html(runs[0].workload)
        << fmt::format(" · {} nodes, {} GPUs", runs[0].node_gpus.size(), runs[0].gpu_count());
  }
  out << "</p>\n";
  detail::write_summary_table(out, summaries);

  out << "<div class=\"pair\">\n";
  detail::write_chart(
      out,
      {"jct",
       "Job completion time",
       "Share of finished jobs done within a time after submission; higher is better.",
       {"Distribution of job completion time", "completion time (logarithmic)",
        "finished jobs (%)"}},
      completion, with_library);
  detail::write_quantiles(out, runs, detail::completion_times);
  out << "</section>\n";
  detail::write_chart(
      out,
      {"wait",
       "Waiting time",
       "Share of finished jobs that spent at most a time without GPUs. Less than a "
       "second is drawn at one second.",
       {"Distribution of waiting time", "waiting time (logarithmic)", "finished jobs (%)"}},
      waiting, with_library);
  detail::write_quantiles(out, runs, detail::waiting_times);
  out << "</section>\n</div>\n";
  detail::write_chart(
      out,
      {"load",
       "Utilisation",
       "Share of GPUs that are held by a job, averaged over short intervals.",
       {"Utilisation over time", "time since the first submission (h)", "GPUs in use (%)"},
       false},
      load, with_library);
  out << "</section>\n";
  if (any_gantt) {
    detail::write_gantt(out, runs, grids);
  }
  out << "</main>\n<script type=\"application/json\" id=\"data\">" << detail::dump_for_script(data)
      << "</script>\n";
  if (with_library) {
    out << "<script>" << options.chart_script << "</script>\n";
  }
  out << "<script>" << detail::html_script << "</script>\n</body>\n</html>\n";
}

}  // namespace sim

BERTH_NAMESPACE_END
