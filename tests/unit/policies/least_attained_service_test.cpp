// SPDX-License-Identifier: BSL-1.0
// Tiresias: queues by attained service, borders, alarms, promotion.
#include <berth/concepts/scheduling_policy.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/policies/least_attained_service.hpp>

#include <tests/support/sample_job.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace least_attained_service_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
using data_of = least_attained_service::job_data;

priority_key key_of(least_attained_service const& policy, sample_job const& job, data_of& data,
                    time_point now) {
  return policy.priority(job.view(now), data, tick_at(now));
}
std::int64_t queue_of(least_attained_service const& policy, sample_job const& job, time_point now) {
  data_of data;
  return key_of(policy, job, data, now).level(0);
}
least_attained_service three_queues() {
  least_attained_service policy;
  policy.thresholds = {gpu_time{100}, gpu_time{1000}, gpu_time::max()};
  return policy;
}
}  // namespace

TEST_CASE("least_attained_service: by default the border is at one GPU-hour") {
  sample_job job{job_spec{.gang = 4}};
  CHECK(queue_of({}, job, at(duration{0})) == 0);
  job.run(at(duration{0}), 4);
  time_point const border = at(std::chrono::minutes{15});
  CHECK(queue_of({}, job, border - duration{1}) == 0);
  CHECK(queue_of({}, job, border) == 1);
  CHECK(queue_of({}, job, at(max_duration)) == 1);
}

TEST_CASE("least_attained_service: service is GPUs times time, two-dimensional") {
  sample_job wide{job_spec{.gang = 10}};
  sample_job narrow{job_spec{}};
  wide.run(at(duration{0}), 10);
  narrow.run(at(duration{0}), 1);
  CHECK(queue_of(three_queues(), wide, at(duration{10})) == 1);
  CHECK(queue_of(three_queues(), narrow, at(duration{10})) == 0);
  CHECK(queue_of(three_queues(), wide, at(duration{100})) == 2);
}

TEST_CASE(
    "least_attained_service: a lower queue displaces a higher one, within a queue nobody does") {
  least_attained_service const policy = three_queues();
  sample_job fresh{job_spec{}};
  sample_job sunk{job_spec{}};
  sample_job early{job_spec{}};
  sunk.run(at(duration{0}), 1);
  early.run(at(duration{190}), 1);
  data_of data;
  time_point const now = at(duration{200});
  priority_key const of_fresh = key_of(policy, fresh, data, now);
  priority_key const of_sunk = key_of(policy, sunk, data, now);
  priority_key const of_early = key_of(policy, early, data, now);
  CHECK(may_displace(of_fresh, of_sunk));
  CHECK_FALSE(may_displace(of_sunk, of_fresh));
  CHECK_FALSE(may_displace(of_fresh, of_early));
  CHECK_FALSE(may_displace(of_early, of_fresh));
}

TEST_CASE(
    "least_attained_service: within a queue, who started first goes first; new jobs after them") {
  least_attained_service const policy = three_queues();
  sample_job first{job_spec{}};
  sample_job second{job_spec{}};
  sample_job const fresh{job_spec{}};
  first.run(at(duration{5}), 1);
  first.stop(at(duration{6}));
  second.run(at(duration{7}), 1);
  second.stop(at(duration{8}));
  data_of data;
  time_point const now = at(duration{10});
  CHECK(key_of(policy, first, data, now) < key_of(policy, second, data, now));
  CHECK(key_of(policy, second, data, now) < key_of(policy, fresh, data, now));
}

TEST_CASE(
    "least_attained_service: next_change is the instant the running job crosses its next border") {
  least_attained_service const policy = three_queues();
  data_of data;
  auto const next = [&](sample_job const& job, time_point now) {
    return policy.next_change(job.view(now), data, tick_at(now));
  };
  sample_job job{job_spec{.gang = 3}};
  CHECK(next(job, at(duration{5})) == never);
  job.run(at(duration{0}), 3);
  // 100 GPU-ms on 3 GPUs: 34 ms, rounded up.
  CHECK(next(job, at(duration{0})) == at(duration{34}));
  CHECK(next(job, at(duration{10})) == at(duration{34}));
  CHECK(queue_of(policy, job, at(duration{33})) == 0);
  CHECK(queue_of(policy, job, at(duration{34})) == 1);
  CHECK(next(job, at(duration{34})) == at(duration{334}));
  CHECK(next(job, at(duration{334})) == never);
}

TEST_CASE("least_attained_service: service of earlier runs counts towards the border") {
  least_attained_service const policy = three_queues();
  data_of data;
  sample_job job{job_spec{}};
  job.run(at(duration{0}), 1);
  job.stop(at(duration{60}));
  job.run(at(duration{500}), 1);
  CHECK(policy.next_change(job.view(at(duration{500})), data, tick_at(at(duration{500}))) ==
        at(duration{540}));
}

TEST_CASE(
    "least_attained_service: a starved job returns to the first queue, its service forgotten") {
  least_attained_service policy = three_queues();
  policy.promote_after = 4;
  sample_job job{job_spec{}};
  job.run(at(duration{0}), 1);
  job.stop(at(duration{200}));
  data_of data;
  REQUIRE(key_of(policy, job, data, at(duration{201})).level(0) == 1);
  time_point const promoted = at(duration{200 + 4 * 200});
  CHECK(policy.next_change(job.view(at(duration{201})), data, tick_at(at(duration{201}))) ==
        promoted);
  CHECK(key_of(policy, job, data, promoted - duration{1}).level(0) == 1);
  CHECK(key_of(policy, job, data, promoted).level(0) == 0);
  CHECK(key_of(policy, job, data, promoted + duration{1}).level(0) == 0);
  CHECK(data.forgotten_service == gpu_time{200});
  CHECK(data.forgotten_execution == duration{200});
  CHECK(policy.next_change(job.view(promoted), data, tick_at(promoted)) == never);

  // It sinks again after as much service as the first time.
  job.run(promoted, 1);
  CHECK(policy.next_change(job.view(promoted), data, tick_at(promoted)) ==
        promoted + duration{100});
  CHECK(key_of(policy, job, data, promoted + duration{100}).level(0) == 1);
}

TEST_CASE("least_attained_service: no promotion while it runs, has not sunk, or promotion is off") {
  least_attained_service policy = three_queues();
  policy.promote_after = 1;
  data_of data;
  sample_job job{job_spec{}};
  job.run(at(duration{0}), 1);
  job.stop(at(duration{50}));
  CHECK(policy.next_change(job.view(at(duration{60})), data, tick_at(at(duration{60}))) == never);
  key_of(policy, job, data, at(duration{5000}));
  CHECK(data.forgotten_service == gpu_time::zero());
  job.run(at(duration{5000}), 1);
  CHECK(key_of(policy, job, data, at(duration{5200})).level(0) == 1);
  CHECK(data.forgotten_service == gpu_time::zero());
  job.stop(at(duration{5200}));
  policy.promote_after = 0;
  CHECK(key_of(policy, job, data, at(max_duration)).level(0) == 1);
  CHECK(policy.next_change(job.view(at(max_duration)), data, tick_at(at(max_duration))) == never);
}

TEST_CASE("least_attained_service: huge service and huge factors do not wrap") {
  least_attained_service policy = three_queues();
  policy.promote_after = 2'000'000'000;
  sample_job job{job_spec{.gang = 1000}};
  job.run(at(duration{0}), 1000);
  job.stop(at(max_duration));
  data_of data;
  time_point const now = at(max_duration);
  CHECK(key_of(policy, job, data, now).level(0) == 2);
  CHECK(policy.next_change(job.view(now), data, tick_at(now)) > now);
}

}  // namespace least_attained_service_test
