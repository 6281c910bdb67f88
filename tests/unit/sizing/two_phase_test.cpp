// SPDX-License-Identifier: BSL-1.0
// Lyra's two phases: base demands before anything else, and then the best of all divisions.
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>
#include <berth/sizing/two_phase.hpp>

#include <tests/support/elastic_jobs.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace two_phase_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;
using tests::elastic_jobs;
using sizes = std::vector<std::int32_t>;

sizes sized(sizing_problem const& problem) {
  sizing_workspace workspace(8, 64, 64);
  auto const answer = two_phase{}.size(problem, workspace);
  REQUIRE(answer);
  CHECK(answer->is_optimal());
  return {answer->sizes.begin(), answer->sizes.end()};
}

TEST_CASE("two_phase: long jobs do not starve short ones, however much they would save") {
  // DeepBoot's stand-in for Lyra has no base demands: the long jobs would take all there.
  elastic_jobs jobs;
  jobs.add(100h, std::vector{1.0, 2.0, 3.0, 4.0});
  jobs.add(5min, std::vector{1.0});
  jobs.add(6min, std::vector{1.0, 1.5});
  CHECK(sized(jobs.within(2)) == sizes{0, 1, 1});
  CHECK(sized(jobs.within(4)) == sizes{2, 1, 1});
}

TEST_CASE("two_phase: a base demand that does not fit is passed over, and a rigid job is one") {
  elastic_jobs jobs;
  jobs.add(1h, std::vector<rung>{{4, 4 * unit_rung_speed}});
  jobs.add(2h, std::vector<rung>{{1, unit_rung_speed}, {3, 2 * unit_rung_speed}});
  CHECK(sized(jobs.within(3)) == sizes{0, 3});
  CHECK(sized(jobs.within(6)) == sizes{4, 1});
  CHECK(sized(jobs.within(7)) == sizes{4, 3});
}

TEST_CASE("two_phase: shortest is by the time on the base demand, not by work") {
  elastic_jobs jobs;
  jobs.add(4h, std::vector<rung>{{8, 8 * unit_rung_speed}});  // half an hour
  jobs.add(1h, std::vector<rung>{{1, unit_rung_speed}});
  CHECK(sized(jobs.within(8)) == sizes{8, 0});
}

TEST_CASE("two_phase: extra workers are taken away where the restart is worth it, and only there") {
  elastic_jobs jobs;
  jobs.add(60s, std::vector{1.0, 1.5}).current = 2;  // 40 s as it is
  jobs.jobs[0].resize = {.first = 20s, .next = 20s};
  jobs.add(100s, std::vector{1.0, 1.6});        // 37.5 s saved by a second GPU
  CHECK(sized(jobs.within(3)) == sizes{2, 1});  // shrinking costs 20 + 20 s
  jobs.jobs[0].resize = {.first = 10s, .next = 10s};
  CHECK(sized(jobs.within(3)) == sizes{1, 2});
}

TEST_CASE("two_phase: no division of what the base demands leave saves more time") {
  sizing_workspace workspace(4, 16, 12);
  int extra = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto const drawn =
        tests::draw_sizing(seed, {.is_concave = seed % 3 == 0, .runs = seed % 2 == 0});
    auto const problem = drawn.problem();
    auto const answer = two_phase{}.size(problem, workspace);
    REQUIRE(answer);
    REQUIRE(answer->is_optimal());
    // Phase 1 once more, by hand.
    sizes order(problem.jobs.size());
    for (std::size_t at = 0; at < order.size(); ++at) {
      order[at] = static_cast<std::int32_t>(at);
    }
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      auto const time = [&](std::int32_t at) {
        elastic_job const& job = problem.jobs[static_cast<std::size_t>(at)];
        return job.time_at(job.ladder.front().speed);
      };
      return time(a) < time(b) || (time(a) == time(b) && a < b);
    });
    std::vector<bool> is_in(order.size());
    std::int32_t left = problem.capacity;
    for (std::int32_t const at : order) {
      auto const job = static_cast<std::size_t>(at);
      std::int32_t const base = problem.jobs[job].ladder.front().size;
      is_in[job] = base <= left;
      left -= is_in[job] ? base : 0;
    }
    auto const saved = [&](std::span<std::int32_t const> tried) {
      std::int64_t sum = 0;
      for (std::size_t at = 0; at < tried.size(); ++at) {
        elastic_job const& job = problem.jobs[at];
        std::int32_t const base = job.ladder.front().size;
        auto const time = [&](std::int32_t size) {
          return job.time_at(job.speed_on(size)) + job.change_to(size);
        };
        sum += tried[at] > 0 ? job.weight * (time(base) - time(tried[at])).count() : 0;
      }
      return sum;
    };
    std::int64_t best = -1'000'000'000'000;
    tests::for_every_sizing(problem, true, [&](sizes const& tried) {
      bool is_allowed = true;
      for (std::size_t job = 0; job < tried.size(); ++job) {
        is_allowed = is_allowed && (tried[job] > 0) == is_in[job];
      }
      best = is_allowed ? std::max(best, saved(tried)) : best;
    });
    for (std::size_t job = 0; job < is_in.size(); ++job) {
      REQUIRE((answer->sizes[job] > 0) == is_in[job]);
    }
    REQUIRE(saved(answer->sizes) == best);
    REQUIRE(answer->value == best);  // times of this size are told without rounding
    extra += best > 0 ? 1 : 0;
  }
  CHECK(extra > 700);
}

}  // namespace

}  // namespace two_phase_test
