// SPDX-License-Identifier: BSL-1.0
// fifo, priority_class, shortest_job, shortest_remaining.
#include <berth/core/priority_key.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/policies/shortest_job.hpp>
#include <berth/policies/shortest_remaining.hpp>

#include <tests/support/sample_job.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace simple_policies_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
constexpr time_point start = at(duration{0});

template <class Policy>
priority_key key_of(Policy const& policy, sample_job const& job, time_point now = start) {
  return policy.priority(job.view(now), tick_at(now));
}
sample_job with_remaining(duration left, std::int32_t gang = 1) {
  sample_job job{job_spec{.gang = gang}};
  job.predict(left, start);
  return job;
}
}  // namespace

TEST_CASE("fifo: everybody equal, nobody displaces") {
  sample_job const urgent{job_spec{.priority = 9, .work = duration{1}}};
  sample_job const other{job_spec{}};
  CHECK(key_of(fifo{}, urgent) == key_of(fifo{}, other));
  CHECK_FALSE(key_of(fifo{}, urgent).can_displace_at_all());
}

TEST_CASE("priority_class: the higher class first, and it displaces the lower one, not its own") {
  auto const of = [](std::int32_t priority) {
    return key_of(priority_class{}, sample_job{job_spec{.priority = priority}});
  };
  CHECK(of(5) < of(4));
  CHECK(of(-1) < of(-2));
  CHECK(of(std::numeric_limits<std::int32_t>::max()) <
        of(std::numeric_limits<std::int32_t>::min()));
  CHECK(may_displace(of(5), of(4)));
  CHECK_FALSE(may_displace(of(4), of(5)));
  CHECK_FALSE(may_displace(of(4), of(4)));
}

TEST_CASE("shortest_job: the shortest first, unknown lengths last, nobody displaces") {
  auto const of = [](duration left) { return key_of(shortest_job{}, with_remaining(left)); };
  CHECK(of(duration{5}) < of(duration{6}));
  CHECK(of(max_duration) < of(forever));
  CHECK_FALSE(may_displace(of(duration{5}), of(duration{6})));
}

TEST_CASE("shortest_remaining: the least left first, and it displaces what has more left") {
  auto const of = [](duration left) { return key_of(shortest_remaining{}, with_remaining(left)); };
  CHECK(of(duration{5}) < of(duration{6}));
  CHECK(of(max_duration) < of(forever));
  CHECK(may_displace(of(duration{5}), of(duration{6})));
  CHECK_FALSE(may_displace(of(duration{6}), of(duration{5})));
  CHECK_FALSE(may_displace(of(duration{5}), of(duration{5})));
  CHECK(may_displace(of(max_duration), of(forever)));
}

TEST_CASE("shortest_remaining: what is left of a running job counts down") {
  sample_job running = with_remaining(duration{100});
  running.run(start, 1);
  CHECK(key_of(shortest_remaining{}, running, at(duration{60})) <
        key_of(shortest_remaining{}, with_remaining(duration{50}), at(duration{60})));
}

TEST_CASE("shortest_remaining: by GPU-time, a small long job may go before a large short one") {
  shortest_remaining const by_service{remaining_measure::gpu_time};
  sample_job const small = with_remaining(duration{50}, 1);
  sample_job const large = with_remaining(duration{20}, 4);
  CHECK(key_of(by_service, small) < key_of(by_service, large));
  CHECK(key_of(shortest_remaining{}, large) < key_of(shortest_remaining{}, small));
  CHECK(key_of(by_service, with_remaining(forever, 1)) ==
        key_of(by_service, with_remaining(forever, 9)));
}

}  // namespace simple_policies_test
