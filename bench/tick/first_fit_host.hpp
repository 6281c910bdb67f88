// SPDX-License-Identifier: BSL-1.0
// The naive answer, for comparison: every tick walks the whole queue, sorted by submit order, and
// for each job all nodes from the first on, and takes the first GPUs that are free. No classes, no
// prices, no preemption, nothing kept between ticks.
#pragma once

#include <berth/core/digest.hpp>
#include <berth/core/random.hpp>

#include <bench/tick/busy_host.hpp>
#include <bench/tick/gang_mix.hpp>
#include <bench/tick/row.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace berth_bench {

class first_fit_host {
 public:
  explicit first_fit_host(setting const& what)
      : what_{what},
        mix_{0.95 * static_cast<double>(what.gpus) / static_cast<double>(what.running)},
        free_(static_cast<std::size_t>(what.gpus / gpus_per_node), gpus_per_node),
        offered_{what.gpus},
        tick_{static_cast<std::size_t>(what.ticks)} {
    for (std::int64_t load = 0; load < what.gpus * 95 / 100;) {
      submit(mix_.draw(random_));
      load += queue_.back().gang;
    }
    decide();
    for (int i = 0; i < 60; ++i) {  // the same ageing as busy_host
      change(0.03, 0);
      decide();
    }
    if (what.blocked == queue_kind::blocked_at_head || what.blocked == queue_kind::shapes_at_head) {
      for (std::int64_t i = 0; i < blocked_ahead; ++i) {
        submit(static_cast<std::int32_t>(what.gpus));
      }
    }
    while (static_cast<std::int64_t>(queue_.size()) < what.pending) {
      submit(next_gang());
    }
    for (int i = 0; i < 30; ++i) {
      change(what.churn, what.pending);
      decide();
    }
    started_ = 0;
    extra_nodes_ = 0;
    broken_nodes_ = 0;
    decisions_ = {};
  }

  void run() {
    double running = 0;
    for (int i = 0; i < what_.ticks; ++i) {
      change(what_.churn, what_.pending);
      stopwatch const watch;
      decide();
      tick_.add(watch.microseconds());
      running += static_cast<double>(running_.size());
    }
    running_on_average_ = static_cast<std::int64_t>(running / std::max(1, what_.ticks));
  }

  [[nodiscard]] row result() const {
    row r;
    r.what = what_;
    r.what.preset = "naive first fit";
    r.nodes = static_cast<std::int64_t>(free_.size());
    r.running = running_on_average_;
    r.tick = tick_.summary();
    double const seconds = tick_.sum() / 1e6;
    r.decisions_per_second = seconds > 0 ? static_cast<double>(started_) / seconds : 0;
    r.actions_per_tick = static_cast<double>(started_) / std::max(1, what_.ticks);
    double const gangs = static_cast<double>(std::max<std::int64_t>(1, started_));
    r.extra_nodes_per_gang = static_cast<double>(extra_nodes_) / gangs;
    r.broken_nodes_per_gang = static_cast<double>(broken_nodes_) / gangs;
    r.digest = decisions_.value();
    return r;
  }

 private:
  struct waiting {
    std::int32_t gang;
    std::int32_t type;  ///< -1: any
  };
  using places = std::vector<std::pair<std::uint32_t, std::int32_t>>;

  void change(double churn, std::int64_t least) {
    auto const changes = static_cast<std::int64_t>(churn * static_cast<double>(running_.size()) +
                                                   (churn > 0 ? 0.999 : 0.0));
    for (std::int64_t i = 0; i < changes && !running_.empty(); ++i) {
      std::size_t const at = static_cast<std::size_t>(random_.below(running_.size()));
      for (auto const& [node, gpus] : running_[at]) {
        free_[node] += gpus;
        offered_ += gpus;
      }
      running_[at] = std::move(running_.back());
      running_.pop_back();
    }
    std::int64_t const most = least + changes;
    for (std::int64_t i = 0; changes > 0 && (i < changes || pending() < least) && pending() < most;
         ++i) {
      submit(least == 0 ? mix_.draw(random_) : next_gang());
    }
  }
  [[nodiscard]] std::int64_t pending() const { return static_cast<std::int64_t>(queue_.size()); }
  [[nodiscard]] std::int32_t next_gang() {
    return what_.blocked == queue_kind::blocked ? static_cast<std::int32_t>(what_.gpus)
                                                : mix_.draw(random_);
  }
  void submit(std::int32_t gang) {
    std::int32_t type = -1;
    if (what_.types > 1 && random_.below(2) == 0) {
      type = static_cast<std::int32_t>(random_.below(static_cast<std::uint64_t>(what_.types)));
    }
    queue_.push_back({gang, type});
  }

  void decide() {
    std::size_t kept = 0;
    for (waiting const& job : queue_) {
      if (offered_ < job.gang || !place(job)) {
        queue_[kept++] = job;
      }
    }
    queue_.resize(kept);
  }
  bool place(waiting const& job) {
    places taken;
    std::int32_t left = job.gang;
    for (std::uint32_t n = 0; n < free_.size() && left > 0; ++n) {
      bool const fits = job.gang <= gpus_per_node ? free_[n] >= job.gang : free_[n] > 0;
      std::int32_t const rack_type = static_cast<std::int32_t>(n) / nodes_per_rack % what_.types;
      if (fits && (job.type < 0 || job.type == rack_type)) {
        taken.emplace_back(n, std::min(left, free_[n]));
        left -= taken.back().second;
      }
    }
    if (left > 0) {
      return false;
    }
    for (auto const& [node, gpus] : taken) {
      broken_nodes_ += free_[node] == gpus_per_node && gpus < gpus_per_node ? 1 : 0;
      free_[node] -= gpus;
      offered_ -= gpus;
      decisions_.add_word(node);
    }
    extra_nodes_ +=
        static_cast<std::int64_t>(taken.size()) - (job.gang + gpus_per_node - 1) / gpus_per_node;
    ++started_;
    running_.push_back(std::move(taken));
    return true;
  }

  setting what_;
  gang_mix mix_;
  berth::random_source random_{7};
  std::vector<std::int32_t> free_;
  std::int64_t offered_;
  std::vector<waiting> queue_;
  std::vector<places> running_;
  samples tick_;
  std::int64_t started_ = 0;
  std::int64_t extra_nodes_ = 0;
  std::int64_t broken_nodes_ = 0;
  std::int64_t running_on_average_ = 0;
  berth::digest decisions_;
};

}  // namespace berth_bench
