// SPDX-License-Identifier: BSL-1.0
// patient: who has waited too long goes first, and nobody else is touched.
#include <berth/policies/fifo.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/patient.hpp>
#include <berth/policies/shortest_remaining.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>

#include <doctest/doctest.h>

namespace patient_test {

using namespace berth;
using namespace std::chrono_literals;
using berth_test::at;
using berth_test::sample_job;

namespace {
tick_context tick_of(time_point now, duration longest) {
  tick_context tick = berth_test::tick_at(now);
  tick.longest_fluid_wait = longest;
  return tick;
}
template <class Policy>
priority_key key(Policy const& policy, sample_job const& job, time_point now, duration longest) {
  job_data_of<Policy> data{};
  return ask_priority(policy, job.view(now), data, tick_of(now, longest));
}
template <class Policy>
time_point next_change(Policy const& policy, sample_job const& job, time_point now,
                       duration longest) {
  job_data_of<Policy> data{};
  return ask_next_change(policy, job.view(now), data, tick_of(now, longest));
}
sample_job waits_since_zero(duration left) {
  sample_job job{job_spec{}};
  job.predict(left, at(0s));
  return job;
}
constexpr patient policy{shortest_remaining{}};
}  // namespace

TEST_CASE("patient: as the policy inside, until the job has waited longer than fifo's longest") {
  sample_job const job = waits_since_zero(10h);
  priority_key const plain = key(shortest_remaining{}, job, at(60s), 60s);
  CHECK(key(policy, job, at(60s), 60s) == plain);
  CHECK(key(policy, job, at(60s + 1ms), 60s) < plain);
}

TEST_CASE("patient: an overdue job goes before any that is not, and is displaced by none") {
  sample_job const overdue = waits_since_zero(10h);
  sample_job fresh = waits_since_zero(1ms);
  fresh.record.waiting_since = at(99s);
  priority_key const first = key(policy, overdue, at(100s), 60s);
  priority_key const other = key(policy, fresh, at(100s), 60s);
  CHECK(first < other);
  CHECK(may_displace(first, other));
  CHECK_FALSE(may_displace(other, first));
}

TEST_CASE("patient: two that are overdue are equal, so that the earlier submitted goes first") {
  CHECK(key(policy, waits_since_zero(1h), at(100s), 60s) ==
        key(policy, waits_since_zero(9h), at(100s), 60s));
}

TEST_CASE("patient: an overdue job displaces nobody under a policy that never does") {
  sample_job const overdue = waits_since_zero(10h);
  priority_key const first = key(patient{fifo{}}, overdue, at(100s), 60s);
  CHECK_FALSE(first.can_displace_at_all());
  CHECK(key(policy, overdue, at(100s), 60s).can_displace_at_all());
}

TEST_CASE("patient: all waits count together, and running adds none") {
  sample_job job = waits_since_zero(10h);
  job.run(at(50s), 1);
  CHECK(key(policy, job, at(500s), 60s) == key(shortest_remaining{}, job, at(500s), 60s));
  job.stop(at(500s));
  CHECK(key(policy, job, at(510s), 60s) == key(shortest_remaining{}, job, at(510s), 60s));
  CHECK(key(policy, job, at(511s), 60s) < key(shortest_remaining{}, job, at(511s), 60s));
}

TEST_CASE("patient: percent scales the limit, and the largest numbers do not wrap") {
  sample_job const job = waits_since_zero(10h);
  patient const twice{shortest_remaining{}, 200};
  CHECK(key(twice, job, at(120s), 60s) == key(shortest_remaining{}, job, at(120s), 60s));
  CHECK(key(twice, job, at(120s + 1ms), 60s) < key(shortest_remaining{}, job, at(120s), 60s));
  CHECK(key(twice, job, at(max_instant), forever) ==
        key(shortest_remaining{}, job, at(max_instant), forever));
  CHECK(next_change(twice, job, at(max_instant), forever) > at(max_instant));
}

TEST_CASE("patient: it rings one millisecond after the limit, while the job waits") {
  sample_job job = waits_since_zero(10h);
  CHECK(next_change(policy, job, at(10s), 60s) == at(60s + 1ms));
  CHECK(next_change(policy, job, at(61s), 60s) == never);
  job.run(at(20s), 1);
  CHECK(next_change(policy, job, at(30s), 60s) == never);
}

TEST_CASE("patient: what the policy inside keeps, and its own alarms, are passed on") {
  least_attained_service inside;
  inside.thresholds = {gpu_time{1, 100s}};
  patient const aged{inside};
  sample_job job{job_spec{}};
  job.run(at(0s), 1);
  CHECK(next_change(aged, job, at(30s), 10s) == next_change(inside, job, at(30s), 10s));
  CHECK(next_change(aged, job, at(30s), 10s) != never);
  CHECK(key(aged, job, at(150s), 10s) == key(inside, job, at(150s), 10s));
}

}  // namespace patient_test
