// SPDX-License-Identifier: BSL-1.0
// ordered_division: every term of the rule by hand, and no number that a host may say overflows.
#include <berth/allocators/ordered_division.hpp>
#include <berth/concepts/exchange.hpp>
#include <berth/concepts/preemption_cost.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace ordered_division_test {

using namespace berth;
using namespace std::chrono_literals;
using berth_test::at;
using berth_test::sample_job;

namespace {
constexpr ordered_division rule{};

/// 100 GPUs, so many jobs wait.
tick_context with_waiting(std::int64_t jobs) {
  tick_context tick;
  tick.now = at(1h);
  tick.gpu_total = 100;
  tick.jobs_waiting = jobs;
  return tick;
}
/// Runs on 4 GPUs for an hour, with so much left.
sample_job running(duration left) {
  sample_job job{job_spec{.gang = 4, .work = 100h}};
  job.run(at(0s), 4);
  job.predict(left, at(1h));
  return job;
}
sample_job waiting(duration run) {
  sample_job job{job_spec{.gang = 4, .work = 100h}};
  job.predict(run, at(1h));
  return job;
}
suspension stopping(duration drain, duration save, duration rollback) {
  suspension how;
  how.drain = drain;
  how.save = save;
  how.rollback = rollback;
  return how;
}
duration loss(ordered_division const& by, sample_job const& job, suspension const& how,
              duration resume, std::int64_t queue) {
  return by.loss(job.view(at(1h)), how, resume, with_waiting(queue));
}
bool pays(ordered_division const& by, sample_job const& job, duration wait, duration cost) {
  return by.pays(job.view(at(1h)), wait, cost, with_waiting(0));
}
}  // namespace

TEST_CASE("ordered_division: a victim loses what saving, falling back and returning take") {
  sample_job const victim = running(10h);
  CHECK(loss(rule, victim, stopping(0s, 10s, 20s), 30s, 0) == 60s);
  CHECK(loss(rule, victim, stopping(5min, 10s, 20s), 30s, 0) == 60s);  // a drain is useful work
}

TEST_CASE("ordered_division: GPU-time lost is charged to whoever waits, by queue over GPUs") {
  sample_job const victim = running(10h);
  // 4 GPUs lose 60 s each: 240 GPU·s; 25 wait for 100 GPUs: 60 s more.
  CHECK(loss(rule, victim, stopping(0s, 10s, 20s), 30s, 25) == 120s);
  CHECK(rule.worth(gpu_time{4, 60s}, with_waiting(25)) == 60s);
  CHECK(ordered_division::as_published().worth(gpu_time{4, 60s}, with_waiting(25)) == 0s);
  CHECK(rule.worth(gpu_time{4, 60s}, tick_context{}) == 0s);  // no cluster, no price
}

TEST_CASE("ordered_division: a job that would end before it had left is no victim") {
  suspension const how = stopping(50s, 10s, 0s);
  CHECK(loss(rule, running(60s), how, 30s, 0) == forever);
  CHECK(loss(rule, running(60s + 1ms), how, 30s, 0) == 40s);
}

TEST_CASE("ordered_division: a job that has been stopped so often is left alone") {
  sample_job victim = running(10h);
  victim.record.preemptions = 15;
  CHECK(loss(rule, victim, stopping(0s, 1s, 0s), 0s, 0) == 1s);
  victim.record.preemptions = 16;
  CHECK(loss(rule, victim, stopping(0s, 1s, 0s), 0s, 0) == forever);
  CHECK(loss({.most_preemptions = 17}, victim, stopping(0s, 1s, 0s), 0s, 0) == 1s);
}

TEST_CASE("ordered_division: it pays exactly if the wait exceeds the cost and the guard") {
  sample_job const job = waiting(100s);
  CHECK(rule.stay(job.view(at(1h)), with_waiting(0)) == 100s);
  CHECK_FALSE(pays(rule, job, 500s, 500s));
  CHECK(pays(rule, job, 500s + 1ms, 500s));
  ordered_division const guarded{.guard_permille = 100};  // of 100 s: 10 s
  CHECK_FALSE(pays(guarded, job, 510s, 500s));
  CHECK(pays(guarded, job, 510s + 1ms, 500s));
}

TEST_CASE("ordered_division: nobody stops for a job of unknown run time") {
  CHECK_FALSE(pays(rule, waiting(forever), forever, 0s));
  CHECK_FALSE(pays({.guard_permille = 100}, waiting(forever), forever, 0s));
}

TEST_CASE("ordered_division: who never starts otherwise gains the longest time there is") {
  CHECK(pays(rule, waiting(1h), forever, max_duration - 1ms));
  CHECK_FALSE(pays(rule, waiting(1h), forever, max_duration));
  CHECK_FALSE(pays(rule, waiting(1h), forever, forever));
}

TEST_CASE("ordered_division: its own work is out of the way of the others that wait") {
  // 4 GPUs for 100 s, before 25 others on 100 GPUs: 100 s.
  sample_job const job = waiting(100s);
  auto const pays_among = [&](ordered_division const& by, std::int64_t queue, duration cost) {
    return by.pays(job.view(at(1h)), 500s, cost, with_waiting(queue));
  };
  CHECK(pays_among(rule, 26, 600s - 1ms));
  CHECK_FALSE(pays_among(rule, 26, 600s));
  CHECK_FALSE(pays_among(rule, 1, 500s));
  CHECK_FALSE(pays_among(ordered_division::as_published(), 26, 490s));
}

TEST_CASE("ordered_division: the victim that has more left is preferred, by a fifth of it") {
  CHECK(rule.returns_sooner(100s, with_waiting(0)) == 20s);
  CHECK(rule.returns_sooner(0s, with_waiting(0)) == 0s);
  CHECK(ordered_division::as_published().returns_sooner(100s, with_waiting(0)) == 0s);
}

TEST_CASE("ordered_division: the largest numbers neither wrap nor become cheap") {
  tick_context crowded = with_waiting(std::numeric_limits<std::int64_t>::max());
  crowded.gpu_total = 1;
  sample_job const victim = running(forever);
  suspension const worst = stopping(forever, forever, forever);
  for (duration const resume : {0ms, max_duration, forever}) {
    CHECK(rule.loss(victim.view(at(1h)), worst, resume, crowded) >= max_duration);
  }
  CHECK(rule.worth(gpu_time::max(), crowded) >= max_duration);
  CHECK(rule.returns_sooner(forever, crowded) == max_duration / 5);
  CHECK_FALSE(pays({.guard_permille = std::numeric_limits<std::int64_t>::max()}, waiting(1h),
                   max_duration, 0s));
}

TEST_CASE("ordered_division: as published it counts no queue; covers are exact unless told") {
  CHECK(rule.counts_queue());
  CHECK_FALSE(ordered_division::as_published().counts_queue());
  CHECK(ask_cover(rule) == cover_rule::exact);
  CHECK(ask_cover(ordered_division{.cover = cover_rule::set_aside}) == cover_rule::set_aside);
}

}  // namespace ordered_division_test
