// SPDX-License-Identifier: BSL-1.0
// Victims are sought among the last in rank order first, and among more if those do not suffice:
// with more holders than are looked at first, a place is found exactly where a search over all
// holders on every node finds one.
#include <berth/core/random.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/any_scheduler.hpp>
#include <tests/support/compositions.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace many_victims_test {

namespace {

using namespace berth;
constexpr time_point start{std::chrono::hours{1}};
constexpr int node_count = 60;
constexpr int node_gpus = 8;

/// Two types; nodes of the second are few, and their jobs are the last to yield.
cluster two_types() {
  cluster made{{"old", "new"}};
  for (int n = 0; n < node_count; ++n) {
    node_spec node;
    node.gpus = node_gpus;
    node.type = gpu_type{static_cast<std::uint8_t>(n % 15 == 0 ? 1 : 0)};
    REQUIRE(made.add(node));
  }
  return made;
}

/// Would it fit on some node of its types, if all that it may displace there left?
bool has_place(tests::any_scheduler const& s, job_spec const& wanted) {
  for (std::uint32_t n = 0; n < s.books().node_slots(); ++n) {
    node_book const& node = s.books().node(n);
    int room = gpu_count(node.offered());
    s.for_each_job([&](job_view const& job) {
      bool const yields = job.spec().preemptible && job.spec().priority < wanted.priority;
      static_cast<void>(s.for_each_gpu(job.id(), [&](gpu_range const& held) {
        room += yields && held.node.slot() == n ? gpu_count(held.gpus) : 0;
      }));
    });
    if (contains(wanted.allowed_types, node.spec.type) && room >= wanted.gpus_per_member) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("with hundreds of holders a place is found exactly where there is one") {
  int with_place = 0;
  int without = 0;
  std::uint32_t fewest_holders = 1000;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    scheduler_config config;
    config.max_jobs = 600;
    config.max_nodes = node_count;
    config.max_gpus = node_count * node_gpus;
    auto const s = tests::classes_together.make(two_types(), config);
    for (int j = 0; j < node_count * node_gpus; ++j) {
      job_spec spec;
      spec.gpus_per_member = random.below(8) == 0 ? 2 : 1;
      spec.allowed_types = j < 40 ? type_mask{2} : type_mask{1};  // the oldest are on the new type
      // ... and yield last of all, mostly because of their class, else because of their age.
      spec.priority = static_cast<std::int32_t>(random.below(3)) + (j < 40 ? 1 : 0);
      spec.preemptible = random.below(4) != 0;
      REQUIRE(s->submit(spec, start));
    }
    REQUIRE_FALSE(s->tick(start).empty());
    std::vector<job_id> waiting;
    s->for_each_job([&](job_view const& job) {
      if (job.state() == job_state::pending) {
        waiting.push_back(job.id());
      }
    });
    for (job_id const id : waiting) {
      REQUIRE(s->cancel(id, start));
    }
    fewest_holders = std::min(fewest_holders, static_cast<std::uint32_t>(s->holder_count()));

    job_spec wanted;
    wanted.gpus_per_member = 2 + static_cast<std::int32_t>(random.below(7));
    wanted.allowed_types = random.below(2) == 0 ? type_mask{2} : any_type;
    wanted.priority = 1 + static_cast<std::int32_t>(random.below(4));
    wanted.layout = spread::same_node;
    REQUIRE_MESSAGE(s->tick(start).empty(), "the holders displace each other");
    bool const expected = has_place(*s, wanted);
    auto const job = s->submit(wanted, start).value();
    static_cast<void>(s->tick(start));
    REQUIRE((s->view(job)->state() != job_state::pending) == expected);
    REQUIRE(s->check_invariants() == nullptr);
    ++(expected ? with_place : without);
  }
  CHECK(fewest_holders > 256);
  CHECK(with_place > 5);
  CHECK(without > 5);
}

}  // namespace many_victims_test
