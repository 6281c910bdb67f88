// SPDX-License-Identifier: BSL-1.0
// A queue that found no place is not looked at while nothing can help it, and is looked at in the
// very next tick when something may. An allocator that counts how often it is asked says so.
#include <berth/berth.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace parking_test {

namespace {

using namespace std::chrono_literals;
using namespace berth;
constexpr time_point start{std::chrono::hours{1}};

/// Whole gangs, in any order; counts the questions.
struct counting {
  using component_role = allocator_role;
  int* asked = nullptr;
  bool in_order = false;

  [[nodiscard]] grant allocate(job_view const& job, queue_state const&,
                               tick_context const&) const noexcept {
    ++*asked;
    return {.gpus = job.gang_gpus()};
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return false; }
  [[nodiscard]] bool looks_at_queue() const noexcept { return in_order; }
};

node_spec node_of(std::int32_t gpus, int type = 0, pool owner = pool::training) {
  node_spec made;
  made.gpus = gpus;
  made.type = gpu_type{static_cast<std::uint8_t>(type)};
  made.owner = owner;
  made.cpu_milli = 8000;
  made.memory_mib = 1000;
  return made;
}

struct fixture {
  cluster nodes{{"old", "new"}};
  scheduler_config config;
  int asked = 0;

  template <class Policy>
  auto make(Policy policy, bool in_order = false) {
    return make_scheduler(nodes, config, policy, counting{&asked, in_order}).value();
  }
};

/// Submits and has it start and run at once.
template <class Scheduler>
job_id run(Scheduler& s, job_spec const& spec) {
  auto const job = s.submit(spec, s.now() < start ? start : s.now()).value();
  REQUIRE(s.tick(s.now()).size() == 1);
  REQUIRE(s.report(job, started{}, s.now()));
  return job;
}
/// Submits and finds that it must wait, and that nothing is looked at from then on.
template <class Scheduler>
job_id wait(Scheduler& s, job_spec const& spec) {
  auto const job = s.submit(spec, s.now()).value();
  for (int i = 0; i < 3; ++i) {
    REQUIRE(s.tick(s.now()).empty());
  }
  REQUIRE(s.tick(s.now()).is_idle());
  REQUIRE(s.view(job)->state() == job_state::pending);
  return job;
}
template <class Scheduler>
bool starts(Scheduler& s, job_id job) {
  auto const plan = s.tick(s.now());
  return plan.size() == 1 && plan[0].kind == action_kind::start && plan[0].job == job;
}

}  // namespace

TEST_CASE("parking: nobody asks about a job that waits while nothing helps it") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(4)));
  REQUIRE(f.nodes.add(node_of(4, 1)));
  auto s = f.make(fifo{});
  run(s, {.gpus_per_member = 4, .allowed_types = 1});
  auto const other = run(s, {.gpus_per_member = 2, .allowed_types = 2});
  auto const small = run(s, {.gpus_per_member = 1, .allowed_types = 2});
  wait(s, {.gpus_per_member = 4, .allowed_types = 1});
  auto const both = wait(s, {.gpus_per_member = 3, .allowed_types = 2});
  int const before = f.asked;
  REQUIRE(s.complete(small, start));  // one GPU of another type; too few of the right one
  CHECK(s.tick(start).empty());
  CHECK(f.asked == before);
  REQUIRE(s.complete(other, start));
  CHECK(starts(s, both));
  CHECK(f.asked == before + 1);
}

TEST_CASE("parking: where others decide about a job it is asked about in every tick") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(1)));
  auto s = f.make(fifo{}, true);
  run(s, {});
  REQUIRE(s.submit({}, start));
  for (int i = 0; i < 3; ++i) {
    int const before = f.asked;
    CHECK_FALSE(s.tick(start).is_idle());
    CHECK(f.asked == before + 1);
  }
}

TEST_CASE("parking: each pool is woken by its own GPUs") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(2)));
  REQUIRE(f.nodes.add(node_of(2, 0, pool::inference)));
  auto s = f.make(fifo{});
  auto const train = run(s, {.gpus_per_member = 2});
  auto const serve = run(s, {.gpus_per_member = 2, .where = pool::inference});
  auto const next_train = wait(s, {.gpus_per_member = 2});
  auto const next_serve = wait(s, {.gpus_per_member = 2, .where = pool::inference});
  REQUIRE(s.complete(serve, start));
  CHECK(starts(s, next_serve));
  REQUIRE(s.complete(train, start));
  CHECK(starts(s, next_train));
}

TEST_CASE("parking: another job at the head is looked at") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(1)));
  auto s = f.make(priority_class{});
  run(s, {});
  auto const first = wait(s, {});
  int const before = f.asked;
  REQUIRE(s.submit({}, start));  // behind it
  CHECK(s.tick(start).empty());
  // What was reported may have helped a queue that may displace others, whoever reported it.
  CHECK(f.asked <= before + 1);
  REQUIRE(s.cancel(first, start));
  int const then = f.asked;
  CHECK(s.tick(start).empty());
  CHECK(f.asked == then + 1);
  REQUIRE(s.submit({.priority = 1}, start));  // in front of it
  auto const plan = s.tick(start);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].kind == action_kind::stop);
}

TEST_CASE("parking: CPU that becomes free where GPUs were free is enough") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(8)));
  auto s = f.make(fifo{});
  auto const hungry = run(s, {.gpus_per_member = 1, .cpu_milli_per_gpu = 8000});
  auto const next = wait(s, {.gpus_per_member = 2, .cpu_milli_per_gpu = 1000});
  CHECK(s.why_waiting(next).value() == wait_reason::cpu_or_memory);
  REQUIRE(s.complete(hungry, start));
  CHECK(starts(s, next));
}

TEST_CASE("parking: a node that is new, up again, or larger again wakes whoever fits on it") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(2)));
  REQUIRE(f.nodes.add(node_of(2)));
  auto s = f.make(fifo{});
  node_id const second{1, 0};
  REQUIRE(s.set_node(second, node_health::down, start));
  run(s, {.gpus_per_member = 2});
  auto const a = wait(s, {.gpus_per_member = 2});
  REQUIRE(s.set_node(second, node_health::up, start));
  CHECK(starts(s, a));
  REQUIRE(s.complete(a, start));
  REQUIRE(s.set_capacity(second, 1, start));
  auto const b = wait(s, {.gpus_per_member = 2});
  REQUIRE(s.set_capacity(second, 2, start));
  CHECK(starts(s, b));
  auto const c = wait(s, {.gpus_per_member = 2});
  REQUIRE(s.add_node(node_of(2), start));
  CHECK(starts(s, c));
}

TEST_CASE("parking: a node whose holders may be displaced is up again") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(2)));
  auto s = f.make(priority_class{});
  run(s, {.gpus_per_member = 2});
  REQUIRE(s.set_node(node_id{0, 0}, node_health::draining, start));
  auto const high = wait(s, {.gpus_per_member = 2, .priority = 1});
  REQUIRE(s.set_node(node_id{0, 0}, node_health::up, start));
  CHECK(s.tick(start).size() == 1);
  CHECK(s.view(high)->state() == job_state::reserving);
}

TEST_CASE("parking: GPUs that are no longer withdrawn wakes whoever may displace their holder") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(2)));
  auto s = f.make(priority_class{});
  run(s, {.gpus_per_member = 2});
  REQUIRE(s.set_lost_gpus(node_id{0, 0}, 1, start));
  auto const high = wait(s, {.gpus_per_member = 2, .priority = 1});
  REQUIRE(s.set_lost_gpus(node_id{0, 0}, 0, start));
  CHECK(s.tick(start).size() == 1);
  CHECK(s.view(high)->state() == job_state::reserving);
}

TEST_CASE("parking: what was promised to a job that is cancelled is claimed by the next") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(1)));
  auto s = f.make(priority_class{});
  run(s, {});
  auto const high = s.submit({.priority = 2}, start).value();
  CHECK(s.tick(start).size() == 1);  // the order to stop, for `high`
  auto const next = wait(s, {.priority = 1});
  REQUIRE(s.cancel(high, start));
  CHECK(s.tick(start).empty());
  CHECK(s.view(next)->state() == job_state::reserving);
}

TEST_CASE("parking: who starts on an earmark may be displaced from the next tick on") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(1)));
  auto s = f.make(priority_class{});
  auto const low = run(s, {});
  auto const mid = s.submit({.priority = 1}, start).value();
  CHECK(s.tick(start).size() == 1);
  auto const high = wait(s, {.priority = 2});
  REQUIRE(s.report(low, stopped{}, start));
  CHECK(starts(s, mid));
  auto const plan = s.tick(start);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].job == mid);
  CHECK(plan[0].beneficiary == high);
}

TEST_CASE("parking: GPUs of a job cancelled without acknowledgement are given away next") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(1)));
  f.config.acknowledge = acknowledgement::implicit;
  auto s = f.make(fifo{});
  auto const first = s.submit({}, start).value();
  REQUIRE(s.tick(start).size() == 1);
  auto const next = wait(s, {});
  REQUIRE(s.cancel(first, start));
  CHECK(s.tick(start).size() == 1);
  CHECK(s.next_wakeup() == start);
  CHECK(starts(s, next));
}

TEST_CASE("parking: a holder that sinks in rank may be displaced when it does") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(1)));
  auto s = f.make(least_attained_service{});
  run(s, {});
  auto const next = wait(s, {});
  CHECK(s.tick(start + 59min).is_idle());
  CHECK(s.tick(start + 60min).size() == 1);
  CHECK(s.view(next)->state() == job_state::reserving);
}

TEST_CASE("parking: a group wakes for the GPUs that another of its jobs lacks") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(2)));
  REQUIRE(f.nodes.add(node_of(2, 1)));
  auto s = f.make(fifo{});
  auto const busy = run(s, {.gpus_per_member = 2, .allowed_types = 2});
  job_spec part{.gpus_per_member = 2, .group = group_id{1}, .group_size = 2, .allowed_types = 1};
  auto const leader = s.submit(part, start).value();
  part.allowed_types = 2;
  wait(s, part);
  REQUIRE(s.complete(busy, start));
  CHECK(s.tick(start).size() == 2);
  CHECK(s.view(leader)->state() == job_state::launching);
}

TEST_CASE("parking: a gang whose roles sit on two types wakes for either") {
  fixture f;
  REQUIRE(f.nodes.add(node_of(2)));
  REQUIRE(f.nodes.add(node_of(4, 1)));
  auto s = f.make(fifo{});
  auto const one = run(s, {.gpus_per_member = 2, .allowed_types = 1});
  auto const other = run(s, {.gpus_per_member = 4, .allowed_types = 2});
  job_spec roles;
  roles.roles = {role{1, 4}, role{1, 2}};
  auto const gang = wait(s, roles);
  REQUIRE(s.complete(other, start));
  CHECK(s.tick(start).empty());
  REQUIRE(s.complete(one, start));
  CHECK(starts(s, gang));
}

}  // namespace parking_test
