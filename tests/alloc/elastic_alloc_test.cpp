// SPDX-License-Identifier: BSL-1.0
// A scheduler that sizes jobs and lends GPUs allocates nothing after its construction.
#include <berth/allocators/elastic.hpp>
#include <berth/core/random.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>
#include <berth/presets/deepboot.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/counting_new.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include <doctest/doctest.h>

namespace elastic_alloc_test {

namespace {

using namespace std::chrono_literals;

/// Obeys in a fixed memory of its own.
struct orders {
  std::array<berth::action, 256> kept{};
  std::size_t count = 0;
  void keep(berth::plan const& plan) {
    count = 0;
    for (berth::action const& each : plan) {
      kept[count++] = each;
    }
  }
};

TEST_CASE("elastic: submit, tick, reports, ladders and loans allocate nothing") {
  berth::cluster nodes;
  for (int i = 0; i < 6; ++i) {
    bool const serves = i >= 3;
    REQUIRE(
        nodes.add({.gpus = 4, .owner = serves ? berth::pool::inference : berth::pool::training}));
  }
  berth::scheduler_config config;
  config.max_jobs = 64;
  config.max_nodes = 8;
  config.max_gpus = 64;
  auto made = berth::presets::deepboot(nodes, config);
  REQUIRE(made);
  auto& scheduler = *made;
  berth::random_source random{5};
  berth::time_point now{};
  orders plan;
  std::uint64_t resizes = 0;
  std::uint64_t recalls = 0;
  std::array<berth::job_id, 64> living{};
  std::size_t count = 0;
  std::uint64_t const before = tests::allocations();
  for (int step = 0; step < 20'000; ++step) {
    now += berth::duration{static_cast<std::int64_t>(random.below(20'000))};
    if (count < 12 && random.below(3) == 0) {
      berth::job_spec spec;
      spec.gang = 8;
      spec.min_gang = 1;
      spec.work = 1h;
      spec.borrows = berth::borrowing::extra;
      if (random.below(3) == 0) {
        spec = {};
        spec.where = berth::pool::inference;
      }
      if (auto const id = scheduler.submit(spec, now)) {
        living[count++] = *id;
        std::array const ladder{berth::rung{1, berth::unit_rung_speed},
                                berth::rung{3, 2 * berth::unit_rung_speed},
                                berth::rung{8, 5 * berth::unit_rung_speed}};
        if (spec.min_gang > 0) {
          static_cast<void>(scheduler.set_ladder(*id, ladder, now).has_value());
        }
      }
    } else if (count > 0 && random.below(3) == 0) {
      std::size_t const which = random.below(count);
      static_cast<void>(scheduler.complete(living[which], now).has_value());
      living[which] = living[--count];
    } else if (random.below(10) == 0) {
      berth::loan const lent{static_cast<std::int32_t>(random.below(13)), berth::never};
      static_cast<void>(scheduler.lend(lent, now).has_value());
    } else if (count > 0 && random.below(4) == 0) {
      static_cast<void>(
          scheduler.report(living[random.below(count)], berth::sleeps{}, now).has_value());
    }
    plan.keep(scheduler.tick(now));
    for (std::size_t i = 0; i < plan.count; ++i) {
      berth::action const& each = plan.kept[i];
      resizes += each.kind == berth::action_kind::resize ? 1u : 0u;
      recalls += each.reason == berth::stop_reason::recalled ? 1u : 0u;
      bool const heard =
          each.kind == berth::action_kind::start
              ? scheduler.report(each.job, berth::started{each.run}, now).has_value()
          : each.kind == berth::action_kind::resize
              ? scheduler.report(each.job, berth::resized{each.run, each.change}, now).has_value()
              : scheduler.report(each.job, berth::stopped{.run = each.run}, now).has_value();
      REQUIRE(heard);
    }
  }
  std::uint64_t const after = tests::allocations();
  CHECK(after == before);
  CHECK(resizes > 500);
  CHECK(recalls > 20);
  CHECK(scheduler.check_invariants() == nullptr);
}

}  // namespace

}  // namespace elastic_alloc_test
