// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include <chrono>
#include <csignal>
#include <map>

#include <CLI/CLI.hpp>

namespace slurm_agent {

parse_outcome parse(int argc, char** argv) {
  parse_outcome result;
  options& o = result.chosen;
  o.signal = SIGUSR1;
  double launch_timeout = 30;
  bool verbose = false;
  CLI::App app{"berth-slurm: berth decides which held jobs of a Slurm partition run where"};
  app.add_option("--partition", o.partition, "the partition whose jobs it schedules; no other");
  app.add_option("--scheduler", o.scheduler, "a name; --list shows them")->capture_default_str();
  app.add_flag("--list", o.list, "lists the schedulers and ends");
  app.add_flag("--dry-run", o.dry_run, "prints what it would do now, does nothing, and ends");
  app.add_option("--snapshot", o.snapshot_file,
                 "keeps berth's memory there (service, progress) for its next start");
  app.add_option("--metrics", o.metrics_port,
                 "port on 127.0.0.1 that tells figures as Prometheus text");
  app.add_option("--timings", o.timings_file,
                 "appends the times of every cycle, a line of JSON each");
  std::map<std::string, int> const signals{
      {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"TERM", SIGTERM}, {"CONT", SIGCONT}};
  app.add_option("--signal", o.signal, "what tells a job to save (default: USR1)")
      ->transform(CLI::CheckedTransformer(signals, CLI::ignore_case));
  app.add_option("--poll-min", o.least_pause, "seconds between cycles while something happens")
      ->check(CLI::Range(0.01, 60.0))
      ->capture_default_str();
  app.add_option("--poll-max", o.most_pause, "seconds between cycles while nothing happens")
      ->check(CLI::Range(0.01, 60.0))
      ->capture_default_str();
  app.add_option("--launch-timeout", launch_timeout,
                 "seconds after which a release that Slurm has not followed is taken back")
      ->check(CLI::Range(5.0, 3600.0))
      ->capture_default_str();
  app.add_option("--max-jobs", o.settings.max_jobs, "jobs in the partition at one time, at most")
      ->check(CLI::Range(1u, 1'000'000u))
      ->capture_default_str();
  app.add_flag("--verbose", verbose, "logs every cycle");
  try {
    app.parse(argc, argv);
    if (o.partition.empty() && !o.list) {
      throw CLI::RequiredError{"--partition"};
    }
  } catch (CLI::ParseError const& wrong) {
    result.exit_code = app.exit(wrong) == 0 ? 0 : 2;
    result.stop = true;
    return result;
  }
  o.log_from = verbose ? severity::debug : severity::info;
  o.settings.launch_timeout =
      std::chrono::milliseconds{static_cast<std::int64_t>(launch_timeout * 1000.0)};
  return result;
}

}  // namespace slurm_agent
