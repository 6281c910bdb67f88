// SPDX-License-Identifier: BSL-1.0
// What every sizing rule decides on seeded questions, as one number: the same with every compiler
// and at every level of optimisation. A change here is a change of decisions: say so in CHANGELOG.
#include <berth/core/digest.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/pairwise.hpp>
#include <berth/sizing/power_mean.hpp>
#include <berth/sizing/sizing_workspace.hpp>
#include <berth/sizing/two_phase.hpp>

#include <tests/support/elastic_jobs.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace {

using namespace berth;

template <class Rule>
std::uint64_t digest_of(Rule const& rule) {
  digest all;
  sizing_workspace workspace(12, 120, 12);
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    auto const drawn = tests::draw_sizing(
        seed, {.is_concave = seed % 4 == 0, .runs = seed % 2 == 0, .jobs = 12, .rungs = 10});
    auto const answer = rule.size(drawn.problem(), workspace);
    REQUIRE(answer);
    for (std::int32_t const size : answer->sizes) {
      all.add(size);
    }
    all.add(answer->bound);
  }
  return all.value();
}

TEST_CASE("sizing: decides as it did") {
  CHECK(digest_of(choice_knapsack_sizing{}) == 17497156694386210454u);
  CHECK(digest_of(choice_knapsack_sizing{.power_quarters = 3}) == 15685482837892863315u);
  CHECK(digest_of(marginal_gain{}) == 155010676245343117u);
  CHECK(digest_of(marginal_gain{.measure = gain_measure::gpu_time_saved}) == 10713896553655930080u);
  CHECK(digest_of(pairwise{}) == 5076262462512020785u);
  CHECK(digest_of(two_phase{}) == 15641851154395426590u);
  CHECK(digest_of(power_mean{}) == 11034136271173319540u);
}

}  // namespace
