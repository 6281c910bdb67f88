// SPDX-License-Identifier: BSL-1.0
// The concave majorant of a ladder, against its definition.
#include <berth/core/random.hpp>
#include <berth/sizing/concave_majorant.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace concave_majorant_test {

namespace {

using namespace berth;
using indexes = std::vector<std::uint32_t>;

indexes majorant(std::vector<rung> const& ladder) {
  indexes room(ladder.size());
  auto const vertices = concave_majorant(ladder, room);
  return {vertices.begin(), vertices.end()};
}

TEST_CASE("concave_majorant: keeps a concave ladder, straight edges included") {
  CHECK(majorant({{1, 10}, {2, 18}, {3, 26}, {4, 30}}) == indexes{0, 1, 2, 3});
  CHECK(majorant({{3, 7}}) == indexes{0});
}

TEST_CASE("concave_majorant: goes over a step that gains little to one that gains much") {
  CHECK(majorant({{1, 10}, {2, 11}, {4, 40}, {8, 41}}) == indexes{0, 2, 3});
  CHECK(majorant({{1, 0}, {2, 0}, {3, 0}, {4, 1}}) == indexes{0, 3});
  CHECK(majorant({{1, 9}, {2, 3}, {3, 8}}) == indexes{0, 2});
}

TEST_CASE("concave_majorant: is above every rung, concave, and touches where it says") {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::vector<rung> ladder;
    std::int32_t size = 0;
    for (std::size_t count = 1 + random.below(8); count > 0; --count) {
      size += static_cast<std::int32_t>(random.between(1, 3));
      ladder.push_back({size, random.between(0, 9)});
    }
    indexes const kept = majorant(ladder);
    // A rung is on it exactly if no pair of rungs around it passes above.
    indexes expected;
    for (std::uint32_t at = 0; at < ladder.size(); ++at) {
      bool is_under = false;
      for (std::uint32_t low = 0; low < at; ++low) {
        for (std::uint32_t high = at + 1; high < ladder.size(); ++high) {
          std::int64_t const span = ladder[high].size - ladder[low].size;
          is_under = is_under || ladder[at].speed * span <
                                     ladder[low].speed * (ladder[high].size - ladder[at].size) +
                                         ladder[high].speed * (ladder[at].size - ladder[low].size);
        }
      }
      if (!is_under) {
        expected.push_back(at);
      }
    }
    CHECK(kept == expected);
  }
}

}  // namespace

}  // namespace concave_majorant_test
