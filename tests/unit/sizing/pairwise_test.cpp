// SPDX-License-Identifier: BSL-1.0
// AFS: the pair rule by hand, the contest against one that is played in full every time, and how
// near two jobs come to their best division.
#include <berth/core/ids.hpp>
#include <berth/sizing/pairwise.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <tests/support/elastic_jobs.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace pairwise_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;
using tests::elastic_jobs;
using tests::speed;
using sizes = std::vector<std::int32_t>;

sizes sized(sizing_problem const& problem) {
  sizing_workspace workspace(8, 64);
  auto const answer = pairwise{}.size(problem, workspace);
  REQUIRE(answer);
  return {answer->sizes.begin(), answer->sizes.end()};
}

TEST_CASE("pairwise: the short job compares with its speed now, the long one with its speed then") {
  // Golden values of the specification: 0.95 / 1.95 = 0.487 < 0.5 / 1 = 0.5. With the speed on one
  // GPU more in both denominators, the short job would have 0.5 / 1.5 = 0.333 and lose.
  elastic_jobs jobs;
  auto const& a = jobs.add(1h, std::vector{1.0, 1.5, 1.8});
  CHECK(sized(jobs.within(3)) == sizes{3});
  elastic_job const first = a;
  jobs.add(3h, std::vector{1.0, 1.95, 2.8});
  CHECK(sized(jobs.within(3)) == sizes{2, 1});
  pairwise::contestant const short_one{&first, {1, speed(1.0)}, {2, speed(1.5)}};
  pairwise::contestant const long_one{&jobs.jobs[1], {1, speed(1.0)}, {2, speed(1.95)}};
  CHECK_FALSE(pairwise::prefers_second(short_one, long_one));
  CHECK(pairwise::prefers_second(long_one, short_one));
  pairwise::contestant const better{&jobs.jobs[1], {1, speed(1.0)}, {2, speed(2.1)}};
  CHECK(pairwise::prefers_second(short_one, better));  // 0.524
}

TEST_CASE("pairwise: who ends first is decided by the time left on what each has, not by GPUs") {
  elastic_jobs jobs;
  auto const first = jobs.add(1h, std::vector{1.0, 1.3});
  auto const second = jobs.add(3h, std::vector{1.0, 1.3});
  pairwise::contestant const a{&first, {1, speed(1.0)}, {2, speed(1.3)}};
  pairwise::contestant const b{&second, {1, speed(1.0)}, {2, speed(1.3)}};
  CHECK_FALSE(pairwise::prefers_second(a, b));
  pairwise::contestant const fast{&second, {4, speed(4.0)}, {5, speed(5.2)}};  // 45 minutes
  CHECK(pairwise::prefers_second(a, fast));
}

TEST_CASE("pairwise: a job at its maximum leaves the contest, and GPUs may stay free") {
  elastic_jobs jobs;
  jobs.add(1h, std::vector{1.0});
  jobs.add(2h, std::vector{1.0, 1.9});
  CHECK(sized(jobs.within(64)) == sizes{1, 2});
  elastic_jobs flat;
  flat.add(1h, std::vector{1.0, 1.0, 1.0});
  CHECK(sized(flat.within(64)) == sizes{1});
}

TEST_CASE("pairwise: everybody has a first rung before anybody has a second, the shortest first") {
  elastic_jobs jobs;
  jobs.add(3h, std::vector{1.0, 2.0});
  jobs.add(1h, std::vector{1.0, 2.0});
  jobs.add(2h, std::vector{1.0, 2.0});
  CHECK(sized(jobs.within(2)) == sizes{0, 1, 1});
  CHECK(sized(jobs.within(3)) == sizes{1, 1, 1});
  CHECK(sized(jobs.within(4)) == sizes{1, 2, 1});
}

TEST_CASE("pairwise: a flat step before a steep one is no end") {
  elastic_jobs jobs;
  jobs.add(1h, std::vector{1.0, 1.0, 1.0, 4.0});
  CHECK(sized(jobs.within(3)) == sizes{1});
  CHECK(sized(jobs.within(4)) == sizes{4});
}

TEST_CASE("pairwise: the relation is not transitive, so the documented order of matches counts") {
  // By the gains over the present speed, 1/2.5, 1/1.8 and 1: a beats b beats c beats a.
  elastic_jobs jobs;
  std::vector<pairwise::contestant> three;
  for (double const inverse : {2.5, 1.8, 1.0}) {
    jobs.add(std::chrono::hours{static_cast<int>(jobs.jobs.size()) + 1}, std::vector{1.0});
    three.push_back({nullptr, {1, speed(1.0)}, {2, speed(1.0 + 1.0 / inverse)}});
  }
  for (std::size_t at = 0; at < three.size(); ++at) {
    three[at].job = &jobs.jobs[at];
  }
  CHECK_FALSE(pairwise::prefers_second(three[0], three[1]));
  CHECK_FALSE(pairwise::prefers_second(three[1], three[2]));
  CHECK(pairwise::prefers_second(three[0], three[2]));
}

/// The same contest of concave ladders without a memory: all matches are played for every GPU.
sizes plain_contest(sizing_problem const& problem) {
  std::vector<std::size_t> order(problem.jobs.size());
  for (std::size_t at = 0; at < order.size(); ++at) {
    order[at] = at;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    auto const time = [&](elastic_job const& job) { return job.time_at(job.ladder.front().speed); };
    elastic_job const& first = problem.jobs[a];
    elastic_job const& second = problem.jobs[b];
    return time(first) < time(second) || (time(first) == time(second) && first.id < second.id);
  });
  sizes all(problem.jobs.size(), 0);
  std::int32_t left = problem.capacity;
  std::vector<std::size_t> in;
  for (std::size_t const at : order) {
    if (left > 0) {
      all[at] = 1;
      --left;
      in.push_back(at);
    }
  }
  auto const as_contestant = [&](std::size_t at) {
    elastic_job const& job = problem.jobs[at];
    auto const now = static_cast<std::size_t>(all[at]) - 1;
    return pairwise::contestant{&job, job.ladder[now], job.ladder[now + 1]};
  };
  constexpr std::size_t nobody = 1000;
  for (; left > 0; --left) {
    std::vector<std::size_t> winner(2 * in.size(), nobody);
    for (std::size_t at = 0; at < in.size(); ++at) {
      elastic_job const& job = problem.jobs[in[at]];
      auto const now = static_cast<std::size_t>(all[in[at]]) - 1;
      bool const climbs =
          now + 1 < job.ladder.size() && job.ladder[now].speed < job.ladder[now + 1].speed;
      winner[in.size() + at] = climbs ? in[at] : nobody;
    }
    for (std::size_t node = in.size(); node-- > 1;) {
      std::size_t const a = winner[2 * node];
      std::size_t const b = winner[2 * node + 1];
      bool const second = a == nobody || (b != nobody && pairwise::prefers_second(
                                                             as_contestant(a), as_contestant(b)));
      winner[node] = second ? b : a;
    }
    if (in.empty() || winner[1] == nobody) {
      break;
    }
    ++all[winner[1]];
  }
  return all;
}

TEST_CASE("pairwise: playing only the winner's matches again changes nothing") {
  sizing_workspace workspace(7, 70);
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    auto drawn = tests::draw_sizing(seed, {.is_concave = true, .jobs = 7, .rungs = 10});
    drawn.capacity *= 3;
    auto const answer = pairwise{}.size(drawn.problem(), workspace);
    REQUIRE(answer);
    CHECK(sizes(answer->sizes.begin(), answer->sizes.end()) == plain_contest(drawn.problem()));
  }
}

/// Sum of the completion times of two jobs, the second of which has all GPUs that it can use when
/// the first has ended.
double completion(sizing_problem const& two, std::vector<std::int32_t> const& all) {
  auto const speed_of = [&](std::size_t job, std::int32_t size) {
    std::int64_t best = 0;
    for (rung const& each : two.jobs[job].ladder) {
      best = each.size <= size ? std::max(best, each.speed) : best;
    }
    return static_cast<double>(best) / unit_rung_speed;
  };
  auto const work = [&](std::size_t job) {
    return static_cast<double>(two.jobs[job].remaining.count());
  };
  std::size_t const first = work(0) * speed_of(1, all[1]) < work(1) * speed_of(0, all[0]) ? 0 : 1;
  std::size_t const last = 1 - first;
  double const until = work(first) / speed_of(first, all[first]);
  double const rest = work(last) - until * speed_of(last, all[last]);
  return 2 * until + rest / speed_of(last, two.capacity);
}

TEST_CASE("pairwise: two jobs come near their best division") {
  sizing_workspace workspace(2, 24);
  double sum = 0.0;
  double worst = 0.0;
  int counted = 0;
  int best_found = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    auto drawn = tests::draw_sizing(seed, {.is_concave = true, .jobs = 2, .rungs = 12});
    if (drawn.owner.jobs.size() < 2 || drawn.capacity < 2) {
      continue;
    }
    auto const problem = drawn.problem();
    auto const answer = pairwise{}.size(problem, workspace);
    REQUIRE(answer);
    double const mine = completion(problem, {answer->sizes.begin(), answer->sizes.end()});
    double best = mine;
    tests::for_every_sizing(problem, false, [&](sizes const& tried) {
      best = std::min(best, completion(problem, tried));
    });
    sum += mine / best - 1.0;
    worst = std::max(worst, mine / best - 1.0);
    best_found += mine <= best * (1.0 + 1e-9) ? 1 : 0;
    ++counted;
  }
  REQUIRE(counted > 500);
  MESSAGE("seeds 1 to 2000, " << counted << " pairs: best division in " << best_found
                              << ", mean excess " << sum / counted << ", worst " << worst);
  CHECK(sum / counted < 0.02);
}

}  // namespace

}  // namespace pairwise_test
