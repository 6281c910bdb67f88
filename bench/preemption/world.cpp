// SPDX-License-Identifier: BSL-1.0
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>

#include <bench/preemption/world.hpp>
#include <berth_sim/detail/arrivals.hpp>
#include <berth_sim/synthetic.hpp>
#include <berth_sim/traces/philly.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace berth_bench {
namespace {

namespace sim = berth::sim;
using berth::duration;

constexpr std::int32_t node_count = 8;
constexpr std::int32_t node_gpus = 8;
constexpr std::int32_t cluster_gpus = node_count * node_gpus;

/// Streams of random numbers that have nothing to do with each other.
enum class topic : std::uint64_t { window = 1, epochs, overhead, error, sizes };

berth::random_source draws_for(topic what, std::uint64_t seed) {
  return berth::random_source{seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(what)};
}

std::int32_t percent_of(double load) {
  return static_cast<std::int32_t>(std::lround(100 * load));
}

/// A trace says nothing of epochs.
void add_epochs(sim::workload& trace, std::uint64_t seed) {
  berth::random_source random = draws_for(topic::epochs, seed);
  for (sim::job& each : trace.jobs) {
    each.epoch_period = duration{random.between(200'000, 1'000'000)};
    each.checkpoint_period = each.epoch_period;
  }
}

/// Keeps the pattern of arrivals and stretches it until the load is the one that was asked for.
void stretch_to_load(sim::workload& trace, double load) {
  std::int64_t const is =
      std::max<std::int64_t>(1, (trace.jobs.back().submit - trace.jobs.front().submit).count());
  std::int64_t const wanted = sim::detail::span_for_load(trace, cluster_gpus, percent_of(load));
  __extension__ using wide = __int128;
  for (sim::job& each : trace.jobs) {
    wide const since = each.submit.time_since_epoch().count();
    each.submit = berth::time_point{duration{static_cast<std::int64_t>(since * wanted / is)}};
  }
}

/// 16 s and the least of four draws up to 85 s: 33 s on average. Ten parts of 33 are for saving.
void add_overheads(sim::workload& trace, int scale, std::uint64_t seed) {
  berth::random_source random = draws_for(topic::overhead, seed);
  for (sim::job& each : trace.jobs) {
    std::int64_t least = 85'000;
    for (int draw = 0; draw < 4; ++draw) {
      least = std::min(least, random.between(0, 85'000));
    }
    std::int64_t const sum = 16'000 + least;
    each.save = duration{scale * (sum * 10 / 33)};
    each.restart = duration{scale * (sum - sum * 10 / 33)};
  }
}

/// predicted = work · exp(sigma · N), with the same N for every sigma.
void add_errors(sim::workload& trace, double sigma, std::uint64_t seed) {
  berth::random_source random = draws_for(topic::error, seed);
  constexpr std::int64_t one = 1'000'000;
  __extension__ using wide = __int128;
  for (sim::job& each : trace.jobs) {
    each.estimate = berth::forever;  // an owner's bound would tell the truth
    std::int64_t const factor =
        sim::detail::draw_log_normal(duration{one}, static_cast<std::int32_t>(1000 * sigma), random)
            .count();
    wide const predicted = static_cast<wide>(each.work.count()) * factor / one;
    wide const most = berth::max_duration.count();
    each.predicted =
        duration{static_cast<std::int64_t>(std::clamp<wide>(predicted, wide{1}, most))};
  }
}

}  // namespace

world_maker::world_maker(std::string const& data, std::size_t jobs)
    : synthetic_jobs_{jobs > 0 ? jobs : 800}, window_jobs_{jobs > 0 ? jobs : 1500} {
  if (data.empty()) {
    return;
  }
  auto read = sim::read_philly_file(data + "/philly_pollux/philly.csv");
  if (!read) {
    throw std::runtime_error{sim::to_string(read.error())};
  }
  philly_ = std::move(*read);
  std::erase_if(philly_.jobs, [](sim::job const& each) { return each.gpus > cluster_gpus; });
  if (philly_.jobs.size() <= window_jobs_) {
    throw std::runtime_error{"the trace has fewer jobs than a window"};
  }
}

bool world_maker::can_make(std::string const& workload) const {
  return workload != "philly" || !philly_.jobs.empty();
}

world world_maker::make(cell const& what, std::uint64_t seed) const {
  world made;
  bool const is_trace = what.workload == "philly";
  made.nodes =
      is_trace ? sim::uniform_nodes(node_count, node_gpus) : sim::uniform_nodes(1, cluster_gpus);
  made.trace = jobs_of(what.workload, what.load, seed);
  add_overheads(made.trace, what.overhead_scale, seed);
  add_errors(made.trace, what.sigma, seed);
  made.model.stopping = sim::stop_mode::at_boundary;
  made.model.launch = duration{0};  // is part of a trace's durations, and of a restart
  return made;
}

std::string world_maker::describe(std::string const& workload, std::uint64_t seed) const {
  sim::workload const trace = jobs_of(workload, 0.9, seed);
  duration longest{0};
  for (sim::job const& each : trace.jobs) {
    longest = std::max(longest, each.work);
  }
  auto const hours = [](auto span) { return static_cast<double>(span.count()) / 3'600'000.0; };
  std::string from;
  if (workload == "philly") {
    std::chrono::sys_time<duration> const first{trace.origin};
    from = fmt::format(" from {:%Y-%m-%d}", std::chrono::floor<std::chrono::seconds>(first));
  }
  return fmt::format("{} seed {}: {} jobs{}, {:.0f} GPU-hours, the longest takes {:.0f} h",
                     workload, seed, trace.jobs.size(), from, hours(sim::total_work(trace)),
                     hours(longest));
}

sim::workload world_maker::jobs_of(std::string const& workload, double load,
                                   std::uint64_t seed) const {
  if (workload != "philly") {
    return synthetic(workload == "synthetic_wide", load, seed);
  }
  sim::workload trace = window(seed);
  add_epochs(trace, seed);
  stretch_to_load(trace, load);
  return trace;
}

sim::workload world_maker::synthetic(bool wide, double load, std::uint64_t seed) const {
  sim::log_normal_options wanted;
  wanted.jobs = synthetic_jobs_;
  wanted.seed = seed;
  wanted.load_percent = percent_of(load);
  wanted.gpus = cluster_gpus;
  sim::workload trace = sim::log_normal(wanted);
  if (wide) {
    berth::random_source random = draws_for(topic::sizes, seed);
    for (sim::job& each : trace.jobs) {
      each.gpus = static_cast<std::int32_t>(random.between(1, 16));
    }
    stretch_to_load(trace, load);
  }
  return trace;
}

/// So many jobs that follow each other, from one drawn at random on.
sim::workload world_maker::window(std::uint64_t seed) const {
  berth::random_source random = draws_for(topic::window, seed);
  auto const first = static_cast<std::ptrdiff_t>(random.below(philly_.jobs.size() - window_jobs_));
  auto const count = static_cast<std::ptrdiff_t>(window_jobs_);
  sim::workload part;
  part.source = philly_.source;
  part.origin = philly_.origin;
  part.jobs.assign(philly_.jobs.begin() + first, philly_.jobs.begin() + first + count);
  sim::rebase(part);
  return part;
}

}  // namespace berth_bench
