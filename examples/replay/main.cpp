// SPDX-License-Identifier: BSL-1.0
// berth-replay: a job trace, several schedulers, one table.
#include <berth_sim/assets/chartjs.hpp>
#include <berth_sim/progress.hpp>
#include <berth_sim/report_html.hpp>
#include <berth_sim/report_json.hpp>
#include <berth_sim/report_table.hpp>
#include <berth_sim/report_trace.hpp>
#include <berth_sim/summary.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "options.hpp"
#include "schedulers.hpp"
#include <fmt/format.h>

namespace {

namespace sim = berth::sim;

std::vector<replay::named_scheduler> all_schedulers() {
  std::vector<replay::named_scheduler> all;
  for (auto const group : {replay::blind_schedulers(), replay::informed_schedulers()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

std::vector<replay::named_scheduler> pick(std::vector<std::string> const& names) {
  std::vector<replay::named_scheduler> picked;
  auto const all = all_schedulers();
  for (std::string const& name : names) {
    auto const found =
        std::find_if(all.begin(), all.end(), [&](auto const& s) { return s.name == name; });
    if (found == all.end()) {
      throw replay::input_error{"no scheduler is called '" + name + "'; --list shows them"};
    }
    picked.push_back(*found);
  }
  return picked;
}

std::ofstream open(std::string const& path) {
  std::ofstream out{path, std::ios::binary};
  if (!out) {
    throw replay::input_error{path + ": cannot be written"};
  }
  return out;
}

void close(std::ofstream& out, std::string const& path) {
  out.close();
  if (!out) {
    throw replay::input_error{path + ": writing failed"};
  }
}

/// out.json, tiresias -> out.tiresias.json, if there are several schedulers.
std::string path_for(std::string const& path, std::string_view scheduler, bool several) {
  std::filesystem::path made{path};
  if (several) {
    std::string const extension = made.extension().string();
    made.replace_extension();
    made += "." + std::string{scheduler} + extension;
  }
  return made.string();
}

int run(replay::options const& o) {
  auto const schedulers = pick(o.schedulers);
  sim::node_list const nodes = replay::load_nodes(o);
  sim::workload const trace = replay::load_workload(o, nodes);
  fmt::print("{}: {} jobs on {} nodes with {} GPUs\n", trace.source, trace.jobs.size(),
             nodes.nodes.size(), sim::total_gpus(nodes));
  if (trace.skipped.total() > 0) {
    fmt::print("left out: {} malformed lines, {} jobs without a run time, {} without a GPU\n",
               trace.skipped.malformed, trace.skipped.without_duration, trace.skipped.without_gpu);
  }
  for (std::string const& path : {o.json_file, o.html_file}) {
    if (!path.empty()) {
      open(path);  // what cannot be written is said before the work, not after it
    }
  }
  std::vector<sim::run_result> runs;
  std::vector<sim::summary> summaries;
  for (replay::named_scheduler const& chosen : schedulers) {
    sim::progress_bar bar{std::string{chosen.name}, static_cast<std::int64_t>(trace.jobs.size())};
    sim::simulation_options how;
    how.model = o.model;
    how.record_segments = !o.html_file.empty() || !o.trace_file.empty();
    how.check = o.check;
    how.on_progress = [&bar](std::int64_t finished) { bar.advance_to(finished); };
    sim::run_result result = chosen.run(trace, nodes, how);
    bar.finish();
    result.scheduler = chosen.name;
    summaries.push_back(sim::summarise(result));
    if (!o.trace_file.empty()) {
      std::string const path = path_for(o.trace_file, chosen.name, schedulers.size() > 1);
      std::ofstream out = open(path);
      sim::write_trace(out, result);
      close(out, path);
      fmt::print("trace: {}\n", path);
    }
    if (o.html_file.empty()) {
      result = {};
    }
    runs.push_back(std::move(result));
  }
  fmt::print("{}", sim::report_table(summaries));
  for (sim::summary const& each : summaries) {
    if (each.finished < each.jobs) {
      fmt::print("{}: {} jobs can never fit this cluster and are not in the averages\n",
                 each.scheduler, each.jobs - each.finished);
    }
  }
  if (!o.json_file.empty()) {
    std::ofstream out = open(o.json_file);
    out << sim::report_json(summaries);
    close(out, o.json_file);
  }
  if (!o.html_file.empty()) {
    std::ofstream out = open(o.html_file);
    sim::write_html(
        out, runs,
        {.title = "Schedulers compared: " + trace.source, .chart_script = sim::assets::chartjs()});
    close(out, o.html_file);
    fmt::print("page: {}\n", o.html_file);
  }
  if (std::fflush(stdout) != 0) {
    throw replay::input_error{"standard output cannot be written"};
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const [chosen, exit_code, stop] = replay::parse(argc, argv);
  if (stop) {
    return exit_code;
  }
  if (chosen.list) {
    for (replay::named_scheduler const& each : all_schedulers()) {
      fmt::print("{:<20} {}\n", each.name, each.what);
    }
    return 0;
  }
  try {
    return run(chosen);
  } catch (replay::input_error const& wrong) {
    fmt::print(stderr, "berth-replay: {}\n", wrong.what());
    return 2;
  } catch (std::exception const& wrong) {
    fmt::print(stderr, "berth-replay: {}\n", wrong.what());
    return 1;
  }
}
