// SPDX-License-Identifier: BSL-1.0
// Optimus' and ElasticFlow's greedy: optimal where it should be, bounded elsewhere.
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <tests/support/elastic_jobs.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace marginal_gain_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;
using tests::elastic_jobs;
using sizes = std::vector<std::int32_t>;

sizes sized(marginal_gain const& rule, sizing_problem const& problem) {
  sizing_workspace workspace(8, 64);
  auto const answer = rule.size(problem, workspace);
  REQUIRE(answer);
  return {answer->sizes.begin(), answer->sizes.end()};
}

/// Weighted milliseconds until all who have GPUs end, with what their changes cost.
std::int64_t time_left(sizing_problem const& problem, std::span<std::int32_t const> all) {
  std::int64_t sum = 0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    elastic_job const& job = problem.jobs[at];
    if (all[at] > 0) {
      auto const time = job.time_at(job.speed_on(all[at])) + job.change_to(all[at]);
      sum += job.weight * time.count();
    }
  }
  return sum;
}

TEST_CASE("marginal_gain: gives each GPU to the job whose remaining time it shortens most") {
  elastic_jobs jobs;
  jobs.add(60s, std::vector{1.0, 2.0, 3.0});    // 60, 30, 20
  jobs.add(100s, std::vector{1.0, 1.25, 2.0});  // 100, 80, 50: two GPUs at once save 25 each
  CHECK(sized({}, jobs.within(1)) == sizes{1, 0});
  CHECK(sized({}, jobs.within(2)) == sizes{1, 1});
  CHECK(sized({}, jobs.within(3)) == sizes{2, 1});
  CHECK(sized({}, jobs.within(5)) == sizes{2, 3});
  CHECK(sized({}, jobs.within(9)) == sizes{3, 3});
}

TEST_CASE("marginal_gain: one GPU for everybody comes first, for the shortest if they are few") {
  elastic_jobs jobs;
  jobs.add(50h, std::vector{1.0, 2.0});
  jobs.add(1h, std::vector{1.0, 2.0});
  jobs.add(2h,
           std::vector<rung>{{3, unit_rung_speed}});  // rigid: passed over where it does not fit
  CHECK(sized({}, jobs.within(1)) == sizes{0, 1, 0});
  CHECK(sized({}, jobs.within(2)) == sizes{1, 1, 0});
  CHECK(sized({}, jobs.within(4)) == sizes{0, 1, 3});
}

TEST_CASE("marginal_gain: takes no step that saves nothing, and none that its restart undoes") {
  elastic_jobs jobs;
  auto& job = jobs.add(60s, std::vector{1.0, 1.0, 0.9});
  CHECK(sized({}, jobs.within(3)) == sizes{1});
  job.ladder =
      jobs.ladders.emplace_back(std::vector<rung>{{1, unit_rung_speed}, {2, 2 * unit_rung_speed}});
  job.current = 1;
  job.resize = {.first = 29s, .next = 29s};
  CHECK(sized({}, jobs.within(3)) == sizes{2});
  job.resize = {.first = 30s, .next = 30s};
  CHECK(sized({}, jobs.within(3)) == sizes{1});
}

TEST_CASE("marginal_gain: by GPU-time the best scaling job climbs first, even if it is short") {
  elastic_jobs jobs;
  jobs.add(1h, std::vector{1.0, 1.9});   // 3789 GPU·s on 2: 189 more
  jobs.add(10h, std::vector{1.0, 1.8});  // 40,000: 4,000 more
  marginal_gain const elastic_flow{.measure = gain_measure::gpu_time_saved};
  CHECK(sized(elastic_flow, jobs.within(3)) == sizes{2, 1});
  CHECK(sized({}, jobs.within(3)) == sizes{1, 2});
  CHECK(sized(elastic_flow, jobs.within(4)) == sizes{2, 2});
}

TEST_CASE("marginal_gain: by GPU-time nobody climbs beyond the fastest rung") {
  elastic_jobs jobs;
  jobs.add(1h, std::vector{1.0, 1.5, 1.5, 1.2});
  CHECK(sized({.measure = gain_measure::gpu_time_saved}, jobs.within(4)) == sizes{2});
}

TEST_CASE("marginal_gain: no division among those who start saves more than the bound") {
  sizing_workspace workspace(4, 16);
  int optimal = 0;
  int unproved = 0;
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    bool const is_concave = seed % 2 == 0;
    auto const drawn = tests::draw_sizing(seed, {.is_concave = is_concave, .runs = !is_concave});
    auto const problem = drawn.problem();
    auto const answer = marginal_gain{}.size(problem, workspace);
    REQUIRE(answer);
    std::int64_t const mine = time_left(problem, answer->sizes);
    std::int64_t best = mine;
    tests::for_every_sizing(problem, true, [&](sizes const& tried) {
      bool are_the_same = true;
      for (std::size_t job = 0; job < tried.size(); ++job) {
        are_the_same = are_the_same && (tried[job] > 0) == (answer->sizes[job] > 0);
      }
      best = are_the_same ? std::min(best, time_left(problem, tried)) : best;
    });
    // Times of this size are told without rounding: value = -milliseconds.
    REQUIRE(answer->value == -mine);
    REQUIRE(answer->bound >= -best);
    if (is_concave) {
      REQUIRE(mine - best <= 3 * static_cast<std::int64_t>(problem.jobs.size()));  // roundings
    } else if (mine > best) {
      ++unproved;
      worst = std::max(worst, static_cast<double>(mine - best) / static_cast<double>(best));
    }
    optimal += mine == best ? 1 : 0;
  }
  MESSAGE("seeds 1 to 2000: least time in " << optimal << ", on other ladders " << unproved
                                            << " are not, the worst by " << worst);
  CHECK(optimal > 1500);
}

}  // namespace

}  // namespace marginal_gain_test
