// SPDX-License-Identifier: BSL-1.0
// What a tick costs: clusters of several sizes, queues of several lengths, several shares of
// change. Every row runs the same calls on two schedulers and fails if they decide differently, if
// one is unsound at the end, or if anything was allocated.
#include <bench/support/instructions.hpp>
#include <bench/tick/first_fit_host.hpp>
#include <bench/tick/presets.hpp>
#include <bench/tick/row.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

using berth_bench::row;
using berth_bench::setting;

row measure(setting const& what) {
  if (what.preset == "fifo") {
    return berth_bench::measure_fifo(what);
  }
  if (what.preset == "tiresias") {
    return berth_bench::measure_tiresias(what);
  }
  if (what.preset == "pickyman_style") {
    return berth_bench::measure_pickyman_style(what);
  }
  if (what.preset == "pickyman") {
    return berth_bench::measure_pickyman(what);
  }
  berth_bench::first_fit_host host{what};
  host.run();
  return host.result();
}

/// The same calls again, under callgrind. False where nothing could be counted.
bool count(row& into, std::string const& program) {
  setting const& what = into.what;
  auto const counts = berth_bench::run_under_callgrind(
      program,
      {"--count-each-call", "--presets", what.preset, "--ticks", std::to_string(what.ticks),
       "--gpus", std::to_string(what.gpus), "--running", std::to_string(what.running), "--pending",
       std::to_string(what.pending), "--churn", fmt::format("{}", what.churn), "--types",
       std::to_string(what.types), "--queue", berth_bench::name_of(what.blocked)});
  for (berth_bench::instruction_count const& each : counts) {
    berth_bench::distribution& of = each.what == "tick"     ? into.tick
                                    : each.what == "submit" ? into.submit
                                    : each.what == "report" ? into.report
                                                            : into.complete;
    of.instructions += each.instructions;
  }
  return !counts.empty();
}

std::vector<setting> chosen(std::vector<std::string> const& presets, bool all, bool large,
                            int ticks) {
  std::vector<setting> list;
  auto const add = [&](std::int64_t gpus, std::int64_t running, std::int64_t pending, double churn,
                       int types = 1,
                       berth_bench::queue_kind blocked = berth_bench::queue_kind::mixed) {
    for (std::string const& preset : presets) {
      list.push_back({preset, gpus, running, pending, churn, types, blocked, ticks});
    }
  };
  // The budget of the design: 12,500 nodes of 8, 10,000 running, 10,000 pending, 1 % churn.
  add(100'000, 10'000, 10'000, 0.01);
  add(100'000, 10'000, 10'000, 0.01, 4);
  add(100'000, 10'000, 10'000, 0.1);
  add(100'000, 10'000, 10'000, 0.001);
  add(100'000, 10'000, 10'000, 0.0);
  // The slope over the cluster, at 100 and at 10 changes a tick: with the above.
  add(10'000, 1'000, 10'000, 0.1);
  add(10'000, 1'000, 10'000, 0.01);
  add(1'000, 100, 10'000, 0.1);
  if (large) {
    add(1'000'000, 100'000, 10'000, 0.001);
  }
  // A decision about 1,000 that run and 1,000 that wait.
  add(10'000, 1'000, 1'000, 0.01);
  // A queue that cannot run, alone, and at the head of one that can: jobs of one shape, or of a
  // thousand.
  add(100'000, 10'000, 100'000, 0.01, 1, berth_bench::queue_kind::blocked);
  add(100'000, 10'000, 10'000, 0.01, 1, berth_bench::queue_kind::blocked_at_head);
  add(100'000, 10'000, 10'000, 0.01, 1, berth_bench::queue_kind::shapes_at_head);
  if (all) {
    for (std::int64_t const gpus : {1'000, 10'000, 100'000}) {
      for (std::int64_t const pending : {1'000, 10'000, 100'000}) {
        for (double const churn : {0.0, 0.001, 0.01, 0.1}) {
          for (int const types : {1, 4}) {
            add(gpus, gpus / 10, pending, churn, types);
          }
        }
      }
    }
  }
  return list;
}

void print(row const& r) {
  fmt::print(
      "{:>15} {:>9} {:>7} {:>7} {:>6.2f}% {:>2} | {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} | "
      "{:>7.1f} {:>9.0f} | {:>6.2f} {:>6.2f} {:>6.2f} | {:>5.2f} {:>5.2f} | "
      "{:>8.0f} {:>9.0f} {:>6.0f} {:>6.0f} {:>6.0f} | {:>3} {:016x} {}\n",
      r.what.preset, r.what.gpus, r.running, r.what.pending, 100 * r.what.churn, r.what.types,
      r.tick.p50, r.tick.p99, r.tick.p999, r.tick.max, r.actions_per_tick, r.decisions_per_second,
      r.submit.p50, r.complete.p50, r.report.p50, r.extra_nodes_per_gang, r.broken_nodes_per_gang,
      r.instructions_per_event(), r.tick.instructions_per_call(), r.submit.instructions_per_call(),
      r.complete.instructions_per_call(), r.report.instructions_per_call(), r.allocations, r.digest,
      r.wrong.empty() ? berth_bench::name_of(r.what.blocked) : r.wrong);
  std::fflush(stdout);
}

nlohmann::json to_json(row const& r) {
  auto const times = [](berth_bench::distribution const& d) {
    return nlohmann::json{{"p50", d.p50}, {"p99", d.p99}, {"p999", d.p999}, {"max", d.max}};
  };
  nlohmann::json instructions;  // null: nobody counted
  if (r.tick.instructions > 0) {
    instructions = {{"all", r.instructions_per_event()},
                    {"tick", r.tick.instructions_per_call()},
                    {"submit", r.submit.instructions_per_call()},
                    {"complete", r.complete.instructions_per_call()},
                    {"report", r.report.instructions_per_call()}};
  }
  return {{"gpus", r.what.gpus},
          {"nodes", r.nodes},
          {"running", r.running},
          {"pending", r.what.pending},
          {"churn", r.what.churn},
          {"types", r.what.types},
          {"queue", berth_bench::name_of(r.what.blocked)},
          {"preset", r.what.preset},
          {"ticks", r.what.ticks},
          {"tick_us", times(r.tick)},
          {"submit_us", times(r.submit)},
          {"complete_us", times(r.complete)},
          {"report_us", times(r.report)},
          {"instructions_per_event", instructions},
          {"allocations", r.allocations},
          {"decisions_per_second", r.decisions_per_second},
          {"actions_per_tick", r.actions_per_tick},
          {"extra_nodes_per_gang", r.extra_nodes_per_gang},
          {"broken_nodes_per_gang", r.broken_nodes_per_gang},
          {"digest", fmt::format("{:016x}", r.digest)}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"What a tick of berth costs, over cluster, queue and change"};
  std::vector<std::string> presets{"fifo", "tiresias", "pickyman_style", "pickyman", "naive"};
  std::string json_file;
  bool all = false;
  bool large = false;
  bool instructions = false;
  bool each_call = false;
  int ticks = 400;
  setting one;
  std::string queue{"mixed"};
  app.add_option("--presets", presets, "fifo, tiresias, pickyman_style, pickyman, naive")
      ->delimiter(',');
  app.add_option("--json", json_file, "write the rows to this file");
  app.add_option("--ticks", ticks, "ticks measured per row")->check(CLI::Range(1, 1 << 20));
  app.add_flag("--all", all, "every size, queue, churn and number of types");
  app.add_flag("--large", large, "also a million GPUs");
  app.add_flag("--instructions", instructions,
               "also count instructions, in a second run of each row; slow, needs valgrind");
  app.add_flag("--count-each-call", each_call,
               "under callgrind: count calls of every kind, and not only ticks");
  app.add_option("--gpus", one.gpus, "one row: GPUs, a multiple of 8");
  app.add_option("--running", one.running, "one row: jobs that fill 95 % of them");
  app.add_option("--pending", one.pending, "one row: jobs that wait");
  app.add_option("--churn", one.churn, "one row: share of running jobs that end per tick");
  app.add_option("--types", one.types, "one row: GPU types")->check(CLI::Range(1, 4));
  app.add_option("--queue", queue, "one row: mixed, blocked, blocked_at_head or shapes_at_head")
      ->check(CLI::IsMember(berth_bench::queue_names));
  CLI11_PARSE(app, argc, argv);

  std::vector<setting> settings = chosen(presets, all, large, ticks);
  if (one.gpus > 0) {
    settings.clear();
    one.ticks = ticks;
    one.blocked = berth_bench::queue_kind_named(queue);
    one.running = one.running > 0 ? one.running : one.gpus / 10;
    for (std::string const& preset : presets) {
      one.preset = preset;
      settings.push_back(one);
    }
  }
  if (berth_bench::is_under_callgrind()) {
    for (setting what : settings) {
      what.counted = each_call ? berth_bench::calls::all : berth_bench::calls::ticks;
      static_cast<void>(measure(what));
    }
    return 0;
  }
  berth_bench::footprint const weight = berth_bench::measure_footprint();
  fmt::print(
      "bytes per job {:.0f}, per GPU {:.0f}; microseconds of CPU time; placement per gang that "
      "started: nodes beyond the fewest, whole nodes broken\n",
      weight.per_job, weight.per_gpu);
  fmt::print(
      "{:>15} {:>9} {:>7} {:>7} {:>7} {:>2} | {:>9} {:>9} {:>9} {:>9} | {:>7} {:>9} | {:>6} "
      "{:>6} {:>6} | {:>5} {:>5} | {:>8} {:>9} {:>6} {:>6} {:>6} | {:>3} {}\n",
      "preset", "gpus", "running", "pending", "churn", "ty", "tick p50", "p99", "p99.9", "max",
      "actions", "per s", "submit", "compl.", "report", "extra", "broke", "instr/ev", "tick",
      "submit", "compl.", "report", "new", "digest");
  nlohmann::json rows = nlohmann::json::array();
  bool sound = true;
  for (setting const& what : settings) {
    row measured = measure(what);
    bool const is_ours = what.preset != "naive";
    sound = sound && measured.wrong.empty() && (!is_ours || measured.allocations == 0);
    if (instructions && is_ours && !count(measured, argv[0])) {
      fmt::print(stderr, "nothing was counted; is valgrind installed?\n");
      return 2;
    }
    print(measured);
    rows.push_back(to_json(measured));
  }
  if (!json_file.empty()) {
    nlohmann::json const document{
        {"bytes_per_job", weight.per_job}, {"bytes_per_gpu", weight.per_gpu}, {"rows", rows}};
    std::ofstream out{json_file};
    out << document.dump(1) << '\n';
    if (!out) {
      fmt::print(stderr, "cannot write {}\n", json_file);
      return 1;
    }
  }
  if (!sound) {
    fmt::print(stderr, "a row is wrong: see its last column, or its allocations\n");
  }
  return sound ? 0 : 1;
}
