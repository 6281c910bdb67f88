// SPDX-License-Identifier: BSL-1.0
// Plans are the same for every compiler, optimisation level and floating-point unit. A change of
// these numbers is a change of decisions: say so in the CHANGELOG.
#include <tests/support/compositions.hpp>
#include <tests/support/plain_load.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace {

using namespace tests;

std::uint64_t plans_of(composition const& of, berth::acknowledgement how) {
  auto const nodes = load_cluster();
  auto const made = of.make(nodes, load_config(how));
  plain_load load{*made, 2024, 12};
  load.calls(20'000);
  return load.plans();
}

constexpr auto reports = berth::acknowledgement::explicit_reports;
constexpr auto implicit = berth::acknowledgement::implicit;

TEST_CASE("plans of 20,000 seeded calls have not changed") {
  CHECK(plans_of(strict_fifo, reports) == 13619269401316543606u);
  CHECK(plans_of(backfill, reports) == 8122555957133520602u);
  CHECK(plans_of(tiresias_like, reports) == 648250136414950546u);
  CHECK(plans_of(tiresias_like, implicit) == 7613553775906395002u);
  CHECK(plans_of(shortest_first, reports) == 6332019913059495262u);
  CHECK(plans_of(classes, reports) == 10502511752171575699u);
  CHECK(plans_of(classes, implicit) == 3730689328848528599u);
  CHECK(plans_of(classes_with_promise, reports) == 7675582697059895054u);
  CHECK(plans_of(weighing, reports) == 13158395799327230052u);
  CHECK(plans_of(weighing, implicit) == 9370993211727810503u);
}

}  // namespace
