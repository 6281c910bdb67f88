// SPDX-License-Identifier: BSL-1.0
// berth-slurm: one process beside slurmctld. docs/hosts/slurm.md says how to set it up.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <thread>

#include "agent.hpp"
#include "agent_clock.hpp"
#include "dry_host.hpp"
#include "memory_file.hpp"
#include "metrics.hpp"
#include "options.hpp"
#include "slurm_host.hpp"

namespace {

using namespace slurm_agent;

volatile std::sig_atomic_t told_to_end = 0;

extern "C" void end_soon(int) {
  told_to_end = 1;
}

// Sleeps in short steps, so that a signal is heard soon.
void pause(std::chrono::duration<double> length) {
  auto const until = std::chrono::steady_clock::now() + length;
  while (told_to_end == 0 && std::chrono::steady_clock::now() < until) {
    std::chrono::duration<double> const left = until - std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::min(left, std::chrono::duration<double>{0.05}));
  }
}

void write_timings(std::ofstream& out, figures const& now) {
  auto const micro = [](std::chrono::nanoseconds span) { return span.count() / 1000; };
  out << fmt::format(
             R"({{"load_us":{},"settle_us":{},"decide_us":{},"act_us":{},"waiting":{},"running":{}}})",
             micro(now.last.load), micro(now.last.settle), micro(now.last.decide),
             micro(now.last.act), now.waiting, now.running)
      << std::endl;
}

void save(options const& o, agent const& self, agent_clock const& clock, journal const& log) {
  if (o.snapshot_file.empty()) {
    return;
  }
  auto bytes = self.snapshot();
  if (!bytes.empty() && !write_memory(o.snapshot_file, {clock.now(), std::move(bytes)})) {
    log.write(severity::error, "snapshot_not_written", "file={}", o.snapshot_file);
  }
}

int serve(options const& o, host& slurm, journal const& log) {
  agent_clock clock;
  agent self{slurm, engine_named(o.scheduler), o.settings, log};
  if (auto kept = o.snapshot_file.empty() ? std::nullopt : read_memory(o.snapshot_file)) {
    clock.start_from(kept->taken);
    self.remember(std::move(kept->snapshot));
  }
  auto const at = [&clock] { return instant{clock.now(), agent_clock::unix_seconds()}; };
  if (o.dry_run) {
    return self.cycle(at()) == cycle_outcome::unreachable ? 1 : 0;
  }
  std::unique_ptr<figures_sink> exporter;
  if (o.metrics_port != 0) {
    exporter = serve_figures(o.metrics_port);
    if (exporter == nullptr) {
      log.write(severity::warning, "no_metrics", "reason=\"built without prometheus-cpp\"");
    }
  }
  std::ofstream timings;
  if (!o.timings_file.empty()) {
    timings.open(o.timings_file, std::ios::app);
  }
  log.write(severity::info, "begin", "partition={} scheduler={}", o.partition, o.scheduler);
  std::chrono::duration<double> length{o.least_pause};
  auto saved = std::chrono::steady_clock::now();
  bool was_reachable = true;
  while (told_to_end == 0) {
    cycle_outcome const outcome = self.cycle(at());
    bool const reachable = outcome != cycle_outcome::unreachable;
    if (reachable != was_reachable) {
      log.write(severity::warning, reachable ? "reachable" : "unreachable", "");
      was_reachable = reachable;
    }
    if (exporter != nullptr) {
      exporter->take(self.counted());
    }
    if (timings.is_open()) {
      write_timings(timings, self.counted());
    }
    // Close by while something is under way; further and further apart while nothing is.
    length = outcome == cycle_outcome::busy
                 ? std::chrono::duration<double>{o.least_pause}
                 : std::min(length * 1.5, std::chrono::duration<double>{o.most_pause});
    auto next = length;
    if (reachable && self.next_wakeup() != berth::never) {
      std::chrono::duration<double> const left = self.next_wakeup() - clock.now();
      next = std::clamp(left, std::chrono::duration<double>{o.least_pause / 4}, length);
    }
    if (std::chrono::steady_clock::now() - saved > std::chrono::seconds{10}) {
      save(o, self, clock, log);
      saved = std::chrono::steady_clock::now();
    }
    pause(next);
  }
  self.shut_down(at());
  save(o, self, clock, log);
  log.write(severity::info, "end", "cycles={}", self.counted().cycles);
  return 0;
}

int run(options const& o) {
  if (o.list) {
    for (auto const group : {blind_engines(), informed_engines(), elastic_engines()}) {
      for (named_engine const& each : group) {
        fmt::print("{:<20} {}\n", each.name, each.what);
      }
    }
    return 0;
  }
  if (!engine_named(o.scheduler)) {
    fmt::print(stderr, "berth-slurm: no scheduler is called '{}'; --list shows them\n",
               o.scheduler);
    return 2;
  }
  if (std::getenv("SLURM_CONF") == nullptr) {
    fmt::print(stderr, "berth-slurm: SLURM_CONF must say where slurm.conf is\n");
    return 2;
  }
  slurm_host slurm{o.partition, static_cast<std::uint16_t>(o.signal)};
  journal const log{o.log_from};
  if (o.dry_run) {
    dry_host looks_only{slurm};
    return serve(o, looks_only, journal{severity::warning});
  }
  if (std::string const missing = slurm.missing_rights(); !missing.empty()) {
    fmt::print(stderr, "berth-slurm: {}\n", missing);
    return 3;
  }
  return serve(o, slurm, log);
}

}  // namespace

int main(int argc, char** argv) {
  auto const [chosen, exit_code, stop] = slurm_agent::parse(argc, argv);
  if (stop) {
    return exit_code;
  }
  std::signal(SIGTERM, end_soon);
  std::signal(SIGINT, end_soon);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(chosen);
  } catch (std::exception const& wrong) {
    fmt::print(stderr, "berth-slurm: {}\n", wrong.what());
    return 1;
  }
}
