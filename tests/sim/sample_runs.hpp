// SPDX-License-Identifier: BSL-1.0
// Two runs of a small cluster for report tests, made by a first-come list scheduler of a few lines:
// the reports need plausible input, not a good schedule.
#pragma once

#include <berth_sim/metrics.hpp>
#include <berth_sim/synthetic.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sample {

using berth::duration;
using berth::time_point;
namespace sim = berth::sim;

/// Puts each job, in the order of the trace, on the GPUs that are free first; every
/// `preempt_every`-th job is stopped in the middle of its run for ten minutes and continued on the
/// same GPUs.
inline sim::run_result make_run(std::string name, sim::workload const& trace, std::size_t nodes,
                                std::int32_t gpus_per_node, std::size_t preempt_every) {
  sim::run_result run;
  run.scheduler = std::move(name);
  run.workload = trace.source;
  run.node_gpus.assign(nodes, gpus_per_node);
  std::vector<time_point> free_at(static_cast<std::size_t>(run.gpu_count()), time_point{});
  std::vector<std::pair<time_point, std::int64_t>> changes;
  for (std::size_t at = 0; at < trace.jobs.size(); ++at) {
    sim::job const& job = trace.jobs[at];
    std::vector<std::size_t> order(free_at.size());
    for (std::size_t gpu = 0; gpu < order.size(); ++gpu) {
      order[gpu] = gpu;
    }
    std::sort(order.begin(), order.end(), [&free_at](std::size_t a, std::size_t b) {
      return free_at[a] != free_at[b] ? free_at[a] < free_at[b] : a < b;
    });
    order.resize(static_cast<std::size_t>(job.gpus));
    time_point const start = std::max(job.submit, free_at[order.back()]);
    bool const preempted = preempt_every != 0 && at % preempt_every == 0;
    duration const half = job.work / 2;
    duration const pause = preempted ? duration{std::chrono::minutes{10}} : duration{};
    time_point const end = start + job.work + pause;
    std::vector<sim::gpu_block> where;
    for (std::size_t const gpu : order) {
      free_at[gpu] = end;
      where.push_back({static_cast<std::uint32_t>(gpu / static_cast<std::size_t>(gpus_per_node)),
                       static_cast<std::uint32_t>(gpu % static_cast<std::size_t>(gpus_per_node)),
                       1});
    }
    auto const number = static_cast<std::uint32_t>(at);
    auto const hold = [&](time_point from, time_point to, sim::segment_end reason) {
      run.add_segment(number, from, to, where, reason);
      changes.emplace_back(from, job.gpus);
      changes.emplace_back(to, -job.gpus);
    };
    sim::job_record record;
    record.submit = job.submit;
    record.first_start = start;
    record.finish = end;
    record.waiting = start - job.submit + pause;
    record.gpus = job.gpus;
    if (preempted) {
      record.preemptions = 1;
      record.lost = berth::gpu_time{job.gpus, std::chrono::seconds{33}};
      hold(start, start + half, sim::segment_end::preempted);
      hold(start + half + pause, end, sim::segment_end::finished);
    } else {
      hold(start, end, sim::segment_end::finished);
    }
    run.jobs.push_back(record);
  }
  std::sort(changes.begin(), changes.end());
  std::int64_t busy = 0;
  for (auto const& [when, change] : changes) {
    busy += change;
    run.load.push_back({when, busy, 0});
  }
  for (std::int64_t tick = 1; tick <= 100; ++tick) {
    run.tick_nanoseconds.push_back(tick * 1000);
  }
  run.ticks = 100;
  run.digest = 0x0123456789abcdefu;
  return run;
}

/// The same jobs as they came, shortest first within the trace, and with preemptions.
inline std::vector<sim::run_result> make_runs(std::size_t jobs) {
  sim::workload trace = sim::log_normal({.jobs = jobs, .seed = 7, .load_percent = 95, .gpus = 64});
  std::vector<sim::run_result> runs;
  runs.push_back(make_run("first come", trace, 8, 8, 0));
  std::stable_sort(trace.jobs.begin(), trace.jobs.end(), [](sim::job const& a, sim::job const& b) {
    return a.submit + a.work < b.submit + b.work;
  });
  runs.push_back(make_run("early finish", trace, 8, 8, 0));
  runs.push_back(make_run("with preemptions", trace, 8, 8, 5));
  return runs;
}

}  // namespace sample
