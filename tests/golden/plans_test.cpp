// SPDX-License-Identifier: BSL-1.0
// Plans are the same for every compiler, optimisation level and floating-point unit. A change of
// these numbers is a change of decisions: say so in the CHANGELOG.
#include <tests/support/compositions.hpp>
#include <tests/support/plain_load.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace {

using namespace tests;

template <class Composition>
std::uint64_t plans_of(berth::acknowledgement how) {
  auto const nodes = load_cluster();
  auto made = Composition::make(nodes, load_config(how));
  plain_load load{made.value(), 2024, 12};
  load.calls(20'000);
  return load.plans();
}

constexpr auto reports = berth::acknowledgement::explicit_reports;
constexpr auto implicit = berth::acknowledgement::implicit;

TEST_CASE("plans of 20,000 seeded calls have not changed") {
  CHECK(plans_of<strict_fifo>(reports) == 13494534178054341529u);
  CHECK(plans_of<backfill>(reports) == 16958053023382161163u);
  CHECK(plans_of<tiresias_like>(reports) == 6873115174548726522u);
  CHECK(plans_of<tiresias_like>(implicit) == 11836169971888426009u);
  CHECK(plans_of<shortest_first>(reports) == 17247389026177794099u);
  CHECK(plans_of<classes>(reports) == 2374803701815339425u);
  CHECK(plans_of<classes>(implicit) == 14091079758262772582u);
  CHECK(plans_of<classes_with_promise>(reports) == 11720960382178340295u);
}

}  // namespace
