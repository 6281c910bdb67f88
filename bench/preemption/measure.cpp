// SPDX-License-Identifier: BSL-1.0
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <bench/preemption/measure.hpp>
#include <berth_sim/metrics.hpp>
#include <berth_sim/summary.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <vector>

#include <fmt/format.h>

namespace berth_bench {
namespace {

namespace sim = berth::sim;
using berth::duration;

double seconds(duration span) {
  return static_cast<double>(span.count()) / 1000.0;
}
double gpu_seconds(berth::gpu_time span) {
  return static_cast<double>(span.count()) / 1000.0;
}

/// Every job has finished; what it waited is time without GPUs and GPU-time lost; what all held is
/// work and GPU-time lost.
std::string defect(world const& in, sim::run_result const& run, berth::time_point end) {
  berth::gpu_time held = sim::total_work(in.trace);
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    sim::job_record const& job = run.jobs[j];
    if (!job.is_finished()) {
      return fmt::format("job {} has not finished", j);
    }
    duration const waited = job.completion_time() - in.trace.jobs[j].work;
    if (berth::gpu_time{job.gpus, waited - job.waiting} != job.lost) {
      return fmt::format("job {}: its waiting does not add up", j);
    }
    held += job.lost;
  }
  bool const adds_up = sim::busy_time(run.load, berth::time_point{}, end) == held;
  return adds_up ? "" : "GPU-time held is not work and what was lost";
}

outcome figures_of(world const& in, sim::run_result const& run, berth::time_point end) {
  outcome seen;
  std::vector<duration> waits;
  berth::gpu_time lost;
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    waits.push_back(run.jobs[j].completion_time() - in.trace.jobs[j].work);
    seen.avg_wait += seconds(waits.back());
    lost += run.jobs[j].lost;
  }
  std::sort(waits.begin(), waits.end());
  seen.avg_wait /= static_cast<double>(waits.size());
  seen.p99_wait = seconds(sim::nearest_rank(waits, 99));
  seen.max_wait = seconds(waits.back());
  seen.makespan = seconds(end - run.jobs.front().submit);
  seen.preemptions = static_cast<double>(std::count_if(
      run.segments.begin(), run.segments.end(),
      [](sim::segment const& stay) { return stay.reason == sim::segment_end::preempted; }));
  seen.gpu_lost = gpu_seconds(lost);
  seen.gpu_used = gpu_seconds(sim::total_work(in.trace));
  return seen;
}

}  // namespace

row measure(cell const& what, std::uint64_t seed, named_scheduler const& scheduler,
            world const& in) {
  row made{what, seed, {}, {}};
  try {
    sim::run_result const run = scheduler.play(in);
    berth::time_point end{};
    for (sim::job_record const& job : run.jobs) {
      end = std::max(end, job.finish);
    }
    made.wrong = defect(in, run, end);
    if (made.wrong.empty()) {
      made.seen = figures_of(in, run, end);
    }
  } catch (sim::simulation_error const& broken) {
    made.wrong = broken.what();
  }
  return made;
}

}  // namespace berth_bench
