// SPDX-License-Identifier: BSL-1.0
// When a host that does nothing but follow next_wakeup() would tick.
#include <berth/berth.hpp>

#include <chrono>

#include <doctest/doctest.h>

namespace wakeup_test {

namespace {

using namespace std::chrono_literals;
constexpr berth::time_point start{std::chrono::hours{1}};

}  // namespace

TEST_CASE("whatever is reported makes a tick worth while at once, and a tick settles it") {
  auto s = berth::make_scheduler(berth::cluster::uniform(1, 2).value(), {}).value();
  CHECK(s.next_wakeup() == berth::never);
  auto const job = s.submit({.gang = 2, .work = 1h}, start).value();
  CHECK(s.next_wakeup() == start);
  REQUIRE(s.tick(start).size() == 1);
  CHECK(s.next_wakeup() == berth::never);
  REQUIRE(s.report(job, berth::launch_failed{}, start + 1s));
  CHECK(s.next_wakeup() == start + 1s);
  CHECK(s.tick(start + 1s).empty());
  CHECK(s.next_wakeup() == start + 2s);  // the back-off
  CHECK_FALSE(s.report(job, berth::started{}, start + 1s));
  CHECK(s.next_wakeup() == start + 2s);  // what was refused changes nothing
}

TEST_CASE(
    "a protected run can be displaced as soon as its minimum is over, without another event") {
  berth::scheduler_config config;
  config.minimum_run = 10min;
  auto s =
      berth::make_scheduler(berth::cluster::uniform(1, 1).value(), config, berth::priority_class{})
          .value();
  auto const low = s.submit({}, start).value();
  REQUIRE(s.tick(start).size() == 1);
  REQUIRE(s.report(low, berth::started{}, start));
  REQUIRE(s.submit({.priority = 1}, start + 1min));
  CHECK(s.tick(start + 1min).empty());
  CHECK(s.next_wakeup() == start + 10min);
  auto const plan = s.tick(start + 10min);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].job == low);
  CHECK(plan[0].kind == berth::action_kind::stop);
}

TEST_CASE("a launch that fails while the order to stop is under way ends the run") {
  auto s = berth::make_scheduler(berth::cluster::uniform(1, 1).value(), {}, berth::priority_class{})
               .value();
  auto const low = s.submit({}, start).value();
  REQUIRE(s.tick(start).size() == 1);  // told to start, and not started yet
  auto const high = s.submit({.priority = 1}, start + 1s).value();
  REQUIRE(s.tick(start + 1s).size() == 1);
  REQUIRE(s.report(low, berth::launch_failed{}, start + 2s));
  auto const plan = s.tick(start + 2s);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].job == high);
  REQUIRE(s.cancel(high, start + 3s));
  REQUIRE(s.report(high, berth::launch_failed{}, start + 3s));
  CHECK(s.view(high).error().code == berth::errc::stale_job);
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("shortest_remaining does not displace a job because it sits on a slow type") {
  berth::cluster nodes{{"slow", "fast"}};
  REQUIRE(nodes.add({.gpus = 1, .type = berth::gpu_type{0}}));
  REQUIRE(nodes.add({.gpus = 1, .type = berth::gpu_type{1}}));
  berth::scheduler_config config;
  config.acknowledge = berth::acknowledgement::implicit;
  auto s = berth::make_scheduler(nodes, config, berth::shortest_remaining{}).value();
  berth::job_spec spec;
  spec.work = 1h;
  spec.speed = {1.0, 4.0};
  REQUIRE(s.submit(spec, start));
  REQUIRE(s.submit(spec, start));
  CHECK(s.tick(start).size() == 2);
  REQUIRE(s.submit(spec, start + 1min));  // as long as the other two, and neither makes way
  CHECK(s.tick(start + 1min).empty());
}

}  // namespace wakeup_test
