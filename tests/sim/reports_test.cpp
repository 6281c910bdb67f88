// SPDX-License-Identifier: BSL-1.0
// The reports: table, JSON, HTML and trace events.
#include <berth_sim/assets/chartjs.hpp>
#include <berth_sim/report_html.hpp>
#include <berth_sim/report_json.hpp>
#include <berth_sim/report_table.hpp>
#include <berth_sim/report_trace.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sample_runs.hpp"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace reports_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

summary some_summary() {
  summary s;
  s.scheduler = "fifo";
  s.jobs = 10;
  s.finished = 9;
  s.avg_jct = 1500ms;
  s.p50_jct = 90min;
  s.p99_jct = 5h;
  s.avg_wait = 250ms;
  s.p99_wait = 72h;
  s.makespan = 100s;
  s.utilisation = 0.625;
  s.preemptions = 3;
  s.lost = gpu_time{7'200'000};
  s.ticks = 44;
  s.tick_p50 = 850;
  s.tick_p99 = 12'345;
  s.digest = 0xabcu;
  return s;
}

std::string page_of(std::vector<run_result> const& runs, html_options const& options = {}) {
  std::ostringstream out;
  write_html(out, runs, options);
  return out.str();
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The JSON that the page's script draws.
nlohmann::json data_of(std::string const& page) {
  std::string const open = R"(<script type="application/json" id="data">)";
  std::size_t const start = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

/// A name made to break out of whatever it is written into.
std::string const hostile = "</script><b>\"&'\\";

}  // namespace

TEST_CASE("the JSON has exactly the promised names, in order") {
  std::vector<summary> const runs{some_summary(), some_summary()};
  auto const all = nlohmann::ordered_json::parse(report_json(runs));
  REQUIRE(all.size() == 1);
  REQUIRE(all.at("runs").size() == 2);
  std::vector<std::string> names;
  for (auto const& [name, value] : all["runs"][0].items()) {
    names.push_back(name);
  }
  CHECK(names == std::vector<std::string>{"scheduler", "jobs", "finished", "avg_jct_s", "p50_jct_s",
                                          "p99_jct_s", "avg_wait_s", "p99_wait_s", "makespan_s",
                                          "utilisation", "preemptions", "gpu_s_lost", "ticks",
                                          "tick_ns_p50", "tick_ns_p99", "digest"});
}

TEST_CASE("the JSON has the values of the summary in seconds") {
  std::vector<summary> const runs{some_summary()};
  auto const run = nlohmann::json::parse(report_json(runs))["runs"][0];
  CHECK(run["scheduler"] == "fifo");
  CHECK(run["jobs"] == 10);
  CHECK(run["finished"] == 9);
  CHECK(run["avg_jct_s"] == 1.5);
  CHECK(run["p50_jct_s"] == 5400.0);
  CHECK(run["p99_jct_s"] == 18000.0);
  CHECK(run["avg_wait_s"] == 0.25);
  CHECK(run["p99_wait_s"] == 259200.0);
  CHECK(run["makespan_s"] == 100.0);
  CHECK(run["utilisation"] == 0.625);
  CHECK(run["preemptions"] == 3);
  CHECK(run["gpu_s_lost"] == 7200.0);
  CHECK(run["ticks"] == 44);
  CHECK(run["tick_ns_p50"] == 850);
  CHECK(run["tick_ns_p99"] == 12345);
  CHECK(run["digest"] == "0000000000000abc");
}

TEST_CASE("what no job decides is null, and names survive whatever they contain") {
  summary s;
  s.scheduler = hostile + "\xff";
  std::vector<summary> const runs{s};
  auto const run = nlohmann::json::parse(report_json(runs))["runs"][0];
  CHECK(run["avg_jct_s"].is_null());
  CHECK(run["p99_wait_s"].is_null());
  CHECK(run["makespan_s"].is_null());
  CHECK(run["scheduler"].get<std::string>() == hostile + "\xEF\xBF\xBD");
  CHECK(report_json({}) == "{\n  \"runs\": []\n}\n");
}

TEST_CASE("the table has a line a run, aligned") {
  summary unfinished;
  unfinished.scheduler = "a longer name";
  unfinished.jobs = 5;
  std::vector<summary> const runs{some_summary(), unfinished};
  std::string const table = report_table(runs);
  CHECK(count_of(table, "\n") == 3);
  CHECK(table.find("fifo           ") != std::string::npos);
  for (char const* part : {"9/10", "0/5", "1.5 s", "90.0 min", "5.0 h", "3.0 d", "250 ms", "62.5 %",
                           "2.0 h", "850 ns", "12.3 us"}) {
    CAPTURE(part);
    CHECK(table.find(part) != std::string::npos);
  }
  std::istringstream lines{table};
  std::string heading;
  std::string first;
  std::getline(lines, heading);
  std::getline(lines, first);
  CHECK(heading.size() == first.size());
}

TEST_CASE("the page asks the network for nothing") {
  std::string page = page_of(sample::make_runs(100));
  std::string const space = "xmlns=\"http://www.w3.org/2000/svg\"";
  CHECK(count_of(page, "http") == count_of(page, space) + 1);
  CHECK(count_of(page,
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';") ==
        1);
  CHECK(count_of(page, "://") == count_of(page, space));
  for (char const* part : {"src=\"", "href=", "@import", "url(", "fetch(", "XMLHttp"}) {
    CAPTURE(part);
    CHECK(count_of(page, part) == 0);
  }
}

TEST_CASE("with a chart library the page has canvases, without one SVG") {
  std::vector<run_result> const runs = sample::make_runs(100);
  std::string const plain = page_of(runs);
  CHECK(count_of(plain, "<svg class=\"chart") == 3);
  CHECK(count_of(plain, "<polyline") == 9);
  CHECK(count_of(plain, "<canvas") == 1);
  std::string const rich = page_of(runs, {.title = "t", .chart_script = "/* a library */"});
  CHECK(count_of(rich, "<svg class=\"chart") == 0);
  CHECK(count_of(rich, "<canvas") == 4);
  CHECK(count_of(rich, "<script>/* a library */</script>") == 1);
}

TEST_CASE("the embedded library is Chart.js and cannot close its element, or is absent") {
  std::string_view const script = assets::chartjs();
  if (script.empty()) {
    MESSAGE("skipped: the build found no Chart.js");
    return;
  }
  CHECK(script.find("Chart.js v3") != std::string_view::npos);
  CHECK(script.find("</script") == std::string_view::npos);
  CHECK(script.find('\0') == std::string_view::npos);
}

TEST_CASE("the page carries the summary, the curves and the grid of each run") {
  std::vector<run_result> const runs = sample::make_runs(100);
  std::string const page = page_of(runs);
  nlohmann::json const data = data_of(page);
  REQUIRE(data["runs"].size() == 3);
  for (std::size_t at = 0; at < 3; ++at) {
    nlohmann::json const& run = data["runs"][at];
    CHECK(run["name"] == runs[at].scheduler);
    CHECK(run["jct"].size() == 100);
    CHECK(run["wait"].back()[1] == 100.0);
    CHECK(run["load"].size() == 300);
    nlohmann::json const& grid = run["gantt"];
    REQUIRE(grid["rows"].size() == 64);
    for (nlohmann::json const& row : grid["rows"]) {
      std::int64_t cells = 0;
      for (std::size_t part = 0; part < row["cells"].size(); part += 2) {
        cells += row["cells"][part].get<std::int64_t>();
        auto const job = row["cells"][part + 1].get<std::int64_t>();
        CHECK(job >= -1);
        CHECK(job < static_cast<std::int64_t>(grid["jobs"].size()));
      }
      CHECK(cells == grid["columns"].get<std::int64_t>());
    }
    for (nlohmann::json const& job : grid["jobs"]) {
      CHECK(job[1] == runs[at].jobs[job[0].get<std::size_t>()].gpus);
    }
    CHECK(count_of(page, "<option value=\"" + std::to_string(at) + "\">" + runs[at].scheduler) ==
          1);
  }
  CHECK(count_of(page, "600 of 600") == 0);
  CHECK(count_of(page, "100 of 100") == 3);
}

TEST_CASE("no name breaks out of the page") {
  std::vector<run_result> runs = sample::make_runs(20);
  runs[0].scheduler = hostile;
  runs[0].workload = hostile;
  std::string const page = page_of(runs, {.title = hostile, .chart_script = {}});
  CHECK(count_of(page, "<b>") == 0);
  CHECK(count_of(page, "</script>") == 2);
  CHECK(data_of(page)["runs"][0]["name"] == hostile);
}

TEST_CASE("pages of empty runs, of runs without segments, and of no run are pages") {
  run_result bare = sample::make_runs(20)[0];
  bare.segments.clear();
  bare.ranges.clear();
  for (std::vector<run_result> const& runs :
       {std::vector<run_result>{}, {run_result{}}, {bare}, {run_result{}, bare}}) {
    std::string const page = page_of(runs);
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(count_of(page, "id=\"gantt\"") == 0);
    CHECK(count_of(page, "nan") == 0);
    CHECK(count_of(page, "inf") == count_of(page_of({}), "inf"));
    CHECK(data_of(page)["runs"].size() == runs.size());
  }
}

TEST_CASE("a page stays small however long the runs are") {
  workload const trace =
      philly_like({.jobs = 20'000, .load_percent = 90, .gpus = 256, .max_gang = 64});
  std::vector<run_result> runs(4, sample::make_run("a", trace, 32, 8, 3));
  CHECK(page_of(runs, {.title = "t", .chart_script = assets::chartjs()}).size() < 3'000'000);
}

TEST_CASE("trace events are JSON with one process a node and one thread a GPU") {
  run_result const run = sample::make_runs(60)[2];
  std::ostringstream out;
  write_trace(out, run);
  nlohmann::json const trace = nlohmann::json::parse(out.str());
  std::map<std::string, std::size_t> phases;
  std::set<std::pair<std::int64_t, std::int64_t>> threads;
  for (nlohmann::json const& event : trace.at("traceEvents")) {
    auto const phase = event.at("ph").get<std::string>();
    ++phases[phase];
    if (phase == "X") {
      CHECK(event.at("dur").get<std::int64_t>() >= 0);
      threads.emplace(event.at("pid").get<std::int64_t>(), event.at("tid").get<std::int64_t>());
    }
    if (phase == "M" && event["name"] == "process_name") {
      CHECK(event["args"]["name"] == "node " + std::to_string(event["pid"].get<int>() - 1));
    }
  }
  std::size_t stays = 0;
  std::size_t preempted = 0;
  for (segment const& stay : run.segments) {
    for (gpu_block const& range : run.ranges_of(stay)) {
      stays += range.count;
      preempted += stay.reason == segment_end::preempted ? range.count : 0;
    }
  }
  CHECK(phases["M"] == 8 + 64);
  CHECK(phases["X"] == stays);
  CHECK(phases["i"] == preempted);
  CHECK(preempted > 0);
  for (auto const& [node, gpu] : threads) {
    CHECK(node >= 1);
    CHECK(node <= 8);
    CHECK(gpu >= 1);
    CHECK(gpu <= 8);
  }
}

TEST_CASE("no two stays on one GPU overlap in the trace of the sample") {
  run_result const run = sample::make_runs(200)[2];
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<time_point, time_point>>>
      held;
  for (segment const& stay : run.segments) {
    for (gpu_block const& range : run.ranges_of(stay)) {
      held[{range.node, range.first}].emplace_back(stay.start, stay.end);
    }
  }
  for (auto& [gpu, stays] : held) {
    std::sort(stays.begin(), stays.end());
    for (std::size_t at = 1; at < stays.size(); ++at) {
      CHECK(stays[at - 1].second <= stays[at].first);
    }
  }
}

TEST_CASE("the trace of a hostile name is still JSON") {
  run_result run;
  run.scheduler = hostile;
  run.workload = "\xff\n";
  std::ostringstream out;
  write_trace(out, run);
  CHECK(nlohmann::json::parse(out.str())["otherData"]["scheduler"] == hostile);
}

}  // namespace reports_test
