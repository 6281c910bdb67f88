// SPDX-License-Identifier: BSL-1.0
// What lending idle inference GPUs to elastic training is worth, and what it costs the inference: a
// day of training jobs under inference loads from light to a surge, with loans by a forecast, of
// all that is idle, and by a lender who knows the future. Exit status 1 if a run is wrong.
#include <bench/loan/setting.hpp>
#include <berth_sim/elastic/built_in_applications.hpp>
#include <berth_sim/progress.hpp>
#include <berth_sim/traces/pollux_elastic.hpp>
#include <berth_sim/traces/pollux_profiles.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

using namespace berth_bench;
using berth::sim::elastic_outcome;
using berth::sim::mean_of;
using berth::sim::percentile_of;

struct options {
  std::string data = BERTH_DATA_DIR;
  std::string workload;
  std::vector<std::string> loads;
  std::uint64_t seeds = 1;
  std::vector<std::string> loans;
  berth::lending_rules rules = short_leases();
  std::int64_t lease_minutes = rules.lease / std::chrono::minutes{1};
  std::string json;
};

double hours(double seconds) {
  return seconds / 3600;
}

nlohmann::json to_json(std::vector<loan_row> const& rows, std::string const& workload,
                       loan_play const& play) {
  nlohmann::json list = nlohmann::json::array();
  for (loan_row const& each : rows) {
    elastic_outcome const& out = each.out;
    list.push_back({{"workload", workload},
                    {"cluster", fmt::format("{}+{}x{}", play.training_nodes, play.inference_nodes,
                                            play.gpus_per_node)},
                    {"scheduler", each.setting},
                    {"restart_costs", "afe"},
                    {"inference", each.load},
                    {"seed", each.seed},
                    {"avg_jct_s", mean_of(out.training_s)},
                    {"p50_jct_s", percentile_of(out.training_s, 50)},
                    {"p99_jct_s", percentile_of(out.training_s, 99)},
                    {"restarts", out.restarts},
                    {"recalls", out.recalls},
                    {"decision_us_p50", percentile_of(out.decision_us, 50)},
                    {"decision_us_p99", percentile_of(out.decision_us, 99)},
                    {"inference_p99_queueing_s", percentile_of(out.task_delay_s, 99)},
                    {"slo_misses", out.slow_tasks},
                    {"tasks", each.tasks},
                    {"gpu_s_loaned", out.gpu_s_loaned},
                    {"gpu_s_lost", out.gpu_s_lost_to_recalls}});
  }
  return {{"rows", list}};
}

void print_head() {
  fmt::print("{:6} {:18} {:>4} {:>8} {:>7} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>8} {:>8}\n",
             "load", "loans", "seed", "avg JCT", "change", "p99 JCT", "restarts", "recalls",
             "p99 wait", "max", "late %", "lent GPU·h", "lost %");
}
/// `base`: the average without loans.
void print(loan_row const& row, double base) {
  elastic_outcome const& out = row.out;
  double const average = mean_of(out.training_s);
  fmt::print(
      "{:6} {:18} {:4} {:8.0f} {:+6.1f}% {:8.0f} {:8} {:8} {:8.1f} {:7.1f} {:7.3f} {:8.0f} "
      "{:8.2f}\n",
      row.load, row.setting, row.seed, average, base > 0 ? 100 * (average / base - 1) : 0.0,
      percentile_of(out.training_s, 99), out.restarts, out.recalls,
      percentile_of(out.task_delay_s, 99), percentile_of(out.task_delay_s, 100),
      100.0 * static_cast<double>(out.slow_tasks) / static_cast<double>(row.tasks),
      hours(out.gpu_s_loaned),
      out.gpu_s_loaned > 0 ? 100 * out.gpu_s_lost_to_recalls / out.gpu_s_loaned : 0.0);
  std::fflush(stdout);
}

int study(options const& chosen) {
  if (chosen.workload.empty() && chosen.data.empty()) {
    fmt::print("skipped: no folder of traces (--data DIR)\n");
    return 0;
  }
  std::string const workload = chosen.workload.empty()
                                   ? chosen.data + "/pollux_workloads/workloads/workload-1.csv"
                                   : chosen.workload;
  auto const read = berth::sim::read_elastic_workload_file(workload);
  if (!read) {
    throw std::runtime_error{workload + " cannot be read"};
  }
  std::vector<berth::sim::application> applications = berth::sim::built_in_applications();
  if (!chosen.data.empty()) {
    auto const measured = berth::sim::read_applications(chosen.data + "/pollux_profiles");
    if (!measured) {
      throw std::runtime_error{"the profiles in " + chosen.data + " cannot be read"};
    }
    applications = *measured;
  }
  loan_play play;
  play.rules = chosen.rules;
  play.rules.lease = std::chrono::minutes{chosen.lease_minutes};
  std::vector<inference_load> const loads =
      inference_loads(play.inference_nodes * play.gpus_per_node);
  std::vector<loan_setting> settings = loan_settings();
  std::erase_if(settings, [&](loan_setting const& each) {
    return !chosen.loans.empty() && std::find(chosen.loans.begin(), chosen.loans.end(),
                                              each.short_name) == chosen.loans.end();
  });
  auto const is_chosen = [&](std::string const& load) {
    return chosen.loads.empty() ||
           std::find(chosen.loads.begin(), chosen.loads.end(), load) != chosen.loads.end();
  };
  auto const played = std::count_if(
      loads.begin(), loads.end(), [&](inference_load const& each) { return is_chosen(each.name); });
  std::vector<loan_row> rows;
  {
    berth::sim::progress_bar bar{
        "loan_study", played * static_cast<std::int64_t>(settings.size() * chosen.seeds)};
    print_head();
    for (inference_load const& load : loads) {
      for (play.seed = 1; is_chosen(load.name) && play.seed <= chosen.seeds; ++play.seed) {
        double base = 0;
        for (loan_setting const& setting : settings) {
          rows.push_back(play_loan(applications, read->jobs, load, setting, play));
          base = setting.lends == berth::sim::lending::none && base == 0
                     ? mean_of(rows.back().out.training_s)
                     : base;
          print(rows.back(), base);
          bar.advance_to(static_cast<std::int64_t>(rows.size()));
        }
      }
    }
  }
  if (!chosen.json.empty()) {
    std::ofstream file{chosen.json};
    file << to_json(rows, workload, play).dump(1) << '\n';
    if (!file.flush()) {
      throw std::runtime_error{"cannot write " + chosen.json};
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  options chosen;
  CLI::App app{"What lending idle inference GPUs to elastic training is worth"};
  app.add_option("--data", chosen.data, "folder of the real traces");
  app.add_option("--workload", chosen.workload,
                 "training jobs, in the format of Pollux's workloads");
  app.add_option("--loads", chosen.loads, "only these: light, daily, surge")->delimiter(',');
  app.add_option("--seeds", chosen.seeds, "inference loads of each kind")
      ->check(CLI::Range(1, 100));
  app.add_option("--loans", chosen.loans, "only these: none, forecast, idle, clairvoyant")
      ->delimiter(',');
  app.add_option("--headroom", chosen.rules.headroom, "GPUs that the forecast never lends")
      ->check(CLI::Range(0, 32));
  app.add_option("--quantile", chosen.rules.quantile_percent,
                 "of peaks, that it covers, in percent")
      ->check(CLI::Range(1, 100));
  app.add_option("--lease", chosen.lease_minutes, "minutes for which it foresees")
      ->check(CLI::Range(1, 1440));
  app.add_option("--json", chosen.json, "write the rows to this file");
  CLI11_PARSE(app, argc, argv);
  try {
    return study(chosen);
  } catch (std::exception const& problem) {
    fmt::print(stderr, "loan_study: {}\n", problem.what());
    return 2;
  }
}
