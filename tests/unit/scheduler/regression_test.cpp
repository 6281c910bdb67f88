// SPDX-License-Identifier: BSL-1.0
// Faults that were found once, by name.
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/wait_reason.hpp>

#include <tests/support/any_scheduler.hpp>
#include <tests/support/compositions.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

namespace regression_test {

namespace {

using namespace std::chrono_literals;
using berth::job_state;
using berth::wait_reason;
constexpr berth::time_point start{std::chrono::hours{1}};

job_state state_of(tests::any_scheduler const& s, berth::job_id job) {
  return s.view(job)->state();
}

}  // namespace

TEST_CASE("a gang that no CPU is left for ends the tick and does not block others") {
  berth::cluster nodes;
  REQUIRE(nodes.add({.gpus = 4, .cpu_milli = 1000}));
  auto const s = tests::skipping_fifo.make(nodes, {});
  REQUIRE(s->submit({.cpu_milli_per_gpu = 1000}, start));
  REQUIRE(s->tick(start).size() == 1);
  auto const hungry = s->submit({.cpu_milli_per_gpu = 500}, start).value();
  auto const modest = s->submit({}, start).value();
  auto const plan = s->tick(start);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].job == modest);
  CHECK(s->why_waiting(hungry).value() == wait_reason::cpu_or_memory);
}

TEST_CASE("jobs of a group start in one plan, and a cancelled member lets the rest go on") {
  auto const s = tests::skipping_fifo.make(berth::cluster::uniform(1, 4).value(), {});
  berth::job_spec part{.gpus_per_member = 2, .group = berth::group_id{1}, .group_size = 3};
  auto const a = s->submit(part, start).value();
  auto const b = s->submit(part, start).value();
  CHECK(s->tick(start).empty());
  CHECK(s->why_waiting(a).value() == wait_reason::group_incomplete);
  part.gpus_per_member = 1;
  auto const c = s->submit(part, start).value();
  CHECK(s->tick(start).empty());  // five GPUs on a node of four: undone whole
  CHECK(s->books().offered() == 4);
  CHECK(berth::is_impossible(s->why_waiting(a).value()));
  CHECK(berth::is_impossible(s->why_waiting(b).value()));  // followers have their leader's reason
  REQUIRE(s->cancel(c, start));
  CHECK(s->tick(start).size() == 2);
  CHECK(state_of(*s, a) == job_state::launching);
  CHECK(state_of(*s, b) == job_state::launching);
}

TEST_CASE("jobs of a group are reserved together") {
  auto const s = tests::classes_together.make(berth::cluster::uniform(2, 2).value(), {});
  auto const low = s->submit({.gpus_per_member = 2}, start).value();
  REQUIRE(s->tick(start).size() == 1);
  REQUIRE(s->report(low, berth::started{}, start));
  berth::job_spec const part{
      .gpus_per_member = 2, .group = berth::group_id{1}, .group_size = 2, .priority = 1};
  auto const a = s->submit(part, start).value();
  auto const b = s->submit(part, start).value();
  REQUIRE(s->tick(start).size() ==
          1);  // a node is free, and nobody of the group starts on it alone
  CHECK(state_of(*s, a) == job_state::reserving);
  CHECK(state_of(*s, b) == job_state::reserving);
  REQUIRE(s->report(low, berth::stopped{}, start + 1s));
  CHECK(s->tick(start + 1s).size() == 2);
}

TEST_CASE("members of a one_per_node gang with roles never share a node") {
  auto const s = tests::skipping_fifo.make(berth::cluster::uniform(3, 8).value(), {});
  berth::job_spec spec{.layout = berth::spread::one_per_node};
  spec.roles = {berth::role{1, 2}, berth::role{2, 1}};
  REQUIRE(s->submit(spec, start));
  auto const plan = s->tick(start);
  REQUIRE(plan.size() == 1);
  std::vector<std::uint64_t> nodes;
  for (berth::gpu_range const& range : plan[0].gpus) {
    nodes.push_back(range.node.value());
  }
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[0] != nodes[1]);
  CHECK(nodes[0] != nodes[2]);
  CHECK(nodes[1] != nodes[2]);
}

namespace {

/// One node; a job of a low class was told to stop for one of a high class.
struct displaced {
  std::unique_ptr<tests::any_scheduler> s;
  berth::job_id low;
  berth::job_id high;

  displaced() : s{make()} {
    low = s->submit({.gpus_per_member = 2}, start).value();
    REQUIRE(s->tick(start).size() == 1);
    REQUIRE(s->report(low, berth::started{}, start));
    high = s->submit({.gpus_per_member = 2, .priority = 1}, start).value();
    REQUIRE(s->tick(start).size() == 1);
    REQUIRE(state_of(*s, high) == job_state::reserving);
  }
  static std::unique_ptr<tests::any_scheduler> make() {
    berth::cluster nodes;
    REQUIRE(nodes.add({.gpus = 2, .cpu_milli = 2000}));
    return tests::classes_together.make(nodes, {});
  }
};

}  // namespace

TEST_CASE("an earmark never starts on a node that is being drained") {
  displaced d;
  berth::node_id const node{0, 0};
  REQUIRE(d.s->set_node(node, berth::node_health::draining, start + 1s));
  REQUIRE(d.s->report(d.low, berth::stopped{}, start + 1s));
  CHECK(d.s->tick(start + 1s).empty());
  CHECK(state_of(*d.s, d.high) == job_state::pending);
}

TEST_CASE("an earmark whose GPUs are all empty does not expire") {
  displaced d;
  REQUIRE(d.s->report(d.low, berth::stopped{}, start + 1s));
  auto const plan = d.s->tick(start + 24h);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].job == d.high);
}

TEST_CASE("an earmark that others still hold does expire") {
  displaced d;
  CHECK(d.s->tick(start + 24h).empty());
  CHECK(state_of(*d.s, d.low) == job_state::draining);
  CHECK(d.s->check_invariants() == nullptr);
}

TEST_CASE("an earmark waits for the CPU that a draining job still holds") {
  auto const s = displaced::make();
  berth::job_spec hungry{.gpus_per_member = 1, .cpu_milli_per_gpu = 2000};
  auto const old = s->submit(hungry, start).value();
  REQUIRE(s->tick(start).size() == 1);
  REQUIRE(s->cancel(old, start));
  REQUIRE(s->tick(start).size() == 1);
  hungry.priority = 1;
  auto const next = s->submit(hungry, start).value();
  CHECK(s->tick(start + 1s).empty());  // a GPU is free all the time
  CHECK(state_of(*s, next) == job_state::reserving);
  REQUIRE(s->report(old, berth::stopped{}, start + 2s));
  CHECK(s->tick(start + 2s).size() == 1);
}

TEST_CASE("a member that finishes after its gang lost a node does not end the job") {
  auto const s = tests::skipping_fifo.make(berth::cluster::uniform(2, 1).value(), {});
  auto const job = s->submit({.gang = 2}, start).value();
  REQUIRE(s->tick(start).size() == 1);
  REQUIRE(s->report(job, berth::started{}, start));
  REQUIRE(s->set_node(berth::node_id{0, 0}, berth::node_health::down, start + 1s));
  REQUIRE(s->report(job, berth::member_finished{berth::node_id{1, 0}, 1}, start + 2s));
  REQUIRE(s->view(job));
  CHECK(state_of(*s, job) == job_state::pending);
  auto const plan = s->tick(start + 2s);
  REQUIRE(plan.size() == 1);
  CHECK(berth::gpu_count(plan[0].gpus[0].gpus) == 1);  // the other member alone
}

TEST_CASE("never outranks a back-off as the reason to wait") {
  auto const s = tests::skipping_fifo.make(berth::cluster::uniform(1, 2).value(), {});
  auto const job = s->submit({.gpus_per_member = 2}, start).value();
  REQUIRE(s->tick(start).size() == 1);
  REQUIRE(s->report(job, berth::launch_failed{}, start));
  CHECK(s->why_waiting(job).value() == wait_reason::back_off);
  CHECK(s->tick(start + 10s).size() == 1);  // and is forgotten when it is over
  CHECK(s->why_waiting(job).value() == wait_reason::none);
}

TEST_CASE("a job is no victim of the tick that starts it, nor of GPUs that drain") {
  auto const s = tests::classes_together.make(berth::cluster::uniform(1, 4).value(), {});
  auto const old = s->submit({.gpus_per_member = 2}, start).value();
  REQUIRE(s->tick(start).size() == 1);
  REQUIRE(s->report(old, berth::started{}, start));
  REQUIRE(s->cancel(old, start));
  REQUIRE(s->tick(start).size() == 1);
  auto const high = s->submit({.gpus_per_member = 4, .priority = 1}, start).value();
  auto const low = s->submit({.gpus_per_member = 1}, start).value();
  CHECK(s->tick(start)
            .empty());  // what drains is kept for the first, and nobody slips in to be killed
  CHECK(state_of(*s, high) == job_state::reserving);
  CHECK(state_of(*s, low) == job_state::pending);
  REQUIRE(s->report(old, berth::stopped{}, start + 1s));
  auto const plan = s->tick(start + 1s);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].job == high);
}

TEST_CASE("a promise to a gang with a member per node is given where there are as many nodes") {
  // The first type has room for both members, on one node; only the second type has two nodes.
  berth::cluster nodes{{"large", "small"}};
  REQUIRE(nodes.add({.gpus = 8, .type = berth::gpu_type{0}}));
  REQUIRE(nodes.add({.gpus = 4, .type = berth::gpu_type{1}}));
  REQUIRE(nodes.add({.gpus = 4, .type = berth::gpu_type{1}}));
  auto const s = tests::backfill.make(nodes, {});
  auto const small_only = static_cast<berth::type_mask>(2);
  auto const runs = s->submit({.gang = 2,
                               .gpus_per_member = 3,
                               .allowed_types = small_only,
                               .layout = berth::spread::one_per_node,
                               .work = 1h,
                               .estimate = 1h},
                              start);
  REQUIRE(s->tick(start).size() == 1);
  REQUIRE(s->report(*runs, berth::started{}, start));
  auto const head = s->submit({.gang = 2,
                               .gpus_per_member = 4,
                               .layout = berth::spread::one_per_node,
                               .work = 1h,
                               .estimate = 1h},
                              start);
  REQUIRE(head);
  auto const late = s->submit({.allowed_types = small_only, .work = 10h, .estimate = 10h}, start);
  REQUIRE(late);
  CHECK(s->tick(start).empty());  // the late one would sit on a promised node for ten hours
  CHECK(state_of(*s, *late) == job_state::pending);
}

TEST_CASE("whoever others make room for over several nodes gets whole nodes, not a bit of many") {
  constexpr int node_count = 32;
  auto const s = tests::classes.make(berth::cluster::uniform(node_count, 8).value(), {});
  auto const fill = [&](std::int32_t gpus) {
    for (int i = 0; i < node_count; ++i) {
      REQUIRE(s->submit({.gpus_per_member = gpus}, start));
    }
    for (berth::action const& order : s->tick(start)) {
      REQUIRE(s->report(order.job, berth::started{}, start));
    }
  };
  fill(6);
  fill(2);  // the youngest: two GPUs of every node are the first to yield
  REQUIRE(s->books().offered() == 0);
  auto const large = s->submit({.gang = 16, .priority = 1}, start + 1h);
  REQUIRE(large);
  auto const plan = s->tick(start + 1h);
  std::vector<std::uint64_t> nodes;
  for (berth::action const& order : plan) {
    REQUIRE(order.beneficiary == *large);
    for (berth::gpu_range const& range : order.gpus) {
      nodes.push_back(range.node.value());
    }
  }
  CHECK(plan.size() == 4);
  std::sort(nodes.begin(), nodes.end());
  CHECK(std::unique(nodes.begin(), nodes.end()) - nodes.begin() == 2);
}

}  // namespace regression_test
