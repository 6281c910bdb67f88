// SPDX-License-Identifier: BSL-1.0
// A gang on GPUs of several types runs at the speed of the slowest of them.
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>

#include <tests/support/compositions.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace mixed_types_test {

namespace {

constexpr berth::time_point start{std::chrono::hours{1}};

/// Thousandths at which a gang runs that has four GPUs of the first type and two of the second.
std::int32_t speed_of_gang(double of_first, double of_second) {
  berth::cluster nodes{{"first", "second"}};
  REQUIRE(nodes.add({.gpus = 4, .type = berth::gpu_type{0}}).has_value());
  REQUIRE(nodes.add({.gpus = 2, .type = berth::gpu_type{1}}).has_value());
  auto const s = tests::skipping_fifo.make(nodes, {});
  berth::job_spec job{.work = std::chrono::hours{1}};
  job.roles = {berth::role{1, 4}, berth::role{2, 1}};
  job.speed[0] = of_first;
  job.speed[1] = of_second;
  auto const id = s->submit(job, start).value();
  REQUIRE(s->tick(start).size() == 1);
  REQUIRE(s->view(id)->nodes_held() == 2);
  REQUIRE(s->report(id, berth::started{}, start));
  return s->view(id)->speed();
}

}  // namespace

TEST_CASE("a gang on several GPU types runs at the speed of the slowest, wherever that stands") {
  CHECK(speed_of_gang(1.0, 0.5) == 500);
  CHECK(speed_of_gang(0.5, 1.0) == 500);
  CHECK(speed_of_gang(2.0, 0.25) == 250);
  CHECK(speed_of_gang(0.25, 2.0) == 250);
}

}  // namespace mixed_types_test
