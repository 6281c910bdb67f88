// SPDX-License-Identifier: BSL-1.0
// Jobs that run on several numbers of GPUs: who gets how many, and how they change.
#include <berth/core/error.hpp>
#include <berth/model/action.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/rung.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/elastic_lab.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace elastic_test {

namespace {

using namespace std::chrono_literals;
using berth::action_kind;
using berth::errc;
using berth::job_id;
using berth::job_spec;
using berth::job_state;
using berth::rung;
using berth::time_point;
using berth::unit_rung_speed;

using lab = tests::elastic_lab;

/// GPUs of both lists.
int common(std::vector<berth::gpu_range> const& a, std::vector<berth::gpu_range> const& b) {
  int sum = 0;
  for (berth::gpu_range const& x : a) {
    for (berth::gpu_range const& y : b) {
      sum += x.node == y.node ? berth::gpu_count(x.gpus & y.gpus) : 0;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("elastic: a job alone gets all the GPUs that it can use") {
  lab host;
  job_id const wide = host.submit_elastic(1, 8);
  host.settle();
  CHECK(host.gpus(wide) == 8);
  lab other;
  job_id const narrow = other.submit_elastic(1, 3);
  other.settle();
  CHECK(other.gpus(narrow) == 3);
}

TEST_CASE(
    "elastic: a running job shrinks for one that came, and the GPUs change hands when it has left "
    "them") {
  lab host;
  job_id const first = host.submit_elastic(1, 8);
  host.settle();
  host.now += 2min;
  job_id const short_one = host.submit({.gang = 4, .work = 5min});
  host.tick();
  auto const shrink = host.order_for(first);
  REQUIRE(shrink);
  CHECK(shrink->what.kind == action_kind::resize);
  CHECK(shrink->what.change == 1);
  CHECK(shrink->gpu_total() == 4);
  CHECK(shrink->gpus.size() == 1);  // a whole node is left
  CHECK_FALSE(host.order_for(short_one));
  CHECK(host.state(first) == job_state::resizing);
  CHECK(host.gpus(first) == 8);
  CHECK(host.tick().empty());

  SUBCASE("with `vacated`, though it does not compute again yet") {
    CHECK(host.s.report(first, berth::vacated{shrink->what.run, 1}, host.now));
    host.tick();
    auto const start = host.order_for(short_one);
    REQUIRE(start);
    CHECK(common(start->gpus, shrink->gpus) == 0);
    CHECK(host.state(first) == job_state::resizing);
    CHECK(host.s.report(first, berth::resized{shrink->what.run, 1}, host.now));
  }
  SUBCASE("with `resized` alone") {
    CHECK(host.s.report(first, berth::resized{}, host.now));
    host.tick();
    CHECK(host.order_for(short_one));
  }
  CHECK(host.state(first) == job_state::running);
  CHECK(host.gpus(first) == 4);
  host.check();
}

TEST_CASE("elastic: what a job gets back comes on top of what it has") {
  lab host;
  job_id const first = host.submit_elastic(1, 8);
  host.settle();
  host.now += 2min;
  job_id const short_one = host.submit({.gang = 4, .work = 5min});
  host.tick();
  auto const shrink = host.order_for(first);
  REQUIRE(shrink);
  host.obey(*shrink);
  host.settle();
  host.now += 5min;
  REQUIRE(host.s.complete(short_one, host.now));
  host.tick();
  auto const growth = host.order_for(first);
  REQUIRE(growth);
  CHECK(growth->what.kind == action_kind::resize);
  CHECK(growth->gpu_total() == 8);
  CHECK(common(growth->gpus, shrink->gpus) == 4);
}

TEST_CASE(
    "elastic: nothing changes where nothing happens, and the clock is looked at once a period") {
  lab host;
  host.submit_elastic(1, 8);
  host.submit_elastic(1, 8, 2h);
  host.settle();
  time_point const before = host.now;
  CHECK(host.s.next_wakeup() == before + 1min);
  CHECK(host.s.tick(host.now).is_idle());
  host.now += 30s;
  CHECK(host.s.tick(host.now).is_idle());
  host.now = before + 1min;
  CHECK_FALSE(host.s.tick(host.now).is_idle());
  CHECK(host.s.next_wakeup() == host.now + 1min);
}

TEST_CASE("elastic: reports of another change or another run are refused, and change nothing") {
  lab host;
  job_id const first = host.submit_elastic(1, 8);
  host.settle();
  CHECK(host.s.report(first, berth::resized{}, host.now).error().code == errc::wrong_state);
  CHECK(host.s.report(first, berth::vacated{}, host.now).error().code == errc::wrong_state);
  host.now += 2min;
  host.submit({.gang = 4, .work = 5min});
  host.tick();
  auto const shrink = host.order_for(first);
  REQUIRE(shrink);
  auto const run = shrink->what.run;
  auto const other = static_cast<berth::run_number>(static_cast<std::uint32_t>(run) + 1);
  std::uint64_t const before = host.s.state_digest();
  CHECK(host.s.report(first, berth::resized{other, 1}, host.now).error().code == errc::stale_run);
  CHECK(host.s.report(first, berth::resized{run, 2}, host.now).error().code == errc::stale_run);
  CHECK(host.s.report(first, berth::vacated{run, 7}, host.now).error().code == errc::stale_run);
  CHECK(host.s.report(first, berth::member_finished{}, host.now).error().code == errc::wrong_state);
  CHECK(host.s.state_digest() == before);
  CHECK(host.s.report(first, berth::vacated{run, 1}, host.now));
  CHECK(host.s.report(first, berth::vacated{run, 1}, host.now));  // again: nothing more to leave
  CHECK(host.s.report(first, berth::resized{run, 1}, host.now));
  CHECK(host.s.report(first, berth::resized{run, 1}, host.now).error().code == errc::wrong_state);
  host.check();
}

TEST_CASE("elastic: a host that cannot resize stops the job, and it starts again") {
  lab host;
  job_id const first = host.submit_elastic(1, 8);
  host.settle();
  host.now += 2min;
  job_id const second = host.submit({.gang = 4, .work = 5min});
  host.tick();
  REQUIRE(host.state(first) == job_state::resizing);
  CHECK(host.s.report(first, berth::stopped{}, host.now));
  CHECK(host.state(first) == job_state::pending);
  host.check();
  host.settle();
  CHECK(host.gpus(first) == 4);
  CHECK(host.gpus(second) == 4);
}

TEST_CASE("elastic: a job that changes its GPUs may end, fail or be cancelled") {
  lab host;
  job_id const first = host.submit_elastic(1, 8);
  host.settle();
  host.now += 2min;
  host.submit({.gang = 4, .work = 5min});
  host.tick();
  REQUIRE(host.state(first) == job_state::resizing);
  SUBCASE("it ends") {
    CHECK(host.s.complete(first, host.now));
  }
  SUBCASE("its run fails") {
    CHECK(host.s.report(first, berth::run_failed{}, host.now));
  }
  SUBCASE("it is cancelled") {
    CHECK(host.s.cancel(first, host.now));
    CHECK(host.state(first) == job_state::cancelling);
    host.check();
    host.tick();
    CHECK(host.order_for(first)->gpu_total() == 8);
    CHECK(host.s.report(first, berth::stopped{}, host.now));
  }
  host.check();
  CHECK(host.s.books().total(berth::gpu_state::free) == 8);
}

TEST_CASE("elastic: a node that takes only what a job was to leave does not break it") {
  lab host;
  job_id const first = host.submit_elastic(1, 8);
  host.settle();
  host.now += 2min;
  host.submit({.gang = 4, .work = 5min});
  host.tick();
  auto const shrink = host.order_for(first);
  REQUIRE(shrink);
  berth::node_id const kept = shrink->gpus.front().node;
  berth::node_id const left = host.s.books().id_of(1 - kept.slot());
  SUBCASE("what it leaves") {
    REQUIRE(host.s.set_node(left, berth::node_health::down, host.now));
    host.check();
    CHECK(host.state(first) == job_state::resizing);
    CHECK(host.s.report(first, berth::resized{}, host.now));
    CHECK(host.gpus(first) == 4);
  }
  SUBCASE("what it keeps") {
    REQUIRE(host.s.set_node(kept, berth::node_health::down, host.now));
    host.check();
    CHECK(host.state(first) == job_state::draining);
    host.tick();
    CHECK(host.order_for(first)->what.reason == berth::stop_reason::node_lost);
    CHECK(host.s.report(first, berth::stopped{}, host.now));
  }
  host.check();
}

TEST_CASE("elastic: a ladder says what GPUs are worth to a job") {
  lab host;
  job_id const flat = host.submit_elastic(1, 8);
  std::array<rung, 3> const ladder{rung{1, unit_rung_speed}, rung{2, 2 * unit_rung_speed},
                                   rung{8, 2 * unit_rung_speed}};
  REQUIRE(host.s.set_ladder(flat, ladder, host.now));
  host.settle();
  CHECK(host.gpus(flat) == 2);
  CHECK(host.s.view(flat)->speed() == 2000);
  host.now += 10min;
  CHECK(host.tick().empty());
  CHECK(host.s.view(flat)->done() == 20min);
  std::array<rung, 2> const steep{rung{1, unit_rung_speed}, rung{8, 8 * unit_rung_speed}};
  REQUIRE(host.s.set_ladder(flat, steep, host.now));
  CHECK(host.s.view(flat)->done() == 20min);
  host.settle();
  CHECK(host.gpus(flat) == 8);
}

TEST_CASE("elastic: a ladder that the job cannot have is refused by its field") {
  berth::scheduler_config config;
  config.max_rungs = 2;
  lab host{2, 4, config};
  job_id const elastic = host.submit({.gang = 4, .min_gang = 2, .gpus_per_member = 2});
  job_id const rigid = host.submit({.gang = 4});
  auto const code = [&](job_id job, std::vector<rung> const& ladder) {
    std::uint64_t const before = host.s.state_digest();
    auto const answer = host.s.set_ladder(job, ladder, host.now);
    CHECK(host.s.state_digest() == before);
    return answer.error().code;
  };
  CHECK(code(elastic, {}) == errc::zero_or_negative);
  CHECK(code(elastic, {{4, 1}, {6, 1}, {8, 1}}) == errc::capacity_exceeded);
  CHECK(code(elastic, {{8, 1}, {4, 1}}) == errc::inconsistent);
  CHECK(code(elastic, {{2, 1}}) == errc::inconsistent);   // below its least
  CHECK(code(elastic, {{10, 1}}) == errc::inconsistent);  // above its gang
  CHECK(code(elastic, {{5, 1}}) == errc::inconsistent);   // half a member
  CHECK(code(elastic, {{4, -1}}) == errc::bad_number);
  CHECK(code(rigid, {{2, 1}}) == errc::inconsistent);
  CHECK(host.s.set_ladder(elastic, std::array{rung{4, 5}, rung{8, 7}}, host.now));
  CHECK(host.s.set_ladder(rigid, std::array{rung{4, 5}}, host.now));
  host.check();
}

TEST_CASE("elastic: members are whole, and never fewer than the least") {
  lab host;
  job_id const pairs = host.submit({.gang = 4, .min_gang = 2, .gpus_per_member = 2, .work = 1h});
  job_id const other = host.submit({.gang = 3, .work = 1h});
  host.settle();
  CHECK(host.gpus(pairs) == 4);
  CHECK(host.gpus(other) == 3);
  job_id const third = host.submit({.gang = 8, .min_gang = 4, .work = 10h});
  host.settle();
  CHECK(host.gpus(third) == 0);
  CHECK(*host.s.why_waiting(third) == berth::wait_reason::outbid);
}

TEST_CASE(
    "elastic: progress is counted at the speed of the size, and stands still during a change") {
  lab host;
  job_id const first = host.submit_elastic(1, 8, 8h);
  host.settle();
  host.now += 10min;
  CHECK(host.tick().empty());
  CHECK(host.s.view(first)->done() == 10min);  // on its whole gang
  host.submit({.gang = 4, .work = 5min});
  host.tick();
  host.now += 1min;
  CHECK(host.s.view(first)->done() == 10min);
  CHECK(host.s.report(first, berth::resized{}, host.now));
  host.now += 10min;
  host.tick();
  CHECK(host.s.view(first)->done() == 15min);
}

TEST_CASE("elastic: who may not be stopped is left alone, and so is who runs too short") {
  berth::scheduler_config config;
  config.minimum_run = 10min;
  lab host{2, 4, config};
  job_id const fixed = host.submit({.gang = 4, .work = 10h, .preemptible = false});
  job_id const young = host.submit_elastic(1, 4, 10h);
  host.settle();
  job_id const late = host.submit({.gang = 2, .work = 1min});
  host.now += 2min;
  host.settle();
  CHECK(host.gpus(late) == 0);
  host.now += 10min;
  host.settle();
  CHECK(host.gpus(fixed) == 4);
  CHECK(host.gpus(young) == 2);
  CHECK(host.gpus(late) == 2);
}

TEST_CASE("elastic: a snapshot in the middle of a change goes on as if it had never been") {
  lab host;
  job_id const first = host.submit_elastic(1, 8);
  std::array<rung, 3> const ladder{rung{1, unit_rung_speed}, rung{4, 3 * unit_rung_speed},
                                   rung{8, 5 * unit_rung_speed}};
  REQUIRE(host.s.set_ladder(first, ladder, host.now));
  host.settle();
  host.now += 2min;
  host.submit({.gang = 4, .work = 5min});
  host.tick();
  REQUIRE(host.state(first) == job_state::resizing);
  std::vector<std::byte> bytes(host.s.snapshot_size());
  REQUIRE(host.s.snapshot(bytes));
  lab other;
  REQUIRE(other.s.restore(bytes));
  other.now = host.now;
  other.check();
  CHECK(other.s.state_digest() == host.s.state_digest());
  for (lab* each : {&host, &other}) {
    CHECK(each->s.report(first, berth::resized{}, each->now));
    each->settle();
    each->now += 5min;
    each->settle();
  }
  CHECK(other.s.state_digest() == host.s.state_digest());
}

TEST_CASE("elastic: where the host does not acknowledge, two ticks carry a change out") {
  berth::scheduler_config config;
  config.acknowledge = berth::acknowledgement::implicit;
  lab host{2, 4, config};
  job_id const first = host.submit_elastic(1, 8);
  host.tick();
  CHECK(host.gpus(first) == 8);
  host.now += 2min;
  job_id const second = host.submit({.gang = 4, .work = 5min});
  host.tick();
  CHECK(host.gpus(first) == 4);
  CHECK(host.s.next_wakeup() == host.now);
  host.tick();
  CHECK(host.gpus(second) == 4);
}

}  // namespace elastic_test
