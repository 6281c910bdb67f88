// SPDX-License-Identifier: BSL-1.0
// Idle GPUs of the inference pool: lent to training, and recalled.
#include <berth/core/error.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/loan.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/elastic_lab.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

namespace loans_test {

namespace {

using namespace std::chrono_literals;
using berth::action_kind;
using berth::borrowing;
using berth::errc;
using berth::job_id;
using berth::job_spec;
using berth::job_state;
using berth::stop_reason;
using lab = tests::elastic_lab;

/// Node 0 is training's, the others are inference's; four GPUs each.
berth::cluster two_pools(int inference_nodes = 1) {
  berth::cluster made;
  REQUIRE(made.add({.gpus = 4}));
  for (int i = 0; i < inference_nodes; ++i) {
    REQUIRE(made.add({.gpus = 4, .owner = berth::pool::inference}));
  }
  return made;
}
job_spec trains(borrowing borrows, int least = 1, int most = 8) {
  return {.gang = most, .min_gang = least, .borrows = borrows, .work = 10h};
}
job_spec const replica{.gang = 1, .where = berth::pool::inference};

}  // namespace

TEST_CASE("loans: training keeps to its pool until inference lends") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::extra));
  host.settle();
  CHECK(host.gpus(job) == 4);
  REQUIRE(host.s.lend({.gpus = 3}, host.now));
  host.tick();
  auto const growth = host.order_for(job);
  REQUIRE(growth);
  CHECK(growth->what.kind == action_kind::resize);
  CHECK(growth->gpus_on(0) == 4);
  CHECK(growth->gpus_on(1) == 3);
  host.obey_all();
  CHECK(host.s.gpus_on_loan() == 3);
}

TEST_CASE("loans: who does not borrow gets nothing of them") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::none));
  REQUIRE(host.s.lend({.gpus = 4}, host.now));
  host.settle();
  CHECK(host.gpus(job) == 4);
  CHECK(host.s.gpus_on_loan() == 0);
}

TEST_CASE("loans: a replica that waits gets a lent GPU back, and nothing of training's own") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::extra));
  REQUIRE(host.s.lend({.gpus = 4}, host.now));
  host.settle();
  REQUIRE(host.gpus(job) == 8);
  host.now += 1min;
  job_id const first = host.submit(replica);
  host.tick();
  auto const recall = host.order_for(job);
  REQUIRE(recall);
  CHECK(recall->what.kind == action_kind::resize);
  CHECK(recall->what.reason == stop_reason::recalled);
  CHECK(recall->gpus_on(0) == 4);
  CHECK(recall->gpus_on(1) == 3);
  CHECK(host.state(first) == job_state::pending);
  REQUIRE(host.s.report(job, berth::vacated{}, host.now));
  host.tick();
  CHECK(host.order_for(first)->what.kind == action_kind::start);
  CHECK(host.s.gpus_on_loan() == 3);
}

TEST_CASE("loans: a replica takes a free GPU where there is one") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::extra));
  REQUIRE(host.s.lend({.gpus = 3}, host.now));
  host.settle();
  host.now += 1min;
  job_id const first = host.submit(replica);
  host.settle();
  CHECK(host.gpus(first) == 1);
  CHECK(host.gpus(job) == 7);
  CHECK(host.s.view(job)->preemptions() == 0);
}

TEST_CASE("loans: a burst is decided at once, with one change per job") {
  lab host{two_pools(2)};
  job_id const job = host.submit(trains(borrowing::extra, 1, 12));
  REQUIRE(host.s.lend({.gpus = 8}, host.now));
  host.settle();
  REQUIRE(host.gpus(job) == 12);
  host.now += 1min;
  std::vector<job_id> replicas;
  for (int i = 0; i < 5; ++i) {
    replicas.push_back(host.submit(replica));
  }
  host.tick();
  REQUIRE(host.orders.size() == 1);
  CHECK(host.orders.front().gpu_total() == 7);
  host.obey_all();
  host.settle();
  for (job_id const each : replicas) {
    CHECK(host.gpus(each) == 1);
  }
}

TEST_CASE("loans: the end of a lease recalls everything, and is waited for") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::extra));
  auto const end = host.now + 50s;
  REQUIRE(host.s.lend({.gpus = 4, .until = end}, host.now));
  host.settle();
  REQUIRE(host.gpus(job) == 8);
  CHECK(host.s.next_wakeup() == end);
  host.now = end;
  host.tick();
  CHECK(host.order_for(job)->what.reason == stop_reason::recalled);
  host.obey_all();
  CHECK(host.gpus(job) == 4);
  CHECK(host.s.gpus_on_loan() == 0);
  host.now += 10min;
  host.settle();
  CHECK(host.gpus(job) == 4);
}

TEST_CASE("loans: after a recall training borrows nothing for a while") {
  berth::scheduler_config config;
  config.borrow_again_after = 3min;
  lab host{two_pools(), config};
  job_id const job = host.submit(trains(borrowing::extra));
  REQUIRE(host.s.lend({.gpus = 4}, host.now));
  host.settle();
  job_id const first = host.submit(replica);
  host.settle();
  REQUIRE(host.gpus(job) == 7);
  REQUIRE(host.s.complete(first, host.now));
  host.settle();
  CHECK(host.gpus(job) == 7);
  host.now += 3min - 1ms;
  host.settle();
  CHECK(host.gpus(job) == 7);
  host.now += 1ms;
  host.settle();
  CHECK(host.gpus(job) == 8);
}

TEST_CASE("loans: the least gang of a job is never on loan unless it asks for that") {
  lab host{two_pools()};
  job_id const holder = host.submit({.gang = 2, .work = 10h, .preemptible = false});
  host.settle();
  REQUIRE(host.s.lend({.gpus = 4}, host.now));
  job_id const careful = host.submit(trains(borrowing::extra, 3, 4));
  host.settle();
  CHECK(host.gpus(careful) == 0);
  job_id const bold = host.submit(trains(borrowing::all, 3, 4));
  host.settle();
  CHECK(host.gpus(bold) == 4);
  CHECK(host.s.gpus_on_loan() == 4);
  CHECK(host.gpus(holder) == 2);
  // And what is recalled below its least gang is a stop.
  host.now += 1min;
  host.submit(replica);
  host.submit(replica);
  host.tick();
  auto const recall = host.order_for(bold);
  REQUIRE(recall);
  CHECK(recall->what.kind == action_kind::stop);
  CHECK(recall->what.reason == stop_reason::recalled);
}

TEST_CASE("loans: a careful job starts with what its own pool has, and grows on loan") {
  lab host{two_pools()};
  host.submit({.gang = 2, .work = 10h, .preemptible = false});
  host.settle();
  REQUIRE(host.s.lend({.gpus = 4}, host.now));
  job_id const careful = host.submit(trains(borrowing::extra, 1, 6));
  host.settle();
  host.now += 1min;
  host.settle();
  CHECK(host.gpus(careful) == 6);
  CHECK(host.s.gpus_on_loan() == 4);
}

TEST_CASE("loans: what cannot be lent is refused") {
  lab host{two_pools()};
  host.tick();
  auto const before = host.s.state_digest();
  CHECK(host.s.lend({.gpus = -1}, host.now).error().code == errc::zero_or_negative);
  CHECK(host.s.lend({.gpus = 1}, host.now - 1ms).error().code == errc::time_went_back);
  CHECK(host.s.state_digest() == before);
  CHECK(host.s.submit({.where = berth::pool::inference, .borrows = borrowing::all}, host.now)
            .error()
            .code == errc::bad_number);
}

TEST_CASE("loans: a snapshot keeps them") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::all));
  REQUIRE(host.s.lend({.gpus = 4, .until = host.now + 5min}, host.now));
  host.settle();
  host.submit(replica);
  host.tick();
  std::vector<std::byte> bytes(host.s.snapshot_size());
  REQUIRE(host.s.snapshot(bytes));
  lab other{two_pools()};
  REQUIRE(other.s.restore(bytes));
  other.now = host.now;
  for (lab* each : {&host, &other}) {
    CHECK(each->s.report(job, berth::resized{}, each->now));
    each->settle();
    each->now += 5min;
    each->settle();
    CHECK(each->s.gpus_on_loan() == 0);
  }
  CHECK(other.s.state_digest() == host.s.state_digest());
}

TEST_CASE("replicas that sleep are stopped for training only on GPUs that are lent") {
  lab host{two_pools()};
  std::vector<job_id> replicas;
  for (int i = 0; i < 4; ++i) {
    replicas.push_back(host.submit(replica));
  }
  host.settle();
  job_id const job = host.submit(trains(borrowing::extra));
  host.settle();
  REQUIRE(host.gpus(job) == 4);
  host.now += 1s;
  REQUIRE(host.s.report(replicas[2], berth::sleeps{}, host.now));
  host.now += 1s;
  REQUIRE(host.s.report(replicas[0], berth::sleeps{}, host.now));
  host.settle();
  CHECK(host.gpus(job) == 4);  // nothing is lent
  REQUIRE(host.s.lend({.gpus = 1}, host.now));
  host.tick();
  auto const stop = host.order_for(replicas[2]);  // it has slept longest
  REQUIRE(stop);
  CHECK(host.orders.size() == 1);
  CHECK(stop->what.kind == action_kind::stop);
  CHECK(stop->what.reason == stop_reason::outbid);
  CHECK(host.s.report(replicas[2], berth::wakes{}, host.now).error().code == errc::wrong_state);
  host.obey_all();
  REQUIRE(host.s.complete(replicas[2], host.now));
  host.settle();
  CHECK(host.gpus(job) == 5);
  CHECK(host.gpus(replicas[0]) == 1);
  CHECK(host.s.report(replicas[0], berth::wakes{}, host.now));
}

TEST_CASE("replicas that sleep give way to a replica that waits, before training does") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::extra));
  REQUIRE(host.s.lend({.gpus = 2}, host.now));
  host.settle();
  job_id const first = host.submit(replica);
  job_id const second = host.submit(replica);
  host.settle();
  REQUIRE(host.gpus(job) == 6);
  host.now += 1min;
  REQUIRE(host.s.report(second, berth::sleeps{}, host.now));
  job_id const third = host.submit(replica);
  host.tick();
  CHECK(host.order_for(second)->what.kind == action_kind::stop);
  CHECK_FALSE(host.order_for(job));
  host.obey_all();
  REQUIRE(host.s.complete(second, host.now));
  host.settle();
  CHECK(host.gpus(third) == 1);
  CHECK(host.gpus(first) == 1);
  CHECK(host.gpus(job) == 6);
}

TEST_CASE("loans: after the last one has ended there is nothing to wake up for") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::extra));
  REQUIRE(host.s.lend({.gpus = 4, .until = host.now + 1h}, host.now));
  host.settle();
  host.now += 1min;
  static_cast<void>(host.submit(replica));
  host.settle();
  REQUIRE(host.gpus(job) == 7);  // recalled: nobody borrows for a while
  REQUIRE(host.s.lend({.gpus = 0}, host.now));
  host.settle();
  REQUIRE(host.s.gpus_on_loan() == 0);
  static_cast<void>(host.submit(replica));  // loans are looked at, and there are none
  host.settle();
  for (auto const later : {1min, 5min, 120min}) {
    host.now += later;
    host.settle();
    CHECK(host.s.next_wakeup() > host.now);
  }
}

TEST_CASE("replicas that sleep: only replicas that run do") {
  lab host{two_pools()};
  job_id const job = host.submit(trains(borrowing::extra));
  job_id const waits = host.submit({.gang = 8, .where = berth::pool::inference});
  host.settle();
  CHECK(host.s.report(job, berth::sleeps{}, host.now).error().code == errc::wrong_state);
  CHECK(host.s.report(waits, berth::sleeps{}, host.now).error().code == errc::wrong_state);
}

}  // namespace loans_test
