// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace replay {
namespace {

berth::duration seconds(double value) {
  return berth::duration{static_cast<std::int64_t>(value * 1000.0 + 0.5)};
}

}  // namespace

parse_outcome parse(int argc, char** argv) {
  parse_outcome answer;
  options& o = answer.chosen;
  CLI::App app{"berth-replay: plays a job trace against several schedulers and compares them"};
  app.add_option("--jobs", o.jobs_file, "trace file; not needed for --format synthetic")
      ->check(CLI::ExistingFile);
  auto* const format = app.add_option("--format", o.format, "format of the trace")
                           ->check(CLI::IsMember({"philly", "pollux", "gavel", "swf", "synthetic"}))
                           ->capture_default_str();
  app.add_option("--throughputs", o.throughputs_file,
                 "Gavel throughput table (JSON), for --format gavel")
      ->check(CLI::ExistingFile);
  auto* const cluster =
      app.add_option("--cluster", o.cluster, "NODESxGPUS, equal nodes")->capture_default_str();
  app.add_option("--nodes", o.nodes_file, "openb node list (CSV)")
      ->check(CLI::ExistingFile)
      ->excludes(cluster);
  app.add_option("--schedulers", o.schedulers, "names, separated by commas; --list shows them")
      ->delimiter(',')
      ->capture_default_str();
  app.add_flag("--list", o.list, "lists the schedulers and ends");
  app.add_option("--limit", o.limit, "at most so many jobs (synthetic: 20000 if not given)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  app.add_option("--from", o.from, "leave out jobs before this hour of the trace")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--to", o.to, "leave out jobs from this hour of the trace on")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--seed", o.seed, "of the synthetic workload and of node failures")
      ->capture_default_str();
  app.add_option("--load", o.load_percent, "synthetic: offered load in per cent of the cluster")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", o.json_file, "writes the figures there");
  app.add_option("--html", o.html_file, "writes a page with charts there");
  app.add_option("--trace", o.trace_file,
                 "writes Chrome trace events there, one file per scheduler (opens in Perfetto)");
  app.add_flag("--lenient", o.lenient, "skips malformed lines and counts them");
  app.add_flag("--check", o.check, "checks the scheduler's invariants after every tick (slow)");

  std::map<std::string, berth::sim::stop_mode> const modes{
      {"save", berth::sim::stop_mode::save_now},
      {"boundary", berth::sim::stop_mode::at_boundary},
      {"kill", berth::sim::stop_mode::kill},
      {"ordered", berth::sim::stop_mode::as_ordered}};
  double restart = 30;
  double save = 10;
  double mtbf_hours = 0;
  app.add_option(
         "--stop", o.model.stopping,
         "how a job answers an order to stop: save writes its state at once (default), "
         "boundary goes on to its next epoch or checkpoint, kill falls back to its last one, "
         "ordered does what the order says")
      ->transform(CLI::CheckedTransformer(modes, CLI::ignore_case)
                      .description("save|boundary|kill|ordered"));
  app.add_option("--restart", restart, "seconds until a restarted job works again")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--save", save, "seconds to write a job's state")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--mtbf", mtbf_hours, "hours between failures of one node; 0 = none")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--interference", o.model.interference,
                 "slow-down per busy GPU of others on the same node, in thousandths")
      ->check(CLI::Range(0, 100));
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& wrong) {
    answer.exit_code = app.exit(wrong) == 0 ? 0 : 2;
    answer.stop = true;
    return answer;
  }
  char const* wrong = nullptr;
  if (!o.jobs_file.empty() && format->count() == 0) {
    wrong = "--jobs needs --format: philly, pollux, gavel or swf";
  }
  for (double const given : {restart, save, mtbf_hours, o.from, o.to}) {
    wrong = std::isfinite(given) ? wrong : "a number of hours or seconds is not finite";
  }
  if (wrong != nullptr) {
    fmt::print(stderr, "berth-replay: {}\n", wrong);
    answer.exit_code = 2;
    answer.stop = true;
    return answer;
  }
  o.model.restart = seconds(restart);
  o.model.save = seconds(save);
  o.model.seed = o.seed;
  if (mtbf_hours > 0) {
    o.model.node_mtbf = seconds(mtbf_hours * 3600);
  }
  return answer;
}

}  // namespace replay
