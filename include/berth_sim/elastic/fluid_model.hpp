// SPDX-License-Identifier: BSL-1.0
// A workload without what makes scheduling hard: no restarts, no nodes, every speed known. How soon
// its jobs would end there is what the figures of a real schedule are held against.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/ideal_rates.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct fluid_options {
  std::int32_t gpus = 64;
  std::int32_t gpus_per_node = 4;
  double power = 0.5;  ///< of the remaining time that a marginal speed-up is divided by
  batch_chosen when = batch_chosen::each_epoch;
};

/// Gives GPUs one step after the other to the largest marginal speed-up (over one GPU) divided by
/// the remaining time on one GPU to a power, steps along the concave majorant; again whenever a job
/// comes, ends an epoch or ends, and every minute. No bound in the strict sense: the rule is
/// greedy. Applications by the numbers of the workload.
class fluid_model {
 public:
  fluid_model(std::span<application const> applications, elastic_workload const& work,
              fluid_options const& options)
      : applications_{applications}, options_{options} {
    for (training_row const& row : work.jobs) {
      auto const known = std::find_if(rates_.begin(), rates_.end(), [&](kind const& each) {
        return each.application == row.application && each.batch == row.batch;
      });
      std::size_t number = static_cast<std::size_t>(known - rates_.begin());
      application const& app = applications[row.application];
      if (app.facts.is_adaptive) {
        number = static_cast<std::size_t>(
            std::find_if(rates_.begin(), rates_.end(),
                         [&](kind const& each) { return each.application == row.application; }) -
            rates_.begin());
      }
      if (number == rates_.size()) {
        rates_.push_back(
            {row.application, row.batch,
             ideal_rates{app, options.gpus_per_node, options.gpus, options.when, row.batch}});
      }
      jobs_.push_back({number, row.submit});
    }
  }

  /// From submission to end, in the order of the workload's jobs.
  [[nodiscard]] std::vector<duration> completion_times() {
    std::vector<duration> times(jobs_.size());
    std::vector<std::size_t> active;
    double now = 0;
    for (std::size_t next = 0; next < jobs_.size() || !active.empty();) {
      while (next < jobs_.size() && seconds(jobs_[next].submit) <= now) {
        active.push_back(next++);
      }
      divide(active);
      double span = active.empty() ? std::numeric_limits<double>::max() : 60.0;
      if (next < jobs_.size()) {
        span = std::min(span, seconds(jobs_[next].submit) - now);
      }
      for (std::size_t const at : active) {
        if (jobs_[at].gpus > 0) {
          span = std::min(span, (mark(jobs_[at]) - jobs_[at].progress) / rate(jobs_[at]));
        }
      }
      now += span;
      std::erase_if(active, [&](std::size_t at) {
        if (!advance(jobs_[at], span)) {
          return false;
        }
        times[at] =
            duration{static_cast<std::int64_t>((now - seconds(jobs_[at].submit)) * 1000.0 + 0.5)};
        return true;
      });
    }
    return times;
  }

 private:
  struct kind {
    std::size_t application;
    std::int32_t batch;
    ideal_rates rates;
  };
  struct job {
    std::size_t kind;
    time_point submit;
    double progress = 0;
    std::int32_t epoch = 0;
    std::int32_t gpus = 0;
    double weight = 0;  ///< over its speed on one GPU
  };
  struct climb {
    double gain = 0;  ///< per GPU
    std::int32_t to = 0;
  };

  [[nodiscard]] static double seconds(time_point at) noexcept {
    return static_cast<double>(at.time_since_epoch().count()) / 1000.0;
  }
  [[nodiscard]] application const& app(job const& of) const noexcept {
    return applications_[rates_[of.kind].application];
  }
  [[nodiscard]] double mark(job const& of) const noexcept { return app(of).curve.mark(of.epoch); }
  [[nodiscard]] double rate_on(job const& of, std::int32_t gpus) const noexcept {
    return rates_[of.kind].rates.at(gpus, of.epoch);
  }
  [[nodiscard]] double rate(job const& of) const noexcept { return rate_on(of, of.gpus); }

  /// The best step up within that many GPUs.
  [[nodiscard]] climb next_step(job const& of, std::int32_t left) const noexcept {
    std::int32_t const top = std::min(rates_[of.kind].rates.max_gpus(), of.gpus + left);
    climb best;
    for (std::int32_t gpus = of.gpus + 1; gpus <= top; ++gpus) {
      double const gain = (rate_on(of, gpus) - rate(of)) * of.weight / (gpus - of.gpus);
      best = gain > best.gain ? climb{gain, gpus} : best;
    }
    return best;
  }
  void divide(std::vector<std::size_t> const& active) {
    for (std::size_t const at : active) {
      job& each = jobs_[at];
      each.gpus = 0;
      double const alone = rate_on(each, 1);
      double const left = std::max(1.0, (app(each).curve.total() - each.progress) / alone);
      each.weight =
          berth::detail::fixed_exp(-options_.power * berth::detail::fixed_log(left)) / alone;
    }
    steps_.assign(active.size(), climb{});
    std::int32_t left = options_.gpus;
    for (std::size_t i = 0; i < active.size(); ++i) {
      steps_[i] = next_step(jobs_[active[i]], left);
    }
    while (left > 0) {
      std::size_t best = active.size();
      for (std::size_t i = 0; i < active.size(); ++i) {
        job const& each = jobs_[active[i]];
        if (steps_[i].to - each.gpus > left) {
          steps_[i] = next_step(each, left);
        }
        if (steps_[i].gain > (best == active.size() ? 0.0 : steps_[best].gain)) {
          best = i;
        }
      }
      if (best == active.size()) {
        return;
      }
      job& first = jobs_[active[best]];
      left -= steps_[best].to - std::exchange(first.gpus, steps_[best].to);
      steps_[best] = next_step(first, left);
    }
  }
  /// True if it ends.
  [[nodiscard]] bool advance(job& each, double span) const noexcept {
    if (each.gpus == 0) {
      return false;
    }
    each.progress += rate(each) * span;
    while (each.epoch < app(each).curve.epochs() && each.progress >= mark(each) * (1.0 - 1e-12)) {
      ++each.epoch;
    }
    return each.epoch == app(each).curve.epochs();
  }

  std::span<application const> applications_;
  fluid_options options_;
  std::vector<kind> rates_;
  std::vector<job> jobs_;
  std::vector<climb> steps_;
};

}  // namespace sim

BERTH_NAMESPACE_END
