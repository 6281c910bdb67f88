// SPDX-License-Identifier: BSL-1.0
// then and any_policy: what they wrap answers, nothing else.
#include <berth/concepts/scheduling_policy.hpp>
#include <berth/core/random.hpp>
#include <berth/policies/any_policy.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/policies/shortest_job.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/policies/then.hpp>

#include <tests/support/sample_job.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace combined_policies_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
template <class Policy>
priority_key ask(Policy const& policy, sample_job const& job, job_data_of<Policy>& data,
                 time_point now) {
  return ask_priority(policy, job.view(now), data, tick_at(now));
}
template <class Policy>
priority_key ask(Policy const& policy, sample_job const& job) {
  job_data_of<Policy> data{};
  return ask(policy, job, data, at(duration{0}));
}
sample_job job_of(std::int32_t priority, duration left) {
  sample_job job{job_spec{.priority = priority}};
  job.predict(left, at(duration{0}));
  return job;
}
template <class Policy>
void check_any_equals(Policy const& policy, std::uint64_t seed) {
  CAPTURE(seed);
  any_policy const erased = policy;
  random_source random{seed};
  sample_job job{job_spec{.gang = 2, .priority = static_cast<std::int32_t>(random.between(-3, 3))}};
  job_data_of<Policy> plain{};
  any_policy::job_data wrapped{};
  time_point now = at(duration{0});
  for (int step = 0; step < 60; ++step) {
    now += duration{random.between(1, 80)};
    if (job.view(now).is_running()) {
      job.stop(now);
    } else if (random.below(2) == 0) {
      job.run(now, 2);
    }
    if (random.below(3) == 0) {
      job.predict(duration{random.between(1, 1000)}, now);
    }
    priority_key const expected = ask(policy, job, plain, now);
    priority_key const answered = erased.priority(job.view(now), wrapped, tick_at(now));
    REQUIRE(answered == expected);
    REQUIRE(may_displace(answered, ascending(50)) == may_displace(expected, ascending(50)));
    REQUIRE(answered.can_displace_at_all() == expected.can_displace_at_all());
    REQUIRE(erased.next_change(job.view(now), wrapped, tick_at(now)) ==
            ask_next_change(policy, job.view(now), plain, tick_at(now)));
  }
}
least_attained_service promoting() {
  least_attained_service policy;
  policy.thresholds = {gpu_time{100}, gpu_time{1000}, gpu_time{5000}};
  policy.promote_after = 1;
  return policy;
}
}  // namespace

TEST_CASE("then: the first policy decides, the second breaks ties") {
  then const policy{priority_class{}, shortest_remaining{}};
  CHECK(ask(policy, job_of(2, duration{900})) < ask(policy, job_of(1, duration{1})));
  CHECK(ask(policy, job_of(1, duration{1})) < ask(policy, job_of(1, duration{2})));
}

TEST_CASE("then: each level keeps its own right to displace") {
  then const both{priority_class{}, shortest_remaining{}};
  CHECK(may_displace(ask(both, job_of(1, duration{1})), ask(both, job_of(1, duration{2}))));
  CHECK(may_displace(ask(both, job_of(2, duration{9})), ask(both, job_of(1, duration{2}))));
  CHECK_FALSE(may_displace(ask(both, job_of(1, duration{1})), ask(both, job_of(2, duration{2}))));
  then const ordered{priority_class{}, shortest_job{}};
  CHECK(may_displace(ask(ordered, job_of(2, duration{9})), ask(ordered, job_of(1, duration{2}))));
  CHECK_FALSE(
      may_displace(ask(ordered, job_of(1, duration{1})), ask(ordered, job_of(1, duration{2}))));
}

TEST_CASE("then: nests, in either direction, within four levels") {
  then const left{then{priority_class{}, fifo{}}, shortest_job{}};
  then const right{priority_class{}, then{fifo{}, shortest_job{}}};
  CHECK(ask(left, job_of(1, duration{1})) < ask(left, job_of(1, duration{2})));
  CHECK(ask(right, job_of(1, duration{1})) < ask(right, job_of(1, duration{2})));
}

TEST_CASE("then: changes when the first of the two changes, and keeps data of both") {
  least_attained_service slow = promoting();
  slow.thresholds[0] = gpu_time{300};
  then const policy{slow, promoting()};
  sample_job job{job_spec{}};
  job.run(at(duration{0}), 1);
  then<least_attained_service, least_attained_service>::job_data data{};
  CHECK(policy.next_change(job.view(at(duration{0})), data, tick_at(at(duration{0}))) ==
        at(duration{100}));
  CHECK(policy.next_change(job.view(at(duration{150})), data, tick_at(at(duration{150}))) ==
        at(duration{300}));
  job.stop(at(duration{350}));
  ask(policy, job, data, at(duration{800}));
  CHECK(data.first.forgotten_service == gpu_time{350});
  CHECK(data.second.forgotten_service == gpu_time{350});
}

TEST_CASE("then: policies that never change by themselves give never") {
  then const policy{priority_class{}, fifo{}};
  sample_job const job{job_spec{}};
  job_data_of<then<priority_class, fifo>> data{};
  CHECK(policy.next_change(job.view(at(duration{0})), data, tick_at(at(duration{0}))) == never);
}

TEST_CASE("any_policy: answers as the policy it holds, with and without job data") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    check_any_equals(fifo{}, seed);
    check_any_equals(priority_class{}, seed);
    check_any_equals(shortest_remaining{remaining_measure::gpu_time}, seed);
    check_any_equals(promoting(), seed);
    check_any_equals(then{promoting(), shortest_job{}}, seed);
  }
}

TEST_CASE("any_policy: another policy can be assigned, and copies are independent") {
  any_policy chosen = fifo{};
  any_policy const before = chosen;
  chosen = priority_class{};
  sample_job const job = job_of(3, duration{1});
  CHECK(ask(chosen, job).level(0) == -3);
  CHECK(ask(before, job).level(0) == 0);
}

namespace {
struct counting_from_seven {
  using component_role = policy_role;
  struct job_data {
    std::int64_t next = 7;
  };
  [[nodiscard]] priority_key priority(job_view const&, job_data& data,
                                      tick_context const&) const noexcept {
    return ascending(data.next++);
  }
};
}  // namespace

TEST_CASE("any_policy: job data start with the policy's own initial values, once") {
  any_policy const erased = counting_from_seven{};
  sample_job const job{job_spec{}};
  any_policy::job_data data{};
  CHECK(ask(erased, job, data, at(duration{0})).level(0) == 7);
  CHECK(ask(erased, job, data, at(duration{0})).level(0) == 8);
}

}  // namespace combined_policies_test
