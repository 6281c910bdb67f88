// SPDX-License-Identifier: BSL-1.0
// Stops that are ordered for later, and orders that are withdrawn: when they are, when they are
// not, and every order in which the messages about them can cross.
#include <berth/core/error.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/any_scheduler.hpp>
#include <tests/support/compositions.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace withdrawal_test {

namespace {

using namespace std::chrono_literals;
using berth::action_kind;
using berth::errc;
using berth::job_state;

constexpr berth::time_point start_of_day{berth::duration{0}};
constexpr berth::time_point boundary = start_of_day + 30min;  // of runs that start with the day

/// What a plan says of whom, by tags: "+3" start, "-3" stop, "~3" carry on.
std::string words(berth::plan const& plan) {
  std::string text;
  for (berth::action const& each : plan) {
    text += text.empty() ? "" : " ";
    text += each.kind == action_kind::start ? "+" : each.kind == action_kind::stop ? "-" : "~";
    text += std::to_string(each.tag);
  }
  return text;
}

class day {
  std::unique_ptr<tests::any_scheduler> made_;

 public:
  explicit day(berth::cluster const& nodes)
      : made_{tests::classes_at_boundaries.make(nodes, {})}, scheduler{*made_} {}

  tests::any_scheduler& scheduler;

  berth::job_id submit(int tag, int gpus, int priority, berth::time_point now,
                       std::int64_t cpu = 0) {
    return scheduler
        .submit({.gpus_per_member = gpus,
                 .cpu_milli_per_gpu = cpu,
                 .priority = priority,
                 .tag = static_cast<std::uint64_t>(tag)},
                now)
        .value();
  }
  std::string tick(berth::time_point now) {
    std::string text = words(scheduler.tick(now));
    CHECK(scheduler.check_invariants() == nullptr);
    return text;
  }
  void started(berth::job_id job, berth::time_point now) {
    CHECK(scheduler.report(job, berth::started{}, now));
  }
  [[nodiscard]] job_state state(berth::job_id job) const { return scheduler.view(job)->state(); }
  [[nodiscard]] errc refusal(berth::result<void> const& answer) const {
    REQUIRE_FALSE(answer.has_value());
    return answer.error().code;
  }
};

/// One node; job 1 runs on all of it and is told ten minutes later to make way for job 2.
struct one_victim : day {
  one_victim() : day{berth::cluster::uniform(1, 4).value()} {
    victim = submit(1, 4, 0, start_of_day);
    CHECK(tick(start_of_day) == "+1");
    started(victim, start_of_day);
    heir = submit(2, 4, 1, start_of_day + 10min);
    CHECK(tick(start_of_day + 10min) == "-1");
  }
  /// The order is withdrawn.
  void withdraw(berth::time_point now = start_of_day + 11min) {
    CHECK(scheduler.cancel(heir, now));
    CHECK(tick(now) == "~1");
  }
  berth::job_id victim;
  berth::job_id heir;
};

}  // namespace

TEST_CASE("an order to stop says how and when, and the job works until then") {
  day d{berth::cluster::uniform(1, 4).value()};
  auto const victim = d.submit(1, 4, 0, start_of_day);
  CHECK(d.tick(start_of_day) == "+1");
  d.started(victim, start_of_day);
  d.submit(2, 4, 1, start_of_day + 10min);
  auto const plan = d.scheduler.tick(start_of_day + 10min);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].kind == action_kind::stop);
  CHECK(plan[0].mode == berth::suspension_mode::boundary);
  CHECK(plan[0].saves_at == boundary);
  CHECK(d.scheduler.view(victim)->saves_at() == boundary);
  CHECK(d.tick(start_of_day + 20min).empty());
  CHECK(d.scheduler.view(victim)->executed() == 20min);
}

TEST_CASE("starts and stops for other reasons say so") {
  day d{berth::cluster::uniform(1, 4).value()};
  auto const job = d.submit(1, 4, 0, start_of_day);
  auto const started = d.scheduler.tick(start_of_day);
  CHECK(started[0].saves_at == berth::never);
  CHECK(d.scheduler.cancel(job, start_of_day + 1min));
  auto const stopped = d.scheduler.tick(start_of_day + 2min);
  CHECK(stopped[0].mode == berth::suspension_mode::kill);
  CHECK(stopped[0].saves_at == start_of_day + 1min);
}

TEST_CASE_FIXTURE(one_victim, "a victim goes on when its beneficiary is cancelled") {
  CHECK(scheduler.view(victim)->preemptions() == 1);
  CHECK(scheduler.cancel(heir, start_of_day + 11min));
  auto const plan = scheduler.tick(start_of_day + 11min);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].kind == action_kind::carry_on);
  CHECK(plan[0].job == victim);
  CHECK(plan[0].run == berth::run_number{1});
  CHECK(plan[0].reason == berth::stop_reason::none);
  CHECK(plan[0].saves_at == berth::never);
  CHECK(plan[0].gpus.size() == 1);
  CHECK(state(victim) == job_state::running);
  CHECK(scheduler.view(victim)->preemptions() == 0);
  CHECK(scheduler.view(victim)->saves_at() == berth::never);
  CHECK(scheduler.books().total(berth::gpu_state::held) == 4);
  CHECK(tick(start_of_day + 12min).empty());
}

TEST_CASE_FIXTURE(one_victim, "a victim goes on when its beneficiary ends without having run") {
  CHECK(scheduler.complete(heir, start_of_day + 11min));
  CHECK(tick(start_of_day + 11min) == "~1");
}

TEST_CASE_FIXTURE(one_victim, "a victim goes on when its beneficiary's earmark breaks") {
  CHECK(scheduler.set_node({0, 0}, berth::node_health::draining, start_of_day + 11min));
  CHECK(tick(start_of_day + 11min) == "~1");
  CHECK(state(heir) == job_state::pending);
}

TEST_CASE_FIXTURE(one_victim, "who saves already is not told to go on") {
  CHECK(scheduler.cancel(heir, start_of_day + 11min));
  CHECK(tick(boundary).empty());
  CHECK(state(victim) == job_state::draining);
  CHECK(scheduler.report(victim, berth::stopped{}, boundary + 1min));
  CHECK(tick(boundary + 1min) == "+1");
}

TEST_CASE_FIXTURE(one_victim, "who goes on may be told to stop again, in the same plan too") {
  CHECK(scheduler.cancel(heir, start_of_day + 11min));
  submit(3, 4, 1, start_of_day + 11min);
  CHECK(tick(start_of_day + 11min) == "~1 -1");
  CHECK(scheduler.view(victim)->preemptions() == 1);
}

TEST_CASE_FIXTURE(one_victim,
                  "an earmark lasts until its expiry after the last of its victims saves") {
  CHECK(scheduler.next_wakeup() == boundary + scheduler.config().earmark_expiry);
}

TEST_CASE("a beneficiary takes free GPUs instead, and in the same plan its victim goes on") {
  day d{berth::cluster::uniform(2, 4).value()};
  auto const victim = d.submit(1, 4, 0, start_of_day);
  auto const other = d.submit(2, 4, 1, start_of_day);
  CHECK(d.tick(start_of_day) == "+2 +1");
  d.started(victim, start_of_day);
  d.started(other, start_of_day);
  auto const heir = d.submit(3, 4, 1, start_of_day + 10min);
  CHECK(d.tick(start_of_day + 10min) == "-1");
  CHECK(d.tick(start_of_day + 11min).empty());
  CHECK(d.scheduler.complete(other, start_of_day + 12min));
  CHECK(d.tick(start_of_day + 12min) == "~1 +3");
  CHECK(d.state(victim) == job_state::running);
  CHECK(d.state(heir) == job_state::launching);
  CHECK(d.scheduler.books().total(berth::gpu_state::reserved) == 0);
}

TEST_CASE("a beneficiary that moves uses the GPUs that it has kept already") {
  day d{berth::cluster::uniform(1, 4).value()};
  auto const victim = d.submit(1, 2, 0, start_of_day);
  auto const other = d.submit(2, 1, 1, start_of_day);
  CHECK(d.tick(start_of_day) == "+2 +1");
  d.started(victim, start_of_day);
  d.started(other, start_of_day);
  d.submit(3, 2, 1, start_of_day + 10min);  // one GPU is free, one is the victim's
  CHECK(d.tick(start_of_day + 10min) == "-1");
  CHECK(d.scheduler.books().total(berth::gpu_state::reserved) == 1);
  CHECK(d.scheduler.complete(other, start_of_day + 12min));
  CHECK(d.tick(start_of_day + 12min) == "~1 +3");
}

TEST_CASE("free GPUs go to who ranks before the beneficiary, and it keeps its place") {
  day d{berth::cluster::uniform(2, 4).value()};
  auto const victim = d.submit(1, 4, 0, start_of_day);
  auto const other = d.submit(2, 4, 3, start_of_day);
  d.tick(start_of_day);
  d.started(victim, start_of_day);
  d.started(other, start_of_day);
  auto const heir = d.submit(3, 4, 1, start_of_day + 10min);
  CHECK(d.tick(start_of_day + 10min) == "-1");
  d.submit(4, 4, 2, start_of_day + 11min);
  CHECK(d.tick(start_of_day + 11min).empty());  // what drains is promised
  CHECK(d.scheduler.complete(other, start_of_day + 12min));
  CHECK(d.tick(start_of_day + 12min) == "+4");
  CHECK(d.state(heir) == job_state::reserving);
  CHECK(d.scheduler.report(victim, berth::stopped{}, boundary));
  CHECK(d.tick(boundary) == "+3");
}

TEST_CASE("who makes way for two goes on only when neither waits for it") {
  day d{berth::cluster::uniform(1, 4).value()};
  auto const victim = d.submit(1, 4, 0, start_of_day);
  d.tick(start_of_day);
  d.started(victim, start_of_day);
  auto const first = d.submit(2, 2, 1, start_of_day + 10min);
  CHECK(d.tick(start_of_day + 10min) == "-1");
  auto const second = d.submit(3, 2, 1, start_of_day + 11min);
  CHECK(d.tick(start_of_day + 11min).empty());
  REQUIRE(d.state(second) == job_state::reserving);
  CHECK(d.scheduler.cancel(first, start_of_day + 12min));
  CHECK(d.tick(start_of_day + 12min).empty());
  CHECK(d.state(victim) == job_state::draining);
  CHECK(d.scheduler.cancel(second, start_of_day + 13min));
  CHECK(d.tick(start_of_day + 13min) == "~1");
}

TEST_CASE("who makes way with its CPU alone does not go on") {
  berth::cluster nodes;
  REQUIRE(nodes.add({.gpus = 7, .cpu_milli = 4000}));
  day d{nodes};
  auto const victim = d.submit(1, 3, 0, start_of_day, 1300);
  auto const other = d.submit(2, 1, 3, start_of_day);
  d.tick(start_of_day);
  d.started(victim, start_of_day);
  d.started(other, start_of_day);
  auto const heir = d.submit(3, 5, 2, start_of_day + 10min);  // three are free
  CHECK(d.tick(start_of_day + 10min) == "-1");
  CHECK(d.scheduler.complete(other, start_of_day + 11min));
  auto const thirsty = d.submit(4, 1, 1, start_of_day + 11min, 1000);  // on the GPU of job 2
  CHECK(d.tick(start_of_day + 11min).empty());
  REQUIRE(d.state(thirsty) == job_state::reserving);
  REQUIRE(d.scheduler.books().job(thirsty.slot()).gpus_promised == 0);
  CHECK(d.scheduler.cancel(heir, start_of_day + 12min));
  CHECK(d.tick(start_of_day + 12min).empty());
  CHECK(d.state(victim) == job_state::draining);
  CHECK(d.scheduler.cancel(thirsty, start_of_day + 13min));
  CHECK(d.tick(start_of_day + 13min) == "~1");
}

TEST_CASE_FIXTURE(one_victim, "one that is cancelled while it works on is told to stop now") {
  CHECK(scheduler.cancel(victim, start_of_day + 11min));
  auto const plan = scheduler.tick(start_of_day + 11min);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].reason == berth::stop_reason::cancelled);
  CHECK(plan[0].mode == berth::suspension_mode::kill);
  CHECK(plan[0].saves_at == start_of_day + 11min);
  CHECK(scheduler.cancel(heir, start_of_day + 12min));
  CHECK(tick(start_of_day + 12min).empty());
  CHECK(state(victim) == job_state::cancelling);
}

TEST_CASE("a gang that has lost a node while it worked on does not go on") {
  day d{berth::cluster::uniform(2, 4).value()};
  auto const victim = d.scheduler.submit({.gang = 2, .gpus_per_member = 4, .tag = 1}, start_of_day);
  d.tick(start_of_day);
  d.started(*victim, start_of_day);
  auto const heir = d.submit(2, 4, 1, start_of_day + 10min);
  CHECK(d.tick(start_of_day + 10min) == "-1");
  std::uint32_t kept = 2;
  d.scheduler.books().for_each_earmark(heir.slot(),
                                       [&](berth::booking const& line) { kept = line.node; });
  REQUIRE(kept < 2);
  CHECK(d.scheduler.set_node({1 - kept, 0}, berth::node_health::down, start_of_day + 11min));
  CHECK(d.scheduler.cancel(heir, start_of_day + 12min));
  CHECK(d.tick(start_of_day + 12min).empty());
  CHECK(d.state(*victim) == job_state::draining);
}

TEST_CASE_FIXTURE(one_victim, "stopped before the withdrawal: there is nothing to withdraw") {
  CHECK(scheduler.report(victim, berth::stopped{}, start_of_day + 11min));
  CHECK(scheduler.cancel(heir, start_of_day + 11min));
  CHECK(tick(start_of_day + 11min) == "+1");
}

TEST_CASE_FIXTURE(one_victim, "stopped after the withdrawal: it had obeyed already, and waits") {
  withdraw();
  CHECK(scheduler.report(victim, berth::stopped{6min, berth::run_number{1}}, start_of_day + 12min));
  CHECK(state(victim) == job_state::pending);
  CHECK(scheduler.view(victim)->preemptions() == 1);
  CHECK(scheduler.view(victim)->done() == 6min);
  CHECK(refusal(scheduler.report(victim, berth::stopped{}, start_of_day + 12min)) ==
        errc::wrong_state);
  CHECK(tick(start_of_day + 12min) == "+1");
  CHECK(refusal(scheduler.report(victim, berth::stopped{{}, berth::run_number{1}},
                                 start_of_day + 13min)) == errc::stale_run);
  // No order to stop the new run was ever given.
  CHECK(refusal(scheduler.report(victim, berth::stopped{}, start_of_day + 13min)) ==
        errc::wrong_state);
}

TEST_CASE_FIXTURE(one_victim, "after the withdrawal the run ends as any other") {
  SUBCASE("well") {
    withdraw();
    CHECK(scheduler.complete(victim, start_of_day + 12min));
  }
  SUBCASE("by a crash") {
    withdraw();
    CHECK(scheduler.report(victim, berth::run_failed{}, start_of_day + 12min));
    CHECK(state(victim) == job_state::pending);
  }
  SUBCASE("by its owner's wish") {
    withdraw();
    CHECK(scheduler.cancel(victim, start_of_day + 12min));
    CHECK(tick(start_of_day + 12min) == "-1");
    CHECK(scheduler.report(victim, berth::stopped{}, start_of_day + 12min));
  }
  SUBCASE("by a crash before it") {
    CHECK(scheduler.report(victim, berth::run_failed{}, start_of_day + 11min));
    CHECK(scheduler.cancel(heir, start_of_day + 11min));
    tick(start_of_day + 11min);
    CHECK(state(victim) == job_state::pending);
  }
  SUBCASE("well before it") {
    CHECK(scheduler.complete(victim, start_of_day + 11min));
    CHECK(tick(start_of_day + 11min) == "+2");
  }
  CHECK(scheduler.check_invariants() == nullptr);
}

namespace {
/// As one_victim, but the host has not said yet that job 1 runs.
struct one_launching_victim : day {
  one_launching_victim() : day{berth::cluster::uniform(1, 4).value()} {
    victim = submit(1, 4, 0, start_of_day);
    CHECK(tick(start_of_day) == "+1");
    heir = submit(2, 4, 1, start_of_day + 10min);
    CHECK(tick(start_of_day + 10min) == "-1");
  }
  void withdraw() {
    CHECK(scheduler.cancel(heir, start_of_day + 11min));
    CHECK(tick(start_of_day + 11min) == "~1");
  }
  berth::job_id victim;
  berth::job_id heir;
};
}  // namespace

TEST_CASE_FIXTURE(one_launching_victim, "started before the withdrawal: it runs") {
  started(victim, start_of_day + 10min);
  CHECK(state(victim) == job_state::draining);
  CHECK(scheduler.view(victim)->is_running());
  CHECK(refusal(scheduler.report(victim, berth::started{}, start_of_day + 10min)) ==
        errc::wrong_state);
  withdraw();
  CHECK(state(victim) == job_state::running);
  CHECK(scheduler.view(victim)->executed() == 1min);
}

TEST_CASE_FIXTURE(one_launching_victim, "started after the withdrawal: it runs from then on") {
  withdraw();
  CHECK(state(victim) == job_state::launching);
  started(victim, start_of_day + 12min);
  CHECK(state(victim) == job_state::running);
  CHECK(scheduler.check_invariants() == nullptr);
}

TEST_CASE_FIXTURE(one_launching_victim,
                  "a launch that fails after the withdrawal is one that fails") {
  withdraw();
  CHECK(scheduler.report(victim, berth::launch_failed{}, start_of_day + 12min));
  CHECK(state(victim) == job_state::pending);
  CHECK(scheduler.check_invariants() == nullptr);
}

TEST_CASE_FIXTURE(one_launching_victim, "stopped after the withdrawal, without having started") {
  withdraw();
  CHECK(scheduler.report(victim, berth::stopped{}, start_of_day + 12min));
  CHECK(state(victim) == job_state::pending);
  CHECK(scheduler.check_invariants() == nullptr);
}

}  // namespace withdrawal_test
