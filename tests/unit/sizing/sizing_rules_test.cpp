// SPDX-License-Identifier: BSL-1.0
// What every sizing rule owes: rungs within the capacity, an answer that does not depend on the
// order of the jobs or on what the workspace did before, and no change for nothing.
#include <berth/core/random.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/pairwise.hpp>
#include <berth/sizing/power_mean.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_rule.hpp>
#include <berth/sizing/sizing_workspace.hpp>
#include <berth/sizing/two_phase.hpp>

#include <tests/support/elastic_jobs.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace sizing_rules_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;
using tests::elastic_jobs;
using sizes = std::vector<std::int32_t>;

struct by_gpu_time : marginal_gain {
  constexpr by_gpu_time() : marginal_gain{.measure = gain_measure::gpu_time_saved} {}
};

static_assert(sizing_rule<choice_knapsack_sizing>);
static_assert(sizing_rule<marginal_gain>);
static_assert(sizing_rule<pairwise>);
static_assert(sizing_rule<power_mean>);
static_assert(sizing_rule<two_phase>);
static_assert(!sizing_rule<int>);

#define BERTH_EVERY_RULE \
  choice_knapsack_sizing, marginal_gain, by_gpu_time, pairwise, power_mean, two_phase

TEST_CASE_TEMPLATE("sizing rule: gives rungs within the capacity", Rule, BERTH_EVERY_RULE) {
  sizing_workspace workspace(6, 30, 12);
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    auto const drawn = tests::draw_sizing(seed, {.runs = true, .jobs = 6, .rungs = 5});
    auto const problem = drawn.problem();
    auto const answer = Rule{}.size(problem, workspace);
    REQUIRE(answer);
    REQUIRE(answer->sizes.size() == problem.jobs.size());
    std::int64_t given = 0;
    for (std::size_t at = 0; at < problem.jobs.size(); ++at) {
      std::int32_t const size = answer->sizes[at];
      auto const ladder = problem.jobs[at].ladder;
      CHECK((size == 0 || std::any_of(ladder.begin(), ladder.end(),
                                      [&](rung const& each) { return each.size == size; })));
      given += size;
    }
    CHECK(answer->given == given);
    CHECK(given <= problem.capacity);
    CHECK(answer->value <= answer->bound);
  }
}

TEST_CASE_TEMPLATE("sizing rule: the order of the jobs does not matter, equal ones included", Rule,
                   BERTH_EVERY_RULE) {
  sizing_workspace workspace(6, 60, 12);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    auto drawn = tests::draw_sizing(seed, {.runs = true, .jobs = 3, .rungs = 5});
    for (std::size_t twin = drawn.owner.jobs.size(); twin-- > 0;) {
      elastic_job job = drawn.owner.jobs[twin];
      job.id = job_id{static_cast<std::uint32_t>(100 - twin), 1};
      drawn.owner.jobs.push_back(job);
    }
    auto& jobs = drawn.owner.jobs;
    auto const by_id = [&] {
      std::map<job_id, std::int32_t> sized;
      auto const answer = Rule{}.size(drawn.problem(), workspace);
      REQUIRE(answer);
      for (std::size_t at = 0; at < jobs.size(); ++at) {
        sized[jobs[at].id] = answer->sizes[at];
      }
      return sized;
    };
    auto const before = by_id();
    random_source random{seed};
    for (std::size_t at = jobs.size(); at > 1; --at) {
      std::swap(jobs[at - 1], jobs[random.below(at)]);
    }
    CHECK(by_id() == before);
  }
}

TEST_CASE_TEMPLATE("sizing rule: what the workspace did before leaves no trace", Rule,
                   BERTH_EVERY_RULE) {
  sizing_workspace used(6, 30, 12);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    auto const drawn = tests::draw_sizing(seed, {.runs = true, .jobs = 6, .rungs = 5});
    sizing_workspace fresh(6, 30, 12);
    auto const first = Rule{}.size(drawn.problem(), fresh);
    auto const second = Rule{}.size(drawn.problem(), used);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(std::equal(first->sizes.begin(), first->sizes.end(), second->sizes.begin()));
    CHECK(first->value == second->value);
    CHECK(first->bound == second->bound);
  }
}

TEST_CASE_TEMPLATE("sizing rule: a plan that changes nothing costs nothing, so it stays", Rule,
                   BERTH_EVERY_RULE) {
  sizing_workspace workspace(6, 30, 12);
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    auto drawn = tests::draw_sizing(seed, {.is_concave = seed % 2 == 0, .jobs = 6, .rungs = 5});
    auto const once = Rule{}.size(drawn.problem(), workspace);
    REQUIRE(once);
    sizes const decided(once->sizes.begin(), once->sizes.end());
    for (std::size_t at = 0; at < decided.size(); ++at) {
      drawn.owner.jobs[at].current = decided[at];
      drawn.owner.jobs[at].resize = {.first = 100s, .next = seed % 3 == 0 ? 100s : 4s};
    }
    auto const again = Rule{}.size(drawn.problem(), workspace);
    REQUIRE(again);
    CHECK(sizes(again->sizes.begin(), again->sizes.end()) == decided);
  }
}

TEST_CASE_TEMPLATE("sizing rule: from any sizes, deciding again and again comes to rest", Rule,
                   BERTH_EVERY_RULE) {
  sizing_workspace workspace(6, 30, 12);
  int at_once = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    auto drawn = tests::draw_sizing(seed, {.runs = true, .jobs = 6, .rungs = 5});
    int rounds = 0;
    for (bool is_at_rest = false; !is_at_rest; ++rounds) {
      REQUIRE(rounds <= 4);
      auto const answer = Rule{}.size(drawn.problem(), workspace);
      REQUIRE(answer);
      is_at_rest = true;
      for (std::size_t at = 0; at < drawn.owner.jobs.size(); ++at) {
        is_at_rest = is_at_rest && drawn.owner.jobs[at].current == answer->sizes[at];
        drawn.owner.jobs[at].current = answer->sizes[at];
      }
    }
    at_once += rounds <= 2 ? 1 : 0;
  }
  CHECK(at_once > 950);
}

TEST_CASE_TEMPLATE("sizing rule: no jobs and no GPUs are problems, too", Rule, BERTH_EVERY_RULE) {
  sizing_workspace workspace;
  auto const nobody = Rule{}.size({{}, 8}, workspace);
  REQUIRE(nobody);
  CHECK(nobody->sizes.empty());
  workspace.reserve(1, 2, 4);
  elastic_jobs jobs;
  jobs.add(1h, std::vector{1.0, 1.5});
  auto const nothing = Rule{}.size(jobs.within(0), workspace);
  REQUIRE(nothing);
  CHECK(nothing->given == 0);
  auto const plenty = Rule{}.size(jobs.within(1'000'000), workspace);
  REQUIRE(plenty);
  CHECK(plenty->given == 2);
}

}  // namespace

}  // namespace sizing_rules_test
