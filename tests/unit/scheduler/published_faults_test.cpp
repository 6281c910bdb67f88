// SPDX-License-Identifier: BSL-1.0
// What public simulators of elastic training beside inference get wrong, as situations: none of it
// may come back. docs/components/published_faults.md lists all of them, with the tests of the rest.
#include <berth/core/error.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/loan.hpp>

#include <tests/support/elastic_lab.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace published_faults_test {

namespace {

using namespace std::chrono_literals;
using berth::action_kind;
using berth::borrowing;
using berth::job_id;
using berth::job_spec;
using berth::job_state;
using lab = tests::elastic_lab;

/// Four GPUs a node.
berth::cluster two_pools(int training_nodes, int inference_nodes) {
  berth::cluster made;
  for (int i = 0; i < training_nodes + inference_nodes; ++i) {
    bool const serves = i >= training_nodes;
    REQUIRE(
        made.add({.gpus = 4, .owner = serves ? berth::pool::inference : berth::pool::training}));
  }
  return made;
}
job_spec const replica{.gang = 1, .where = berth::pool::inference};

}  // namespace

TEST_CASE(
    "published faults: a job on the same GPUs is not restarted, in whatever order it got them") {
  lab host{two_pools(2, 1)};
  job_id const grows = host.submit_elastic(1, 8, 10h);
  host.settle();
  host.now += 2min;
  job_id const passes = host.submit({.gang = 4, .work = 5min});
  host.tick();
  auto const shrink = host.order_for(grows);
  REQUIRE(shrink);
  bool const kept_the_second = shrink->gpus_on(1) == 4;
  host.obey_all();
  host.settle();
  host.now += 5min;
  REQUIRE(host.s.complete(passes, host.now));
  host.settle();
  REQUIRE(host.gpus(grows) == 8);
  CAPTURE(kept_the_second);
  auto const change = host.s.view(grows)->preemptions();
  for (int round = 0; round < 10; ++round) {
    host.now += 1min;
    job_id const serves = host.submit(replica);
    host.tick();
    CHECK_FALSE(host.order_for(grows));
    host.obey_all();
    host.settle();
    REQUIRE(host.s.complete(serves, host.now));
    host.settle();
  }
  CHECK(host.gpus(grows) == 8);
  CHECK(host.s.view(grows)->preemptions() == change);
}

TEST_CASE("published faults: what arrives at the instant of a round is served in that round") {
  lab host{two_pools(1, 1)};
  host.submit_elastic(1, 4, 10h);
  host.settle();
  for (int round = 0; round < 3; ++round) {
    host.now += 1min;
    REQUIRE(host.s.next_wakeup() == host.now);
    job_id const serves = host.submit(replica);
    host.tick();
    REQUIRE(host.order_for(serves));
    CHECK(host.order_for(serves)->what.kind == action_kind::start);
    host.obey_all();
    host.settle();
  }
}

TEST_CASE("published faults: a replica that lost its GPU in its sleep serves nobody") {
  lab host{two_pools(1, 1)};
  host.submit_elastic(1, 4, 10h);
  job_id const sleeper = host.submit(replica);
  host.settle();
  REQUIRE(host.s.report(sleeper, berth::sleeps{}, host.now));
  job_id const wide = host.submit({.gang = 4, .where = berth::pool::inference});
  host.tick();
  REQUIRE(host.order_for(sleeper));
  REQUIRE(host.order_for(sleeper)->what.kind == action_kind::stop);
  CHECK(host.s.report(sleeper, berth::wakes{}, host.now).error().code == berth::errc::wrong_state);
  host.obey_all();
  CHECK(host.gpus(sleeper) == 0);
  REQUIRE(host.s.cancel(sleeper, host.now));
  host.settle();
  CHECK(host.gpus(wide) == 4);
}

TEST_CASE("published faults: GPUs that a job leaves are given at once, between two rounds") {
  lab host;
  job_id const ends = host.submit_elastic(4, 4);
  job_id const grows = host.submit_elastic(1, 8, 10h);
  host.settle();
  REQUIRE(host.gpus(grows) == 4);
  host.now += 2min + 17s;
  host.settle();
  host.now += 7s;
  REQUIRE(host.s.complete(ends, host.now));
  host.tick();
  auto const growth = host.order_for(grows);
  REQUIRE(growth);
  CHECK(growth->gpu_total() == 8);
}

TEST_CASE("published faults: replicas of one GPU fill a node before they break another") {
  lab host{two_pools(1, 3)};
  for (int count = 1; count <= 4; ++count) {
    job_id const serves = host.submit(replica);
    host.settle();
    REQUIRE(host.gpus(serves) == 1);
    int touched = 0;
    for (std::uint32_t node = 1; node < 4; ++node) {
      int const empty = berth::gpu_count(host.s.books().node(node).offered());
      touched += empty < 4 ? 1 : 0;
    }
    CHECK(touched == 1);
  }
}

TEST_CASE("published faults: for one GPU who can shrink shrinks, and nobody is stopped") {
  lab host{two_pools(1, 1)};
  host.submit({.gang = 4, .work = 20h});  // its own pool is full
  REQUIRE(host.s.lend({.gpus = 4}, host.now));
  job_id const single =
      host.submit({.gang = 1, .min_gang = 1, .borrows = borrowing::all, .work = 10h});
  job_id const wide =
      host.submit({.gang = 3, .min_gang = 1, .borrows = borrowing::all, .work = 10h});
  host.settle();
  REQUIRE(host.gpus(single) == 1);
  REQUIRE(host.gpus(wide) == 3);
  REQUIRE(host.s.gpus_on_loan() == 4);
  host.now += 2min;
  job_id const serves = host.submit(replica);
  host.tick();
  CHECK_FALSE(host.order_for(single));
  REQUIRE(host.order_for(wide));
  CHECK(host.order_for(wide)->what.kind == action_kind::resize);
  host.obey_all();
  host.settle();
  CHECK(host.gpus(wide) == 2);
  CHECK(host.gpus(serves) == 1);
}

TEST_CASE("published faults: what inference took comes back when it needs it no more") {
  lab host{two_pools(1, 1)};
  job_id const trains =
      host.submit({.gang = 8, .min_gang = 1, .borrows = borrowing::extra, .work = 10h});
  REQUIRE(host.s.lend({.gpus = 4}, host.now));
  host.settle();
  REQUIRE(host.gpus(trains) == 8);
  host.now += 2min;
  job_id const serves = host.submit({.gang = 3, .where = berth::pool::inference});
  host.settle();
  REQUIRE(host.gpus(trains) == 5);
  host.now += 2min;
  REQUIRE(host.s.complete(serves, host.now));
  host.settle();
  host.now += host.s.config().borrow_again_after;
  host.settle();
  CHECK(host.gpus(trains) == 8);
}

TEST_CASE("published faults: a job that never fits keeps neither the others nor the host") {
  lab host;
  job_id const huge = host.submit({.gang = 64, .work = 1h});
  job_id const fits = host.submit_elastic(1, 8, 10h);
  host.settle();
  CHECK(host.gpus(fits) == 8);
  CHECK(host.state(huge) == job_state::pending);
  REQUIRE(host.s.complete(fits, host.now));
  host.settle();
  CHECK(host.s.tick(host.now).is_idle());
  CHECK(host.s.next_wakeup() > host.now);
}

}  // namespace published_faults_test
