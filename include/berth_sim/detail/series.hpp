// SPDX-License-Identifier: BSL-1.0
// Curves for the reports, thinned out to what a screen can show.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/metrics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

struct point {
  double x = 0;
  double y = 0;
};

struct curve {
  std::string name;
  std::vector<point> points;
};

/// Share of values (per cent) that are at most x seconds, at no more than `limit` ranks. Values
/// below one second are drawn at one second: the axis is logarithmic. O(n log n).
[[nodiscard]] inline std::vector<point> distribution(std::vector<duration> values,
                                                     std::size_t limit) {
  std::sort(values.begin(), values.end());
  std::vector<point> points;
  std::size_t const steps = std::min(limit, values.size());
  for (std::size_t step = 1; step <= steps; ++step) {
    std::size_t const rank = values.size() * step / steps;
    points.push_back({std::max(1.0, static_cast<double>(values[rank - 1].count()) / 1000.0),
                      100.0 * static_cast<double>(rank) / static_cast<double>(values.size())});
  }
  return points;
}

[[nodiscard]] inline std::vector<duration> completion_times(run_result const& run) {
  std::vector<duration> values;
  for (job_record const& job : run.jobs) {
    if (job.is_finished()) {
      values.push_back(job.completion_time());
    }
  }
  return values;
}

[[nodiscard]] inline std::vector<duration> waiting_times(run_result const& run) {
  std::vector<duration> values;
  for (job_record const& job : run.jobs) {
    if (job.is_finished()) {
      values.push_back(job.waiting);
    }
  }
  return values;
}

/// First instant of a run and the first at which nothing happens any more.
struct extent {
  time_point from{};
  time_point to{};
};

[[nodiscard]] inline extent extent_of(run_result const& run) noexcept {
  time_point from = never;
  time_point to = time_point::min();
  for (job_record const& job : run.jobs) {
    from = std::min(from, job.submit);
    to = std::max(to, job.is_finished() ? job.finish : job.submit);
  }
  for (segment const& stay : run.segments) {
    from = std::min(from, stay.start);
    to = std::max(to, stay.end);
  }
  if (!run.load.empty()) {
    to = std::max(to, run.load.back().at);
  }
  return from < to ? extent{from, to} : extent{};
}

/// Utilisation in per cent over hours since the start of the run, each point the mean of one of
/// `bins` equal intervals. One pass: O(samples + bins).
[[nodiscard]] inline std::vector<point> utilisation(run_result const& run, std::size_t bins) {
  auto const [from, to] = extent_of(run);
  auto const gpus = static_cast<double>(run.gpu_count());
  if (from == to || run.load.empty() || gpus <= 0) {
    return {};
  }
  double const width = static_cast<double>((to - from).count()) / static_cast<double>(bins);
  std::vector<double> busy(bins, 0.0);
  for (std::size_t at = 0; at < run.load.size(); ++at) {
    time_point const start = std::max(from, run.load[at].at);
    time_point const end = at + 1 < run.load.size() ? std::min(to, run.load[at + 1].at) : to;
    if (start >= end) {
      continue;
    }
    double begin = static_cast<double>((start - from).count()) / width;
    double const stop = static_cast<double>((end - from).count()) / width;
    auto const held = static_cast<double>(run.load[at].busy_gpus);
    for (auto bin = static_cast<std::size_t>(begin); bin < bins && begin < stop; ++bin) {
      double const edge = std::min(stop, static_cast<double>(bin + 1));
      busy[bin] += held * (edge - begin);
      begin = edge;
    }
  }
  std::vector<point> points;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    points.push_back({(static_cast<double>(bin) + 0.5) * width / 3600e3, 100.0 * busy[bin] / gpus});
  }
  return points;
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
