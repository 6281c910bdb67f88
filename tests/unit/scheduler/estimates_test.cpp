// SPDX-License-Identifier: BSL-1.0
// Whatever a predictor answers, the scheduler keeps its own state sound.
#include <berth/berth.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

namespace estimates_test {

namespace {

using namespace std::chrono_literals;
constexpr berth::time_point start{std::chrono::hours{1}};

struct far_below_zero {
  using component_role = berth::predictor_role;
  [[nodiscard]] berth::estimate remaining(berth::job_view const&,
                                          berth::tick_context const&) const noexcept {
    return berth::estimate::exactly(berth::duration::min());
  }
};

}  // namespace

TEST_CASE("an estimate far below zero means soon, and survives a snapshot") {
  auto const nodes = berth::cluster::uniform(1, 1).value();
  auto s = berth::make_scheduler(nodes, {}, far_below_zero{}, berth::shortest_remaining{}).value();
  auto const job = s.submit({}, start).value();
  REQUIRE(s.tick(start).size() == 1);
  REQUIRE(s.report(job, berth::started{}, start));
  REQUIRE(s.submit({}, start + 5ms));
  CHECK(s.tick(start + 5ms).empty());
  CHECK(s.view(job).value().remaining().p50 == 1ms);
  std::vector<std::byte> bytes(s.snapshot_size());
  REQUIRE(s.snapshot(bytes));
  auto other =
      berth::make_scheduler(nodes, {}, far_below_zero{}, berth::shortest_remaining{}).value();
  REQUIRE(other.restore(bytes));
  CHECK(other.state_digest() == s.state_digest());
}

}  // namespace estimates_test
