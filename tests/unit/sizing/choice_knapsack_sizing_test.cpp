// SPDX-License-Identifier: BSL-1.0
// ATS-T by value: against every combination of sizes, the authors' own choices where nothing but
// speed-ups counts, and what a restart must do to a decision.
#include <berth/core/time.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <tests/support/elastic_jobs.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace choice_knapsack_sizing_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;
using tests::elastic_jobs;
using sizes = std::vector<std::int32_t>;

sizes sized(choice_knapsack_sizing const& rule, sizing_problem const& problem) {
  sizing_workspace workspace(8, 64, 64);
  auto const answer = rule.size(problem, workspace);
  REQUIRE(answer);
  CHECK(answer->is_optimal());
  return {answer->sizes.begin(), answer->sizes.end()};
}

/// The objective as the header states it, in floating point.
double worth(choice_knapsack_sizing const& rule, elastic_job const& job, std::int32_t size) {
  auto const milliseconds = [](duration span) { return static_cast<double>(span.count()); };
  auto const rung = std::find_if(job.ladder.begin(), job.ladder.end(),
                                 [&](auto const& each) { return each.size == size; });
  double const urgency = job.weight / std::pow(std::max(1000.0, milliseconds(job.remaining)),
                                               rule.power_quarters / 4.0);
  double speed = size == 0 ? 0.0 : static_cast<double>(rung->speed) / unit_rung_speed;
  double restart = 0.0;
  if (job.current > 0 && size == 0) {
    restart = milliseconds(job.resize.first);
    for (auto const& each : job.ladder) {
      speed = each.size <= job.current ? static_cast<double>(each.speed) / unit_rung_speed : speed;
    }
  } else if (job.current > 0 && size != job.current) {
    double const grown = std::max(0, size - job.current) / static_cast<double>(size);
    restart = milliseconds(job.resize.next) +
              std::floor(milliseconds(job.resize.first - job.resize.next) * grown + 1e-9);
  }
  double const kept = std::min(milliseconds(rule.horizon),
                               restart + (speed > 0 ? milliseconds(job.remaining) / speed : 1e12));
  double const lost = restart > 0 ? speed * std::min(restart, kept) / kept : 0.0;
  return urgency * (size == 0 ? -lost : speed - lost);
}
double worth(choice_knapsack_sizing const& rule, sizing_problem const& problem,
             std::span<std::int32_t const> all) {
  double sum = 0.0;
  for (std::size_t job = 0; job < all.size(); ++job) {
    sum += worth(rule, problem.jobs[job], all[job]);
  }
  return sum;
}

TEST_CASE("choice_knapsack_sizing: no combination of sizes is worth more, whatever the ladders") {
  sizing_workspace workspace(4, 16, 12);
  int improved = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto const drawn =
        tests::draw_sizing(seed, {.is_concave = seed % 3 == 0, .runs = seed % 2 == 0});
    auto const problem = drawn.problem();
    choice_knapsack_sizing const rule{.power_quarters = static_cast<unsigned>(seed % 5)};
    double best = -1e300;
    double idle = worth(rule, problem, sizes(problem.jobs.size(), 0));
    tests::for_every_sizing(problem, true, [&](sizes const& tried) {
      best = std::max(best, worth(rule, problem, tried));
    });
    auto const answer = rule.size(problem, workspace);
    REQUIRE(answer);
    CHECK(answer->is_optimal());
    double const found = worth(rule, problem, answer->sizes);
    REQUIRE(found >= best - 1e-4 * std::max(std::abs(best), std::abs(idle)));
    improved += found > idle ? 1 : 0;
  }
  CHECK(improved > 1000);
}

TEST_CASE(
    "choice_knapsack_sizing: chooses as DeepBoot's knapsack does where only speed-ups count") {
  // Spec vectors: three jobs, and what the authors' dynamic programme returns for each capacity.
  elastic_jobs jobs;
  jobs.add(1h, std::vector{1.0, 1.8, 2.4, 2.8});
  jobs.add(1h, std::vector{0.9, 1.7, 2.6, 3.0});
  jobs.add(1h, std::vector{1.2, 1.3});
  choice_knapsack_sizing const plain{.power_quarters = 0};
  CHECK(sized(plain, jobs.within(1)) == sizes{0, 0, 1});
  CHECK(sized(plain, jobs.within(2)) == sizes{1, 0, 1});
  CHECK(sized(plain, jobs.within(3)) == sizes{1, 1, 1});
  CHECK(sized(plain, jobs.within(5)) == sizes{1, 3, 1});
  CHECK(sized(plain, jobs.within(6)) == sizes{2, 3, 1});
  CHECK(sized(plain, jobs.within(8)) == sizes{4, 3, 1});
  CHECK(sized(plain, jobs.within(12)) == sizes{4, 4, 2});
}

TEST_CASE("choice_knapsack_sizing: a size that is worth nothing is not taken, spare GPUs or not") {
  elastic_jobs jobs;
  jobs.add(1h, std::vector{0.0, 0.0});
  jobs.add(1h, std::vector{1.0, 1.0, 1.0});
  CHECK(sized({}, jobs.within(8)) == sizes{0, 1});
}

TEST_CASE("choice_knapsack_sizing: the same speed-up is worth more to a job with less left") {
  elastic_jobs jobs;
  jobs.add(10h, std::vector{1.0, 1.9, 2.7, 3.4});
  jobs.add(10min, std::vector{1.0, 1.7, 2.2, 2.5});
  CHECK(sized({.power_quarters = 0}, jobs.within(4)) == sizes{3, 1});
  CHECK(sized({.power_quarters = 2}, jobs.within(4)) == sizes{0, 4});
}

TEST_CASE("choice_knapsack_sizing: a job grows only if the restart pays within the horizon") {
  elastic_jobs jobs;
  auto& job = jobs.add(2h, std::vector{1.0, 1.5});
  job.current = 1;
  job.resize = {.first = 190s, .next = 190s};
  CHECK(sized({.horizon = 10min}, jobs.within(2)) == sizes{2});  // 1.5 · 410 / 600 > 1
  job.resize = {.first = 210s, .next = 210s};
  CHECK(sized({.horizon = 10min}, jobs.within(2)) == sizes{1});
  CHECK(sized({.horizon = 1h}, jobs.within(2)) == sizes{2});
  job.resize = {.first = 210s, .next = 5s};  // an elastic restart: 5 + 205 / 2 seconds
  CHECK(sized({.horizon = 10min}, jobs.within(2)) == sizes{2});
}

TEST_CASE("choice_knapsack_sizing: a restart costs a job its own time, not a constant") {
  elastic_jobs jobs;
  auto const running = [&](duration restart) {
    auto& job = jobs.add(1h, std::vector{1.0, 1.4});
    job.current = 1;
    job.resize = {.first = restart, .next = restart};
  };
  running(200s);
  running(1s);
  CHECK(sized({}, jobs.within(3)) == sizes{1, 2});
}

TEST_CASE("choice_knapsack_sizing: a job that is about to end is not restarted to end later") {
  elastic_jobs jobs;
  auto& job = jobs.add(20s, std::vector{1.0, 4.0});
  job.current = 1;
  job.resize = {.first = 30s, .next = 30s};
  CHECK(sized({}, jobs.within(2)) == sizes{1});
  job.resize = {.first = 10s, .next = 10s};
  CHECK(sized({}, jobs.within(2)) == sizes{2});  // 10 + 5 seconds
}

TEST_CASE("choice_knapsack_sizing: a job of age 0 starts, and stopping one is not for free") {
  elastic_jobs jobs;
  auto& newcomer = jobs.add(1h, std::vector{1.01});
  newcomer.resize = {.first = 103s, .next = 5s};
  CHECK(sized({}, jobs.within(1)) == sizes{1});
  auto& runs = jobs.add(1h, std::vector{1.0});
  runs.current = 1;
  runs.resize = {.first = 30s, .next = 1s};
  CHECK(sized({}, jobs.within(1)) == sizes{0, 1});
  jobs.jobs[1].resize = {};
  CHECK(sized({}, jobs.within(1)) == sizes{1, 0});
}

TEST_CASE(
    "choice_knapsack_sizing: the heap of concave ladders and the table agree, ties included") {
  sizing_workspace heap(6, 36);
  sizing_workspace table(7, 40, 40);
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    auto drawn = tests::draw_sizing(seed, {.is_concave = true, .jobs = 6, .rungs = 6});
    choice_knapsack_sizing const rule{.power_quarters = static_cast<unsigned>(seed % 5)};
    auto const quick = rule.size(drawn.problem(), heap);  // no table to fall back to
    REQUIRE(quick);
    REQUIRE(quick->is_optimal());
    sizes const by_heap(quick->sizes.begin(), quick->sizes.end());
    // A job that is not concave and can never run turns the whole problem over to the table.
    drawn.owner.add(1h, std::vector<rung>{{30, 1}, {33, 5}});
    auto const slow = rule.size(drawn.problem(), table);
    REQUIRE(slow);
    REQUIRE(slow->is_optimal());
    sizes by_table(slow->sizes.begin(), slow->sizes.end());
    REQUIRE(by_table.back() == 0);
    by_table.pop_back();
    CHECK(by_heap == by_table);
  }
}

TEST_CASE("choice_knapsack_sizing: without a table the answer is near the best and says how near") {
  sizing_workspace table(4, 16, 12);
  sizing_workspace none(4, 16);
  double worst = 0.0;
  double sum = 0.0;
  int nearly = 0;
  int best = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    auto const drawn = tests::draw_sizing(seed, {.runs = true});
    auto const exact = choice_knapsack_sizing{}.size(drawn.problem(), table);
    REQUIRE(exact);
    std::int64_t const optimum = exact->value;
    auto const near = choice_knapsack_sizing{}.size(drawn.problem(), none);
    REQUIRE(near);
    REQUIRE(near->value <= optimum);
    REQUIRE(optimum <= near->bound);
    best += near->value == optimum ? 1 : 0;
    if (near->value < optimum && optimum > 0) {
      double const gap = static_cast<double>(optimum - near->value) / static_cast<double>(optimum);
      worst = std::max(worst, gap);
      sum += gap;
      ++nearly;
    }
  }
  MESSAGE("seeds 1 to 2000: optimal without a table in " << best << ", mean gap of the others "
                                                         << sum / std::max(1, nearly) << ", worst "
                                                         << worst);
  CHECK(best > 1200);
}

TEST_CASE("choice_knapsack_sizing: a table that was reserved is there for more jobs, too") {
  // Steps that leave a GPU over: climbing cannot prove anything here.
  elastic_jobs jobs;
  jobs.add(1h, std::vector<rung>{{3, 31 * unit_rung_speed}});
  jobs.add(1h, std::vector<rung>{{2, 20 * unit_rung_speed}, {4, 40 * unit_rung_speed}});
  sizing_workspace workspace(1, 1, 4);
  workspace.reserve(2, 3);
  auto const answer = choice_knapsack_sizing{}.size(jobs.within(4), workspace);
  REQUIRE(answer);
  CHECK(answer->is_optimal());
  CHECK(sizes(answer->sizes.begin(), answer->sizes.end()) == sizes{0, 4});
  sizing_workspace none(2, 3);
  auto const near = choice_knapsack_sizing{}.size(jobs.within(4), none);
  REQUIRE(near);
  CHECK_FALSE(near->is_optimal());
  CHECK(near->given == 3);
}

TEST_CASE("choice_knapsack_sizing: a parameter out of its range is refused by name") {
  sizing_workspace workspace(1, 1);
  auto const refusal = [&](choice_knapsack_sizing const& rule) {
    return rule.size({}, workspace).error();
  };
  CHECK(refusal({.power_quarters = 5}) == error{errc::bad_config, field::remaining});
  CHECK(refusal({.horizon = 0s}) == error{errc::bad_config, field::horizon});
  CHECK(refusal({.horizon = forever}) == error{errc::bad_config, field::horizon});
}

}  // namespace

}  // namespace choice_knapsack_sizing_test
