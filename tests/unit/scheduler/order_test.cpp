// SPDX-License-Identifier: BSL-1.0
// Rank order, where something else than GPUs binds, and what blocks whom.
#include <berth/berth.hpp>

#include <chrono>
#include <string>

#include <doctest/doctest.h>

namespace order_test {

namespace {

using namespace std::chrono_literals;
constexpr berth::time_point start{std::chrono::hours{1}};

/// The tags of the jobs that a plan starts, in order.
std::string started_by(berth::plan const& decided) {
  std::string tags;
  for (berth::action const& each : decided) {
    if (each.kind == berth::action_kind::start) {
      tags += std::to_string(each.tag) + " ";
    }
  }
  return tags;
}

berth::cluster one_node_with_cores(std::int32_t gpus, std::int64_t cores) {
  berth::cluster nodes;
  REQUIRE(nodes.add({.gpus = gpus, .cpu_milli = cores * 1000}));
  return nodes;
}

berth::scheduler_config implicit() {
  berth::scheduler_config config;
  config.acknowledge = berth::acknowledgement::implicit;
  return config;
}

berth::job_spec job(std::uint64_t tag, std::int32_t gang, std::int64_t cores_per_gpu,
                    berth::duration work) {
  berth::job_spec spec;
  spec.gang = gang;
  spec.layout = berth::spread::same_node;
  spec.cpu_milli_per_gpu = cores_per_gpu * 1000;
  spec.work = work;
  spec.tag = tag;
  return spec;
}

}  // namespace

TEST_CASE("a head that lacks CPU holds up those behind it in strict order") {
  auto s = berth::presets::fifo(one_node_with_cores(16, 16), implicit()).value();
  REQUIRE(s.submit(job(1, 4, 3, 10h), start));
  CHECK(started_by(s.tick(start)) == "1 ");
  REQUIRE(s.submit(job(2, 8, 1, 1h), start + 1s));  // 12 GPUs are free, 4 cores
  REQUIRE(s.submit(job(3, 4, 0, 100h), start + 2s));
  CHECK(started_by(s.tick(start + 2s)) == "");
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("strict order in one pool does not hold up the other") {
  berth::cluster nodes;
  REQUIRE(nodes.add({.gpus = 4}));
  REQUIRE(nodes.add({.gpus = 4, .owner = berth::pool::inference}));
  auto s = berth::presets::fifo(nodes, implicit()).value();
  berth::job_spec service;
  service.gang = 4;
  service.where = berth::pool::inference;
  REQUIRE(s.submit(service, start));
  REQUIRE(s.submit(service, start));  // waits for the first
  REQUIRE(s.submit({.gang = 4, .tag = 9}, start));
  auto const plan = s.tick(start);
  CHECK(started_by(plan) == "0 9 ");
}

TEST_CASE("backfill on a slow GPU type must end before the promise on that type") {
  berth::cluster nodes{{"fast", "slow"}};
  REQUIRE(nodes.add({.gpus = 4}));
  REQUIRE(nodes.add({.gpus = 4, .type = berth::gpu_type{1}}));
  auto s = berth::presets::easy_backfill(nodes, implicit()).value();
  berth::job_spec holder;
  holder.gang = 2;
  holder.work = 100min;
  holder.allowed_types = 2;  // half of the slow node
  REQUIRE(s.submit(holder, start));
  berth::job_spec other = holder;
  other.gang = 4;
  other.allowed_types = 1;  // all of the fast one
  other.work = 1000min;
  REQUIRE(s.submit(other, start));
  CHECK(s.tick(start).size() == 2);
  berth::job_spec head;
  head.gang = 4;
  head.allowed_types = 2;  // promised the slow node in 100 minutes
  head.work = 1h;
  REQUIRE(s.submit(head, start + 1min));
  berth::job_spec filler;
  filler.gang = 2;
  filler.work = 90min;  // on a fast GPU; 900 minutes on a slow one
  filler.speed = {1.0, 0.1};
  REQUIRE(s.submit(filler, start + 1min));
  CHECK(started_by(s.tick(start + 1min)) == "");
}

}  // namespace order_test
