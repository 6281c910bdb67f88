// SPDX-License-Identifier: BSL-1.0
// Which member of a gang sits where.
#include <berth/model/gpu.hpp>
#include <berth/model/node.hpp>

#include <berth_sim/scenario/members.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace berth::sim::scenario;
using berth::gpu_range;
using berth::node_id;

namespace {

gpu_range range(std::uint32_t node, berth::gpu_mask gpus) {
  return {node_id{node, 0}, gpus};
}

job_line with_roles(std::vector<role_line> roles) {
  job_line job;
  job.roles = std::move(roles);
  return job;
}

}  // namespace

TEST_CASE("equal members fill the nodes in order") {
  job_line job;
  job.tasks = 3;
  job.gpus = 2;
  auto members = members_of(job);
  std::vector const ranges{range(4, 0b1111), range(7, 0b110000)};
  REQUIRE(seat(members, ranges));
  CHECK(members[0].mask == 0b0011);
  CHECK(members[1].mask == 0b1100);
  CHECK(members[2].node == node_id{7, 0});
  CHECK(members[2].mask == 0b110000);
}

TEST_CASE("a role that must go elsewhere is not taken by the first node") {
  auto members = members_of(with_roles({{"x", 1, 3, false}, {"y", 1, 5, false}}));
  std::vector const ranges{range(0, 0b11111), range(1, 0b111)};
  REQUIRE(seat(members, ranges));
  CHECK(members[0].node == node_id{1, 0});
  CHECK(members[1].node == node_id{0, 0});
}

TEST_CASE("roles that fill a node only in one combination are found") {
  auto members = members_of(with_roles({{"x", 3, 2, false}, {"y", 2, 3, false}}));
  std::vector const ranges{range(0, 0b111111), range(1, 0b111111)};
  REQUIRE(seat(members, ranges));
  CHECK(members[0].node == members[1].node);
  CHECK(members[1].node == members[2].node);
  CHECK(members[3].node == members[4].node);
  CHECK(members[0].node != members[3].node);
}

TEST_CASE("members that have finished take no GPUs") {
  job_line job;
  job.tasks = 2;
  auto members = members_of(job);
  members[0].has_finished = true;
  std::vector const ranges{range(0, 0b1)};
  REQUIRE(seat(members, ranges));
  CHECK(members[0].mask == 0);
  CHECK(members[1].mask == 0b1);
}

TEST_CASE("GPUs that do not fit the gang are noticed") {
  job_line job;
  job.tasks = 2;
  job.gpus = 2;
  auto members = members_of(job);
  CHECK_FALSE(seat(members, std::vector{range(0, 0b111), range(1, 0b1)}));
  CHECK_FALSE(seat(members, std::vector{range(0, 0b11)}));
  CHECK_FALSE(seat(members, std::vector{range(0, 0b111111)}));
  CHECK(seat(members, std::vector{range(0, 0b11), range(1, 0b11)}));
}
