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
  CHECK(plans_of<backfill>(reports) == 2006695799743702100u);
  CHECK(plans_of<tiresias_like>(reports) == 4943162550344955952u);
  CHECK(plans_of<tiresias_like>(implicit) == 8278747312644739665u);
  CHECK(plans_of<shortest_first>(reports) == 14041067506384543766u);
  CHECK(plans_of<classes>(reports) == 11429561213694179266u);
  CHECK(plans_of<classes>(implicit) == 14724268202663871668u);
  CHECK(plans_of<classes_with_promise>(reports) == 10465786069679665231u);
}

}  // namespace
