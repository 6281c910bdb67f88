// SPDX-License-Identifier: BSL-1.0
// A host without books and without allocations: seeded calls on fixed arrays, for tests of memory
// and of digests, where a careful host would be in the way.
#pragma once

#include <berth/core/digest.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/node.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/any_scheduler.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tests {

class plain_load {
 public:
  plain_load(any_scheduler& scheduler, std::uint64_t seed, std::uint32_t nodes)
      : scheduler_{scheduler}, random_{seed}, nodes_{nodes} {}

  std::uint64_t starts = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t withdrawals = 0;
  std::uint64_t refused = 0;

  void calls(int count) {
    for (int i = 0; i < count; ++i) {
      call();
    }
  }
  /// Of all plans.
  [[nodiscard]] std::uint64_t plans() const { return plans_.value(); }

 private:
  struct known {
    berth::job_id id;
    bool stopping = false;
  };

  void call() {
    std::uint64_t const what = random_.below(16);
    std::size_t const pick = random_.below(jobs_.size());
    if (what < 4) {
      submit(pick);
    } else if (what < 8) {
      tick();
    } else if (what < 15) {
      report(pick, random_.below(12));
    } else {
      change_node();
    }
  }
  void submit(std::size_t at) {
    berth::job_spec job;
    job.gang = static_cast<std::int32_t>(1 + random_.below(4));
    job.gpus_per_member = std::int32_t{1} << random_.below(4);
    job.priority = static_cast<std::int32_t>(random_.below(3));
    job.work = std::chrono::minutes{1 + random_.below(300)};
    job.estimate = job.work;
    job.cpu_milli_per_gpu = random_.below(4) == 0 ? 1000 : 0;
    job.tag = ++tags_;
    if (auto const id = scheduler_.submit(job, now_)) {
      jobs_[at].id = *id;  // the one before goes on unobserved until it is cancelled below
    } else {
      ++refused;
      static_cast<void>(scheduler_.cancel(jobs_[at].id, now_));
    }
  }
  void tick() {
    now_ += berth::duration{static_cast<std::int64_t>(random_.below(600'000))};
    std::size_t stops = 0;
    for (berth::action const& a : scheduler_.tick(now_)) {
      a.add_to(plans_);
      bool const start = a.kind == berth::action_kind::start;
      starts += start ? 1u : 0u;
      preemptions += a.reason == berth::stop_reason::preempted ? 1u : 0u;
      withdrawals += a.kind == berth::action_kind::carry_on ? 1u : 0u;
      bool const at_once = start || (a.kind == berth::action_kind::stop && a.saves_at <= now_);
      if (at_once && stops < told_.size()) {
        told_[stops++] = {a.job, !start};
      }
    }
    for (std::size_t i = 0; i < stops; ++i) {
      told_[i].stopping ? count(scheduler_.report(told_[i].id, berth::stopped{}, now_))
                        : count(scheduler_.report(told_[i].id, berth::started{}, now_));
    }
  }
  void report(std::size_t at, std::uint64_t what) {
    berth::job_id const id = jobs_[at].id;
    switch (what) {
      case 0: count(scheduler_.report(id, berth::launch_failed{}, now_)); break;
      case 1: count(scheduler_.report(id, berth::run_failed{}, now_)); break;
      case 2:
        count(scheduler_.report(id, berth::progress{std::chrono::minutes{5}, {}}, now_));
        break;
      case 3: count(scheduler_.report(id, berth::checkpointed{}, now_)); break;
      case 4: count(scheduler_.report(id, berth::stopped{}, now_)); break;
      case 5: count(scheduler_.cancel(id, now_)); break;
      default: count(scheduler_.complete(id, now_)); break;
    }
  }
  void change_node() {
    berth::node_id const node{static_cast<std::uint32_t>(random_.below(nodes_)), 0};
    std::uint64_t const what = random_.below(6);
    if (what == 0) {
      count(scheduler_.set_node(node, berth::node_health::down, now_));
    } else if (what == 1) {
      count(scheduler_.set_lost_gpus(node, random_.below(4), now_));
    } else {
      count(scheduler_.set_node(node, berth::node_health::up, now_));
    }
  }
  template <class Result>
  void count(Result const& answer) {
    refused += answer ? 0u : 1u;
  }

  any_scheduler& scheduler_;
  berth::random_source random_;
  std::uint32_t nodes_;
  berth::time_point now_{};
  std::uint64_t tags_ = 0;
  std::array<known, 48> jobs_{};
  std::array<known, 256> told_{};
  berth::digest plans_;
};

/// 12 nodes with 8 GPUs and CPUs for all of them, and the limits to go with them.
[[nodiscard]] inline berth::cluster load_cluster() {
  berth::cluster made;
  for (int n = 0; n < 12; ++n) {
    berth::node_spec node;
    node.gpus = 8;
    node.rack = static_cast<berth::rack_id>(n / 4);
    node.cpu_milli = 8000;
    static_cast<void>(made.add(node).value());
  }
  return made;
}
[[nodiscard]] inline berth::scheduler_config load_config(berth::acknowledgement how) {
  berth::scheduler_config config;
  config.max_jobs = 64;
  config.max_nodes = 12;
  config.max_gpus = 96;
  config.max_tenants = 1;
  config.acknowledge = how;
  return config;
}

}  // namespace tests
