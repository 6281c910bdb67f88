// SPDX-License-Identifier: BSL-1.0
// Once its workspace is reserved, no sizing rule allocates, whatever it is asked and whatever it
// answers.
#include <berth/core/time.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/pairwise.hpp>
#include <berth/sizing/power_mean.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>
#include <berth/sizing/two_phase.hpp>

#include <tests/support/counting_new.hpp>
#include <tests/support/elastic_jobs.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace sizing_alloc_test {

namespace {

using namespace berth;

TEST_CASE_TEMPLATE("sizing: answers and refusals allocate nothing", Rule, choice_knapsack_sizing,
                   marginal_gain, pairwise, power_mean, two_phase) {
  sizing_workspace tabulated(30, 240, 40);
  sizing_workspace climbed(30, 240);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    auto drawn = tests::draw_sizing(
        seed, {.is_concave = seed % 2 == 0, .runs = true, .jobs = 30, .rungs = 8});
    drawn.capacity = static_cast<std::int32_t>(seed % 40);
    auto broken = drawn;
    broken.owner.jobs.back().weight = 0;
    sizing_problem const sound = drawn.problem();
    sizing_problem const refused = broken.problem();
    std::uint64_t const before = tests::allocations();
    bool const by_table = Rule{}.size(sound, tabulated).has_value();
    bool const by_climbing = Rule{}.size(sound, climbed).has_value();
    bool const is_refused = !Rule{}.size(refused, climbed).has_value();
    std::uint64_t const after = tests::allocations();
    REQUIRE(by_table);
    REQUIRE(by_climbing);
    REQUIRE(is_refused);
    REQUIRE(after == before);
  }
}

TEST_CASE("sizing_workspace: reserving what it has already allocates nothing") {
  sizing_workspace workspace(20, 100, 40);
  std::uint64_t const before = tests::allocations();
  workspace.reserve(20, 100, 40);
  workspace.reserve(3, 7);
  CHECK(tests::allocations() == before);
}

}  // namespace

}  // namespace sizing_alloc_test
