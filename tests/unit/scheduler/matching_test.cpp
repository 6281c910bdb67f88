// SPDX-License-Identifier: BSL-1.0
// Which berth a tick chooses and who leaves for it, where a cheaper-looking choice would be wrong.
#include <berth/berth.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace matching_test {

namespace {

using namespace std::chrono_literals;
using berth::job_state;

constexpr berth::time_point start{1h};

template <class Scheduler>
berth::job_id run(Scheduler& s, berth::job_spec const& spec) {
  berth::job_id const id = s.submit(spec, start).value();
  REQUIRE(s.tick(start).size() == 1);
  REQUIRE(s.report(id, berth::started{}, start).has_value());
  return id;
}

template <class Scheduler>
bool is_leaving(Scheduler const& s, berth::job_id job) {
  return s.view(job)->state() == job_state::draining;
}

// Nodes as wide as given, one after the other.
berth::cluster nodes_of(std::vector<std::int32_t> const& gpus) {
  berth::cluster nodes;
  for (std::int32_t const width : gpus) {
    REQUIRE(nodes.add({.gpus = width}).has_value());
  }
  return nodes;
}

// Notes what the scheduler says about places.
struct notes {
  berth::berth_view last;
};

struct noting_placement {
  using component_role = berth::placement_role;
  notes* to = nullptr;
  [[nodiscard]] berth::gpu_time score(berth::job_view const&, berth::berth_view const& place,
                                      berth::tick_context const&) const noexcept {
    to->last = place;
    return berth::gpu_time{place.free_after};
  }
};

}  // namespace

TEST_CASE("any number of victims of lower classes on a node is better than one of a higher") {
  auto s = berth::make_scheduler(nodes_of({3, 5, 1}), {}, berth::priority_class{}).value();
  // A third class, on a node too small to help: it only makes the others' levels larger.
  berth::job_id const lowest = run(s, {.priority = 1});
  berth::job_id const high = run(s, {.gpus_per_member = 3, .priority = 8});
  std::vector<berth::job_id> low;
  for (int i = 0; i < 5; ++i) {
    low.push_back(run(s, {.priority = 5}));
  }
  REQUIRE(s.submit({.gpus_per_member = 3, .priority = 9}, start).has_value());
  CHECK(s.tick(start).size() == 3);
  CHECK_FALSE(is_leaving(s, high));
  CHECK_FALSE(is_leaving(s, lowest));
  std::size_t leaving = 0;
  for (berth::job_id const job : low) {
    leaving += is_leaving(s, job) ? 1u : 0u;
  }
  CHECK(leaving == 3);
}

TEST_CASE("sixty-three victims of the class next to a victim's are better than that one") {
  auto s = berth::make_scheduler(nodes_of({63, 64, 4}), {}, berth::priority_class{}).value();
  for (std::int32_t other = 1; other < 5; ++other) {  // six classes in all
    run(s, {.priority = other});
  }
  berth::job_id const high = run(s, {.gpus_per_member = 63, .priority = 6});
  for (int i = 0; i < 64; ++i) {
    run(s, {.priority = 5});
  }
  REQUIRE(s.submit({.gpus_per_member = 63, .priority = 9}, start).has_value());
  CHECK(s.tick(start).size() == 63);
  CHECK_FALSE(is_leaving(s, high));
}

TEST_CASE("a gang of more members than the exact cover takes displaces as well") {
  auto s =
      berth::make_scheduler(berth::cluster::uniform(40, 8).value(), {}, berth::priority_class{})
          .value();
  for (int i = 0; i < 40; ++i) {
    run(s, {.gpus_per_member = 8});
  }
  berth::job_id const wide = s.submit({.gang = 300, .priority = 1}, start).value();
  CHECK(s.tick(start).size() == 38);  // 38 nodes hold 304
  CHECK(s.view(wide)->state() == job_state::reserving);
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("a victim on a node beyond the two thousandth is found") {
  berth::scheduler_config limits;
  limits.max_nodes = 2400;
  limits.max_jobs = 2500;
  auto s = berth::make_scheduler(berth::cluster::uniform(2400, 1).value(), limits,
                                 berth::priority_class{})
               .value();
  std::vector<berth::job_id> running;
  for (int i = 0; i < 2399; ++i) {
    running.push_back(s.submit({.priority = i == 2398 ? 0 : 1}, start).value());
  }
  REQUIRE(s.tick(start).size() == 2399);
  for (berth::job_id const job : running) {
    REQUIRE(s.report(job, berth::started{}, start).has_value());
  }
  REQUIRE(s.submit({.preemptible = false}, start).has_value());  // on the last node
  REQUIRE(s.tick(start).size() == 1);
  REQUIRE(s.submit({.priority = 2}, start).has_value());
  auto const plan = s.tick(start);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].job == running.back());
}

TEST_CASE("first_fit takes the lowest node, also where thousands of broken ones are behind it") {
  berth::scheduler_config limits;
  limits.max_nodes = 2400;
  berth::cluster nodes;
  REQUIRE(nodes.add({.gpus = 8}).has_value());
  for (int n = 1; n < 2400; ++n) {
    REQUIRE(nodes.add({.gpus = 1}).has_value());
  }
  auto s =
      berth::make_scheduler(nodes, limits, berth::priority_class{}, berth::first_fit{}).value();
  REQUIRE(s.submit({}, start).has_value());
  auto const plan = s.tick(start);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].gpus[0].node.slot() == 0);
}

TEST_CASE("a batch of more gangs than a matrix over all nodes holds is decided all the same") {
  berth::scheduler_config limits;
  limits.max_nodes = 30000;
  limits.max_jobs = 300;
  auto s = berth::make_scheduler(berth::cluster::uniform(30, 8).value(), limits,
                                 berth::priority_class{}, berth::first_fit{})
               .value();
  for (int i = 0; i < 240; ++i) {
    REQUIRE(s.submit({}, start).has_value());
  }
  CHECK(s.tick(start).size() == 240);
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("placements are told how wide a node of the class is, and which is its lowest") {
  notes said;
  auto s =
      berth::make_scheduler(nodes_of({1, 8}), {}, berth::priority_class{}, noting_placement{&said})
          .value();
  run(s, {.gpus_per_member = 6});
  CHECK(said.last.node_gpus == 8);
  CHECK(said.last.first_node == 1);
  run(s, {.gpus_per_member = 2});
  CHECK(said.last.free_before == 2);
  CHECK(said.last.node_gpus == 8);
}

TEST_CASE("placements are told what is left on the node of a spread gang that is filled last") {
  notes said;
  auto s = berth::make_scheduler(nodes_of({8, 8, 5}), {}, berth::priority_class{},
                                 noting_placement{&said})
               .value();
  run(s, {.gang = 20});
  CHECK(said.last.nodes == 3);
  CHECK(said.last.free_before == 21);
  CHECK(said.last.last_free_before == 5);
  CHECK(said.last.last_free_after == 1);
}

TEST_CASE("fragmentation_aware prices a spread gang by the node that is filled last") {
  berth::job_record const record;
  berth::job_view const job{record, start};
  berth::fragmentation_aware const placement;
  // Six free GPUs on each of two nodes, of which a gang of eight leaves four on one.
  berth::berth_view const place{.gpus = 8,
                                .nodes = 2,
                                .fewest_nodes = 2,
                                .free_before = 12,
                                .free_after = 4,
                                .last_free_before = 6,
                                .last_free_after = 4};
  // 396/1000 of the demand could use neither the six nor the four: two fewer lie idle.
  CHECK(placement.score(job, place, {start, 64, 64}) == berth::gpu_time{-2 * 396 * 600});
}

TEST_CASE("weights of victims: lower groups together never reach one of a higher") {
  using berth::detail::group_of_level;
  using berth::detail::weight_of_group;
  for (std::size_t group = 1; group < berth::detail::victim_groups; ++group) {
    CHECK(berth::max_gpus_per_node * weight_of_group(group - 1) < weight_of_group(group));
  }
  for (std::size_t count = 1; count < 100; ++count) {
    CHECK(group_of_level(0, count) == 0);
    CHECK(group_of_level(count - 1, count) ==
          std::min(count, berth::detail::victim_groups) - 1);  // the highest stays the highest
    for (std::size_t level = 1; level < count; ++level) {
      std::size_t const step = group_of_level(level, count) - group_of_level(level - 1, count);
      CHECK(step <= 1);
    }
  }
}

}  // namespace matching_test
