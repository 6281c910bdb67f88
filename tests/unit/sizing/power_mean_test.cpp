// SPDX-License-Identifier: BSL-1.0
// Pollux's mean without a genetic algorithm: against every combination of sizes.
#include <berth/sizing/power_mean.hpp>
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

namespace power_mean_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;
using tests::elastic_jobs;
using tests::speed;
using sizes = std::vector<std::int32_t>;

sizes sized(sizing_problem const& problem) {
  sizing_workspace workspace(8, 64, 64);
  auto const answer = power_mean{}.size(problem, workspace);
  REQUIRE(answer);
  CHECK(answer->is_optimal());
  return {answer->sizes.begin(), answer->sizes.end()};
}

/// The weighted harmonic mean of the discounted speeds, in floating point.
double harmonic(sizing_problem const& problem, std::span<std::int32_t const> all) {
  double sum = 0.0;
  double weights = 0.0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    elastic_job const& job = problem.jobs[at];
    double times = all[at] > 0 ? static_cast<double>(job.speed_on(all[at])) / unit_rung_speed : 0.0;
    if (job.current > 0 && all[at] > 0 && all[at] != job.current) {
      auto const restart = static_cast<double>(job.resize.between(job.current, all[at]).count());
      auto const age = static_cast<double>(job.age.count());
      times *=
          age + restart > 0 ? std::max(0.0, age - job.restarts * restart) / (age + restart) : 1;
    }
    sum += job.weight / (times + 65.0 / 65536.0);
    weights += job.weight;
  }
  return weights / sum;
}

TEST_CASE("power_mean: the restart factor is the published one, with the job's own restart time") {
  elastic_jobs jobs;
  auto& job = jobs.add(1h, std::vector{1.0, 3.0});
  job.age = 600s;
  job.restarts = 1;
  job.resize = {.first = 120s, .next = 120s};
  CHECK(power_mean::discounted_speed(job, job.ladder[1]) == speed(3.0));  // it waits
  job.current = 1;
  CHECK(power_mean::discounted_speed(job, job.ladder[1]) == speed(2.0));  // times 2/3
  CHECK(power_mean::discounted_speed(job, job.ladder[0]) == speed(1.0));  // nothing changes
  job.restarts = 9;
  CHECK(power_mean::discounted_speed(job, job.ladder[1]) == 0);
  job.resize = {};
  CHECK(power_mean::discounted_speed(job, job.ladder[1]) == speed(3.0));
  job.age = 0s;
  CHECK(power_mean::discounted_speed(job, job.ladder[1]) == speed(3.0));
}

TEST_CASE("power_mean: everybody gets something before anybody gets much") {
  elastic_jobs jobs;
  jobs.add(10h, std::vector{1.0, 2.0, 3.0, 4.0});
  jobs.add(1h, std::vector{1.0, 1.1, 1.2});
  jobs.add(1h, std::vector{1.0, 2.0});
  CHECK(sized(jobs.within(3)) == sizes{1, 1, 1});
  CHECK(sized(jobs.within(4)) == sizes{1, 1, 2});  // of equal gains, who has less left
  CHECK(sized(jobs.within(5)) == sizes{2, 1, 2});
}

TEST_CASE(
    "power_mean: a job of age 0 starts, and one that has been restarted often is left alone") {
  elastic_jobs jobs;
  auto& newcomer = jobs.add(1h, std::vector{1.0});
  newcomer.resize = {.first = 30s, .next = 30s};
  CHECK(sized(jobs.within(1)) == sizes{1});
  auto& runs = jobs.add(1h, std::vector{1.0, 2.0});
  runs.current = 1;
  runs.age = 100s;
  runs.restarts = 1;
  runs.resize = {.first = 30s, .next = 30s};
  CHECK(sized(jobs.within(3)) == sizes{1, 2});  // 2 · 70 / 130 > 1
  jobs.jobs[1].restarts = 2;
  CHECK(sized(jobs.within(3)) == sizes{1, 1});  // 2 · 40 / 130 < 1
}

TEST_CASE("power_mean: no combination of sizes has a better mean") {
  sizing_workspace workspace(4, 16, 12);
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto const drawn =
        tests::draw_sizing(seed, {.is_concave = seed % 3 == 0, .runs = seed % 2 == 0});
    auto const problem = drawn.problem();
    auto const answer = power_mean{}.size(problem, workspace);
    REQUIRE(answer);
    REQUIRE(answer->is_optimal());
    double const mine = harmonic(problem, answer->sizes);
    double best = mine;
    tests::for_every_sizing(problem, true, [&](sizes const& tried) {
      best = std::max(best, harmonic(problem, tried));
    });
    worst = std::max(worst, 1.0 - mine / best);
    REQUIRE(mine >= best * (1.0 - 1e-4));  // speeds are rounded to 2^-16
  }
  MESSAGE("seeds 1 to 1500: largest gap to every combination " << worst);
}

}  // namespace

}  // namespace power_mean_test
