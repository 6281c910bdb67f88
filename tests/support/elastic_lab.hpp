// SPDX-License-Identifier: BSL-1.0
// A scheduler that sizes jobs, and a host that obeys when it is told to.
#pragma once

#include <berth/allocators/elastic.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/preemption/auto_fast_elastic.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace tests {

/// What a plan said, kept beyond the next call.
struct kept_order {
  berth::action what;
  std::vector<berth::gpu_range> gpus;
  [[nodiscard]] int gpu_total() const {
    int sum = 0;
    for (berth::gpu_range const& range : gpus) {
      sum += berth::gpu_count(range.gpus);
    }
    return sum;
  }
  [[nodiscard]] int gpus_on(std::uint32_t node) const {
    int sum = 0;
    for (berth::gpu_range const& range : gpus) {
      sum += range.node.slot() == node ? berth::gpu_count(range.gpus) : 0;
    }
    return sum;
  }
};

class elastic_lab {
 public:
  using scheduler = berth::scheduler_of<berth::elastic<>, berth::auto_fast_elastic>;

  explicit elastic_lab(berth::cluster const& nodes, berth::scheduler_config config = {})
      : s{make(nodes, config)} {}
  explicit elastic_lab(int nodes = 2, int gpus = 4, berth::scheduler_config config = {})
      : elastic_lab{berth::cluster::uniform(nodes, gpus).value(), config} {}

  berth::job_id submit(berth::job_spec const& spec) {
    auto const id = s.submit(spec, now);
    REQUIRE(id);
    return *id;
  }
  berth::job_id submit_elastic(int least, int most, berth::duration work = std::chrono::hours{1}) {
    return submit({.gang = most, .min_gang = least, .work = work});
  }
  /// Ticks once.
  std::vector<kept_order> const& tick() {
    orders.clear();
    for (berth::action const& each : s.tick(now)) {
      orders.push_back({each, {each.gpus.begin(), each.gpus.end()}});
    }
    check();
    return orders;
  }
  /// Ticks and obeys until nothing is left to do.
  void settle() {
    for (int rounds = 0; rounds < 20; ++rounds) {
      if (tick().empty()) {
        return;
      }
      obey_all();
    }
    FAIL("it does not come to rest");
  }
  void obey_all() {
    for (kept_order const& each : std::vector<kept_order>{orders}) {
      obey(each);
    }
  }
  void obey(kept_order const& each) {
    berth::action const& what = each.what;
    switch (what.kind) {
      case berth::action_kind::start:
        CHECK(s.report(what.job, berth::started{what.run}, now));
        break;
      case berth::action_kind::stop:
        CHECK(s.report(what.job, berth::stopped{.run = what.run}, now));
        break;
      case berth::action_kind::resize:
        CHECK(s.report(what.job, berth::resized{what.run, what.change}, now));
        break;
      case berth::action_kind::carry_on: break;
    }
    check();
  }
  void check() {
    char const* const broken = s.check_invariants();
    REQUIRE_MESSAGE(broken == nullptr, broken);
  }
  [[nodiscard]] int gpus(berth::job_id job) const { return s.view(job)->gpus_held(); }
  [[nodiscard]] berth::job_state state(berth::job_id job) const { return s.view(job)->state(); }
  [[nodiscard]] std::optional<kept_order> order_for(berth::job_id job) const {
    for (kept_order const& each : orders) {
      if (each.what.job == job) {
        return each;
      }
    }
    return std::nullopt;
  }

  scheduler s;
  berth::time_point now{};
  std::vector<kept_order> orders;

 private:
  static scheduler make(berth::cluster const& nodes, berth::scheduler_config config) {
    config.max_jobs = 32;
    config.max_nodes = 16;
    config.max_gpus = 128;
    return std::move(
        berth::make_scheduler(nodes, config, berth::elastic<>{}, berth::auto_fast_elastic{})
            .value());
  }
};

}  // namespace tests
