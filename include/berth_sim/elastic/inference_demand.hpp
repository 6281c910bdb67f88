// SPDX-License-Identifier: BSL-1.0
// How many GPUs a list of inference tasks uses over time, if it can have as many as it wants; and
// tasks by a daily pattern.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/replica_fleet.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct demand_point {
  time_point at{};
  std::int32_t gpus = 0;
};

/// Replicas that start, serve or are protected. Whoever sleeps is free for others, and stays warm
/// here: nobody takes its GPU.
[[nodiscard]] inline std::vector<demand_point> inference_demand(
    std::span<task_row const> tasks, std::span<application const> applications,
    pod_rules const& rules = {}) {
  replica_fleet fleet{rules};
  std::vector<demand_point> demand;
  auto const change = [&](std::uint32_t n, time_point now) {
    pod const& each = fleet.at(n);
    switch (each.state) {
      case pod_state::starting: fleet.serve(n, each.task, tasks[each.task].length, now); break;
      case pod_state::serving: fleet.protect(n, now); break;
      case pod_state::protect: fleet.sleep(n); break;
      default: break;
    }
  };
  auto const pass_until = [&](time_point end) {
    for (time_point next = fleet.next_change(); next <= end && next != never;
         next = fleet.next_change()) {
      fleet.for_each_due(next, [&](std::uint32_t n) { change(n, next); });
      demand.push_back({next, fleet.in_use()});
    }
  };
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    time_point const now = tasks[i].submit;
    pass_until(now);
    if (auto const warm = fleet.warm(tasks[i].service)) {
      fleet.serve(*warm, i, tasks[i].length, now);
    } else {
      std::uint32_t const n = fleet.add({}, tasks[i].service, i);
      fleet.start(n, applications[tasks[i].application].facts.first_answer, now);
    }
    demand.push_back({now, fleet.in_use()});
  }
  pass_until(never);
  return demand;
}

/// A Poisson stream of tasks whose rate follows the time of day.
struct daily_load {
  double mean_gpus = 1;  ///< busy with tasks, over a day
  double peak_gpus = 1;  ///< at the busiest time of the day; equal to mean_gpus: no pattern
  duration peak_at = std::chrono::hours{10};
  duration shortest = std::chrono::seconds{1};  ///< lengths are uniform between these
  duration longest = std::chrono::seconds{9};
  std::int32_t services = 6;  ///< each with a model of its own
  /// A surge: so many times as many tasks while it lasts.
  double surge = 1;
  time_point surge_from = never;
  duration surge_length{0};
};

/// Tasks that come in [from, until), by thinning.
[[nodiscard]] inline std::vector<task_row> daily_tasks(daily_load const& load, time_point from,
                                                       time_point until, std::uint64_t seed) {
  random_source random{seed};
  auto const uniform = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
  // ((1 + cos) / 2)^p has the mean that is asked for; p by bisection.
  auto const shape = [](double turn, double power) {
    return std::pow((1.0 + std::cos(2.0 * std::numbers::pi * turn)) / 2.0, power);
  };
  double low = 0;
  double high = 64;
  for (int i = 0; i < 60; ++i) {
    double const middle = (low + high) / 2;
    double sum = 0;
    for (int k = 0; k < 288; ++k) {
      sum += shape(k / 288.0, middle) / 288.0;
    }
    (sum * load.peak_gpus > load.mean_gpus ? low : high) = middle;
  }
  double const mean_length = static_cast<double>((load.shortest + load.longest).count()) / 2000.0;
  double const most = load.peak_gpus / mean_length * std::max(1.0, load.surge);
  auto const& models = detail::known_applications;
  std::vector<task_row> tasks;
  double at = static_cast<double>(from.time_since_epoch().count()) / 1000.0;
  double const end = static_cast<double>(until.time_since_epoch().count()) / 1000.0;
  double const peak = static_cast<double>(load.peak_at.count()) / 1000.0;
  for (;;) {
    at += -std::log(1.0 - uniform()) / most;
    if (at >= end) {
      return tasks;
    }
    time_point const now{duration{static_cast<std::int64_t>(at * 1000.0)}};
    bool const surges = now >= load.surge_from && now < load.surge_from + load.surge_length;
    double const rate = load.peak_gpus / mean_length * shape((at - peak) / 86400.0, low) *
                        (surges ? load.surge : 1.0);
    if (uniform() * most >= rate) {
      continue;
    }
    task_row task;
    task.submit = now;
    task.length = duration{load.shortest.count() +
                           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(
                               (load.longest - load.shortest).count() + 1)))};
    auto const service = random.below(static_cast<std::uint64_t>(load.services));
    task.application = static_cast<std::size_t>(service) % models.size();
    task.service =
        "infer-" + std::string{models[task.application].name} + "-" + std::to_string(service);
    tasks.push_back(std::move(task));
  }
}

}  // namespace sim

BERTH_NAMESPACE_END
