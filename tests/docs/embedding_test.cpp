// SPDX-License-Identifier: BSL-1.0
// What docs/embedding.md tells the author of a host about reports that repeat, come late or never
// come.
#include <berth/berth.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

namespace {

using namespace std::chrono_literals;
using berth::action_kind;
using berth::errc;
using berth::job_state;

auto scheduler_of_nodes(std::int32_t nodes, berth::scheduler_config const& config = {}) {
  auto made = berth::make_scheduler(berth::cluster::uniform(nodes, 8).value(), config,
                                    berth::shortest_remaining{});
  REQUIRE(made);
  return std::move(made).value();
}

template <class Scheduler>
job_state state_of(Scheduler const& scheduler, berth::job_id job) {
  return scheduler.view(job)->state();
}

constexpr berth::time_point start{0ms};

}  // namespace

TEST_CASE("a repeated report is refused as not legal in this state, a late one as stale") {
  auto scheduler = scheduler_of_nodes(1);
  auto const job = scheduler.submit({.gang = 8}, start).value();
  berth::run_number const first = scheduler.tick(start)[0].run;
  CHECK(scheduler.report(job, berth::started{first}, start));
  std::uint64_t const before = scheduler.state_digest();
  CHECK(scheduler.report(job, berth::started{first}, start).error().code == errc::wrong_state);
  CHECK(scheduler.state_digest() == before);

  REQUIRE(scheduler.report(job, berth::run_failed{first}, start));
  REQUIRE(scheduler.tick(start + 1s).size() == 1);
  CHECK(scheduler.report(job, berth::started{first}, start + 1s).error().code == errc::stale_run);
  CHECK(state_of(scheduler, job) == job_state::launching);
}

TEST_CASE("a second complete is refused because the job has ended") {
  auto scheduler = scheduler_of_nodes(1);
  auto const job = scheduler.submit({}, start).value();
  REQUIRE_FALSE(scheduler.tick(start).empty());
  CHECK(scheduler.complete(job, start));
  CHECK(scheduler.complete(job, start).error().code == errc::stale_job);
}

TEST_CASE("a launch that nobody confirms keeps its GPUs and gains no service") {
  auto scheduler = scheduler_of_nodes(1);
  auto const job = scheduler.submit({.gang = 8, .work = 1h}, start).value();
  REQUIRE_FALSE(scheduler.tick(start).empty());
  CHECK(scheduler.tick(start + 24h).empty());
  CHECK(state_of(scheduler, job) == job_state::launching);
  CHECK(scheduler.view(job)->gpus_held() == 8);
  CHECK(scheduler.view(job)->attained_service() == berth::gpu_time::zero());
}

TEST_CASE(
    "GPUs stay booked until stopped, and the job that waits for them looks elsewhere in the end") {
  berth::scheduler_config config;
  config.earmark_expiry = 10min;
  auto scheduler = scheduler_of_nodes(1, config);
  auto const large = scheduler.submit({.gang = 8, .work = 10h}, start).value();
  REQUIRE_FALSE(scheduler.tick(start).empty());
  REQUIRE(scheduler.report(large, berth::started{}, start));
  auto const small = scheduler.submit({.gang = 8, .work = 1min}, start + 1min).value();
  auto const plan = scheduler.tick(start + 1min);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].kind == action_kind::stop);
  CHECK(plan[0].beneficiary == small);
  CHECK(state_of(scheduler, small) == job_state::reserving);
  CHECK(scheduler.next_wakeup() == start + 11min);

  SUBCASE("it stops: the waiting job has its GPUs in the next tick") {
    REQUIRE(scheduler.report(large, berth::stopped{}, start + 2min));
    CHECK(scheduler.tick(start + 2min).size() == 1);
    CHECK(state_of(scheduler, small) == job_state::launching);
  }
  SUBCASE("it does not: the earmark expires, the GPUs are still held") {
    static_cast<void>(scheduler.tick(start + 11min));
    CHECK(state_of(scheduler, large) == job_state::draining);
    CHECK(scheduler.view(large)->gpus_held() == 8);
    CHECK(state_of(scheduler, small) != job_state::launching);
  }
  CHECK(scheduler.check_invariants() == nullptr);
}

TEST_CASE(
    "a job whose only node goes down waits again at once, a gang that lost a part is stopped") {
  auto scheduler = scheduler_of_nodes(2);
  auto const wide = scheduler.submit({.gang = 12}, start).value();
  auto const narrow =
      scheduler.submit({.gang = 4, .layout = berth::spread::same_node}, start).value();
  REQUIRE(scheduler.tick(start).size() == 2);
  REQUIRE(scheduler.report(wide, berth::started{}, start));
  REQUIRE(scheduler.report(narrow, berth::started{}, start));
  berth::node_id shared;
  REQUIRE(
      scheduler.for_each_gpu(narrow, [&](berth::gpu_range const& held) { shared = held.node; }));
  REQUIRE(scheduler.set_node(shared, berth::node_health::down, start + 1min));
  CHECK(state_of(scheduler, narrow) == job_state::pending);
  CHECK(state_of(scheduler, wide) == job_state::draining);
  auto const plan = scheduler.tick(start + 1min);
  REQUIRE_FALSE(plan.empty());
  CHECK(plan[0].reason == berth::stop_reason::node_lost);
  CHECK(plan[0].job == wide);
  CHECK(scheduler.check_invariants() == nullptr);
}

TEST_CASE("failed launches do not count as failed runs, failed runs do") {
  berth::scheduler_config config;
  config.failure_limit = 2;
  auto scheduler = scheduler_of_nodes(1, config);
  auto const job = scheduler.submit({}, start).value();
  berth::time_point now = start;
  for (int i = 0; i < 5; ++i) {
    REQUIRE(scheduler.tick(now).size() == 1);
    REQUIRE(scheduler.report(job, berth::launch_failed{}, now));
    CHECK(scheduler.tick(now).empty());
    CHECK(scheduler.why_waiting(job).value() == berth::wait_reason::back_off);
    now = scheduler.next_wakeup();
    REQUIRE(now != berth::never);
  }
  REQUIRE(scheduler.tick(now).size() == 1);
  REQUIRE(scheduler.report(job, berth::run_failed{}, now));
  static_cast<void>(scheduler.tick(now));
  now = scheduler.next_wakeup();
  REQUIRE(scheduler.tick(now).size() == 1);
  REQUIRE(scheduler.report(job, berth::run_failed{}, now));
  CHECK(scheduler.view(job).error().code == errc::stale_job);
}

TEST_CASE("time that goes back is refused with an empty plan") {
  auto scheduler = scheduler_of_nodes(1);
  static_cast<void>(scheduler.tick(start + 1s));
  auto const refused = scheduler.tick(start);
  CHECK(refused.empty());
  CHECK(refused.is_refused());
  CHECK(refused.error().code == errc::time_went_back);
}
