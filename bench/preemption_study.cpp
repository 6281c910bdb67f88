// SPDX-License-Identifier: BSL-1.0
// What preemption is worth when it costs something: how long jobs wait under several schedulers,
// saving and restarting included, on the Philly trace and on synthetic jobs, with stops from cheap
// to dear and lengths from known to guessed. Exit status 1 if a run is wrong; that a promise does
// not hold is a figure.
#include <bench/preemption/cell.hpp>
#include <bench/preemption/measure.hpp>
#include <bench/preemption/promises.hpp>
#include <bench/preemption/report.hpp>
#include <bench/preemption/schedulers.hpp>
#include <bench/preemption/world.hpp>
#include <berth_sim/progress.hpp>

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

namespace {

using namespace berth_bench;

struct options {
  std::vector<std::string> workloads{workload_names.begin(), workload_names.end()};
  std::vector<double> loads{0.7, 0.9, 1.1};
  std::vector<int> scales{1, 5, 20, 60};
  std::vector<double> sigmas{0, 0.3, 1};
  std::vector<std::string> schedulers;
  std::uint64_t seeds = 4;
  std::size_t jobs = 0;
  std::string data = BERTH_DATA_DIR;
  std::string json;
  bool is_quick = false;
};

std::vector<named_scheduler> known_schedulers(bool all) {
  std::vector<named_scheduler> list;
  for (auto const part : {usual_schedulers(), victim_schedulers(), pickyman_schedulers()}) {
    list.insert(list.end(), part.begin(), part.end());
  }
  auto const more = patience_schedulers();
  list.insert(list.end(), more.begin(), all ? more.end() : more.begin());
  return list;
}

/// Whoever is named is played with wrong predictions too.
std::vector<named_scheduler> chosen_schedulers(options const& chosen) {
  std::vector<named_scheduler> list = known_schedulers(!chosen.schedulers.empty());
  if (!chosen.schedulers.empty()) {
    std::erase_if(list, [&](named_scheduler const& each) {
      return std::find(chosen.schedulers.begin(), chosen.schedulers.end(), each.name) ==
             chosen.schedulers.end();
    });
    for (named_scheduler& each : list) {
      each.also_with_errors = true;
    }
  }
  return list;
}

struct planned_run {
  cell what;
  std::uint64_t seed;
  named_scheduler scheduler;
};

std::vector<planned_run> runs_of(options const& chosen, world_maker const& worlds) {
  std::vector<planned_run> list;
  for (std::string const& workload : chosen.workloads) {
    if (!worlds.can_make(workload)) {
      fmt::print("{} is skipped: no folder of traces (--data DIR)\n\n", workload);
      continue;
    }
    for (std::uint64_t seed = 1; seed <= chosen.seeds; ++seed) {
      fmt::print("{}\n", worlds.describe(workload, seed));
      for (double const load : chosen.loads) {
        for (int const scale : chosen.scales) {
          for (double const sigma : chosen.sigmas) {
            for (named_scheduler const& each : chosen_schedulers(chosen)) {
              if (sigma <= 0 || each.also_with_errors) {
                list.push_back(
                    {{workload, load, scale, sigma, std::string{each.name}}, seed, each});
              }
            }
          }
        }
      }
    }
  }
  return list;
}

void write(std::string const& path, std::vector<row> const& rows) {
  std::ofstream file{path};
  file << to_json(rows).dump(1) << '\n';
  if (!file.flush()) {
    throw std::runtime_error{"cannot write " + path};
  }
}

int study(options const& chosen) {
  world_maker const worlds{chosen.data, chosen.jobs};
  std::vector<planned_run> const runs = runs_of(chosen, worlds);
  std::vector<row> rows;
  bool is_right = true;
  {
    berth::sim::progress_bar bar{"preemption_study", static_cast<std::int64_t>(runs.size())};
    for (planned_run const& next : runs) {
      world const in = worlds.make(next.what, next.seed);
      rows.push_back(measure(next.what, next.seed, next.scheduler, in));
      bar.advance_to(static_cast<std::int64_t>(rows.size()));
    }
  }
  for (row const& each : rows) {
    if (!each.wrong.empty()) {
      is_right = false;
      fmt::print("WRONG: {} load {:.1f} ×{} σ {:.1f} {} seed {}: {}\n", each.what.workload,
                 each.what.load, each.what.overhead_scale, each.what.sigma, each.what.scheduler,
                 each.seed, each.wrong);
    }
  }
  std::vector<std::string> names;
  for (named_scheduler const& each : chosen_schedulers(chosen)) {
    names.emplace_back(each.name);
  }
  means const all = means_of(rows);
  fmt::print("{}\n", to_tables(all, names));
  for (std::string const& name : names) {
    if (name.starts_with("pickyman") && name != "pickyman_published") {
      fmt::print("**{}**\n\n{}\n", name, promises_of(all, name));
    }
  }
  if (!chosen.json.empty()) {
    write(chosen.json, rows);
  }
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  options chosen;
  std::vector<std::string> names;
  for (named_scheduler const& each : known_schedulers(true)) {
    names.emplace_back(each.name);
  }
  CLI::App app{"What preemption is worth when it costs something"};
  app.add_option("--workloads", chosen.workloads, "synthetic, synthetic_wide, philly")
      ->delimiter(',')
      ->check(
          CLI::IsMember(std::vector<std::string>(workload_names.begin(), workload_names.end())));
  app.add_option("--loads", chosen.loads, "GPU-time submitted over that of the cluster")
      ->delimiter(',')
      ->check(CLI::Range(0.1, 10.0));
  app.add_option("--scales", chosen.scales, "1: saving and restarting take 33 s on average")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000));
  app.add_option("--sigmas", chosen.sigmas, "of the logarithm of predicted over true length")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 3.0));
  app.add_option("--seeds", chosen.seeds, "runs of each cell")->check(CLI::Range(1, 1000));
  app.add_option("--jobs", chosen.jobs, "in each run; otherwise 800, and 1500 of the trace")
      ->check(CLI::Range(10, 50'000));
  app.add_option("--schedulers", chosen.schedulers, "only these")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--data", chosen.data, "folder of the real traces");
  app.add_option("--json", chosen.json, "write the rows to this file");
  app.add_flag("--quick", chosen.is_quick, "one load, one seed, two scales");
  CLI11_PARSE(app, argc, argv);
  if (chosen.is_quick) {
    chosen.loads = {0.9};
    chosen.scales = {1, 20};
    chosen.seeds = 1;
  }
  try {
    return study(chosen);
  } catch (std::exception const& problem) {
    fmt::print(stderr, "preemption_study: {}\n", problem.what());
    return 2;
  }
}
