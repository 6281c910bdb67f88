// SPDX-License-Identifier: BSL-1.0
// How soon elastic training jobs end under several schedulers, on a workload of the Pollux
// artifact, with what restarts and placements really cost. Exit status 1 if a run is wrong.
#include <bench/elastic/schedulers.hpp>
#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/built_in_applications.hpp>
#include <berth_sim/elastic/elastic_options.hpp>
#include <berth_sim/elastic/elastic_outcome.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/fluid_model.hpp>
#include <berth_sim/traces/pollux_elastic.hpp>
#include <berth_sim/traces/pollux_profiles.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

using namespace berth_bench;
namespace sim = berth::sim;

struct options {
  std::string data = BERTH_DATA_DIR;
  std::string workload;
  std::string cluster = "16x4";
  std::string batch = "published";
  std::string json;
  sim::restart_costs costs = sim::restart_costs::fast;
  std::vector<std::string> schedulers;
};

std::map<std::string, sim::restart_costs> const costs_by_name{
    {"afe", sim::restart_costs::fast},
    {"full", sim::restart_costs::full},
    {"pollux30", sim::restart_costs::pollux_30s}};

/// The best of some powers: what could be reached without restarts and nodes.
double fluid_average(elastic_play const& play) {
  double best = 0;
  for (double const power : {0.0, 0.25, 0.5, 1.0}) {
    sim::fluid_model model{play.applications,
                           play.work,
                           {.gpus = play.nodes * play.gpus_per_node,
                            .gpus_per_node = play.gpus_per_node,
                            .power = power}};
    auto const times = model.completion_times();
    double sum = 0;
    for (berth::duration const each : times) {
      sum += static_cast<double>(each.count()) / 1000.0;
    }
    double const average = sum / static_cast<double>(std::max<std::size_t>(1, times.size()));
    best = best == 0 ? average : std::min(best, average);
  }
  return best;
}

nlohmann::json row_of(options const& chosen, std::string const& name,
                      sim::elastic_outcome const& outcome, double fluid) {
  auto const costs = std::find_if(costs_by_name.begin(), costs_by_name.end(),
                                  [&](auto const& each) { return each.second == chosen.costs; });
  return {{"workload", std::filesystem::path{chosen.workload}.filename().string()},
          {"cluster", chosen.cluster},
          {"scheduler", name},
          {"restart_costs", costs->first},
          {"avg_jct", sim::mean_of(outcome.training_s)},
          {"p50_jct", sim::percentile_of(outcome.training_s, 50)},
          {"p99_jct", sim::percentile_of(outcome.training_s, 99)},
          {"fluid_avg_jct", fluid},
          {"restarts", outcome.restarts},
          {"gpu_s_restarting", outcome.gpu_s_restarting},
          {"decision_us_p50", sim::percentile_of(outcome.decision_us, 50)},
          {"decision_us_p99", sim::percentile_of(outcome.decision_us, 99)}};
}

/// "16x4" as nodes and GPUs of each.
bool parse_cluster(std::string const& text, elastic_play& play) {
  int used = 0;
  return std::sscanf(text.c_str(), "%dx%d%n", &play.nodes, &play.gpus_per_node, &used) == 2 &&
         static_cast<std::size_t>(used) == text.size() && play.nodes > 0 && play.gpus_per_node > 0;
}

int study(options const& chosen) {
  auto applications = sim::read_applications(chosen.data + "/pollux_profiles");
  if (!applications) {
    fmt::print("built-in figures of the applications: {}\n", to_string(applications.error()));
    applications = sim::built_in_applications();
  }
  auto const work = sim::read_elastic_workload_file(chosen.workload);
  if (!work) {
    fmt::print(stderr, "{}\n", to_string(work.error()));
    return 1;
  }
  elastic_play play{.applications = *applications, .work = *work};
  play.options.costs = chosen.costs;
  if (!parse_cluster(chosen.cluster, play)) {
    fmt::print(stderr, "--cluster takes NODESxGPUS\n");
    return 1;
  }
  double const fluid = fluid_average(play);
  fmt::print("{} jobs on {}; fluid model {:.1f} s\n", work->jobs.size(), chosen.cluster, fluid);
  fmt::print("{:<9} {:>9} {:>8} {:>8} {:>7} {:>9} {:>10} {:>8} {:>8}\n", "scheduler", "avg JCT",
             "p50", "p99", "fluid", "restarts", "lost GPU h", "p50 us", "p99 us");
  nlohmann::json rows = nlohmann::json::array();
  bool all_right = true;
  for (elastic_scheduler const& each : elastic_schedulers()) {
    bool const is_asked =
        chosen.schedulers.empty() || std::find(chosen.schedulers.begin(), chosen.schedulers.end(),
                                               each.name) != chosen.schedulers.end();
    if (!is_asked) {
      continue;
    }
    play.options.adaptive =
        chosen.batch == "published" ? each.chooses_batch : chosen.batch == "chosen";
    play.options.sized = each.sizes_jobs;
    play.options.reach = each.reach;
    sim::elastic_outcome const outcome = each.run(play);
    bool const all_ended = std::all_of(outcome.training_s.begin(), outcome.training_s.end(),
                                       [](double time) { return time > 0.0; });
    auto const row = row_of(chosen, each.name, outcome, fluid);
    double const average = row["avg_jct"].get<double>();
    fmt::print("{:<9} {:>9.1f} {:>8.0f} {:>8.0f} {:>6.2f}x {:>9} {:>10.1f} {:>8.1f} {:>8.1f}{}\n",
               each.name, average, row["p50_jct"].get<double>(), row["p99_jct"].get<double>(),
               average / fluid, outcome.restarts, outcome.gpu_s_restarting / 3600.0,
               row["decision_us_p50"].get<double>(), row["decision_us_p99"].get<double>(),
               all_ended ? "" : "  WRONG");
    std::fflush(stdout);
    rows.push_back(row);
    all_right = all_right && all_ended;
  }
  if (!chosen.json.empty()) {
    std::ofstream{chosen.json} << rows.dump(2) << '\n';
  }
  return all_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"How soon elastic training jobs end, by scheduler"};
  options chosen;
  app.add_option("--data", chosen.data, "folder of the traces");
  app.add_option("--workload", chosen.workload, "file of jobs; the first of Pollux's if none");
  app.add_option("--cluster", chosen.cluster, "NODESxGPUS");
  app.add_option("--restart-costs", chosen.costs, "afe, full or pollux30")
      ->transform(CLI::CheckedTransformer(costs_by_name));
  app.add_option("--batch", chosen.batch, "who chooses batch sizes")
      ->check(CLI::IsMember({"published", "chosen", "fixed"}));
  app.add_option("--schedulers", chosen.schedulers, "names; all if none")->delimiter(',');
  app.add_option("--json", chosen.json, "write the rows there, too");
  CLI11_PARSE(app, argc, argv);
  if (chosen.workload.empty() && chosen.data.empty()) {
    fmt::print("skipped: needs the real traces (--data DIR), or --workload FILE\n");
    return 0;
  }
  if (chosen.workload.empty()) {
    chosen.workload = chosen.data + "/pollux_workloads/workloads/workload-1.csv";
  }
  return study(chosen);
}
