// SPDX-License-Identifier: BSL-1.0
// What a sizing rule refuses, with the field that is to blame; and the arithmetic of a job's view.
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/check_sizing.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace check_sizing_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;

constexpr std::array<rung, 2> ladder{{{1, unit_rung_speed}, {2, unit_rung_speed * 3 / 2}}};
elastic_job sound() {
  return {.id = job_id{0, 1}, .ladder = ladder, .remaining = 1h};
}

template <class Spoil>
error refusal(Spoil spoil) {
  elastic_job job = sound();
  spoil(job);
  auto const checked = check_elastic_job(job);
  REQUIRE(!checked);
  return checked.error();
}

TEST_CASE("check_elastic_job: every field that is out of its range is named") {
  CHECK(check_elastic_job(sound()));
  auto const with = [](std::vector<rung> const& rungs) {
    return refusal([&](elastic_job& job) { job.ladder = rungs; });
  };
  CHECK(with({}) == error{errc::zero_or_negative, field::ladder});
  CHECK(with({{0, 1}}) == error{errc::zero_or_negative, field::ladder});
  CHECK(with({{-1, 1}}) == error{errc::zero_or_negative, field::ladder});
  CHECK(with({{1, 1}, {1, 2}}) == error{errc::inconsistent, field::ladder});
  CHECK(with({{2, 1}, {1, 2}}) == error{errc::inconsistent, field::ladder});
  CHECK(with({{max_rung_size + 1, 1}}) == error{errc::bad_number, field::ladder});
  CHECK(with(std::vector<rung>(max_rungs + 1)) == error{errc::bad_number, field::ladder});
  CHECK(with({{1, -1}}) == error{errc::bad_number, field::speed});
  CHECK(with({{1, max_rung_speed + 1}}) == error{errc::bad_number, field::speed});

  auto const field_of = [](auto spoil) { return refusal(spoil); };
  CHECK(field_of([](auto& job) { job.remaining = -1ms; }) ==
        error{errc::bad_number, field::remaining});
  CHECK(field_of([](auto& job) { job.remaining = forever; }) ==
        error{errc::bad_number, field::remaining});
  CHECK(field_of([](auto& job) { job.current = -1; }) == error{errc::bad_number, field::current});
  CHECK(field_of([](auto& job) { job.current = max_rung_size + 1; }) ==
        error{errc::bad_number, field::current});
  CHECK(field_of([](auto& job) { job.resize.first = forever; }) ==
        error{errc::bad_number, field::resize});
  CHECK(field_of([](auto& job) { job.resize.next = -1ms; }) ==
        error{errc::bad_number, field::resize});
  CHECK(field_of([](auto& job) { job.resize.next = 1ms; }) ==
        error{errc::inconsistent, field::resize});
  CHECK(field_of([](auto& job) { job.weight = 0; }) ==
        error{errc::zero_or_negative, field::weight});
  CHECK(field_of([](auto& job) { job.weight = max_job_weight + 1; }) ==
        error{errc::bad_number, field::weight});
  CHECK(field_of([](auto& job) { job.age = -1ms; }) == error{errc::bad_number, field::age});
}

TEST_CASE("sizing: a problem is refused as a whole, for its capacity, its ids and its size") {
  sizing_workspace workspace(2, 4);
  std::vector<elastic_job> jobs{sound(), sound()};
  jobs[1].id = job_id{1, 1};
  auto const refused = [&](std::int32_t capacity) {
    auto const answer = marginal_gain{}.size({jobs, capacity}, workspace);
    REQUIRE(!answer);
    return answer.error();
  };
  CHECK(marginal_gain{}.size({jobs, 3}, workspace));
  CHECK(refused(-1) == error{errc::bad_number, field::capacity});
  jobs[1].id = jobs[0].id;
  jobs[1].remaining = 2h;
  CHECK(refused(3) == error{errc::inconsistent, field::job});
  jobs[1].id = job_id{1, 1};
  jobs[1].weight = 0;
  CHECK(refused(3) == error{errc::zero_or_negative, field::weight});
  jobs[1].weight = 1;
  jobs.push_back(sound());
  jobs[2].id = job_id{2, 1};
  CHECK(refused(3) == error{errc::capacity_exceeded, field::max_jobs});
  workspace.reserve(3, 5);
  CHECK(refused(3) == error{errc::capacity_exceeded, field::ladder});
  workspace.reserve(3, 6);
  CHECK(marginal_gain{}.size({jobs, 3}, workspace));
}

TEST_CASE("resize_time: growth pays for the new workers only, shrinking next, a start first") {
  resize_time const elastic{.first = 35s, .next = 3s};  // imagenet, spec table 5.2
  CHECK(elastic.between(4, 4) == 0s);
  CHECK(elastic.between(4, 0) == 0s);
  CHECK(elastic.between(0, 4) == 35s);
  CHECK(elastic.between(4, 2) == 3s);
  CHECK(elastic.between(4, 8) == 3s + 16s);
  CHECK(elastic.between(2, 8) == 3s + 24s);
  resize_time const full{.first = 35s, .next = 35s};
  CHECK(full.between(4, 8) == 35s);
  CHECK(full.between(8, 4) == 35s);
}

TEST_CASE("elastic_job: only what a decision changes is charged, and a stop costs the next start") {
  elastic_job job = sound();
  job.resize = {.first = 30s, .next = 2s};
  CHECK(job.change_to(0) == 0s);
  CHECK(job.change_to(2) == 0s);  // it has to start one day anyhow
  job.current = 2;
  CHECK(job.change_to(2) == 0s);
  CHECK(job.change_to(1) == 2s);
  CHECK(job.change_to(0) == 30s);
}

TEST_CASE("elastic_job: time at a speed is rounded up and bounded") {
  elastic_job job = sound();
  job.remaining = 10ms;
  CHECK(job.time_at(unit_rung_speed) == 10ms);
  CHECK(job.time_at(unit_rung_speed * 3) == 4ms);
  CHECK(job.time_at(0) == max_duration);
  job.remaining = max_duration;
  CHECK(job.time_at(1) == max_duration);
  CHECK(job.speed_on(0) == 0);
  CHECK(job.speed_on(2) == unit_rung_speed * 3 / 2);
  CHECK(job.speed_on(7) == unit_rung_speed * 3 / 2);
}

TEST_CASE("sizing: everything at its maximum overflows nowhere") {
  std::vector<rung> const top{{1, 1}, {max_rung_size, max_rung_speed}};
  std::vector<elastic_job> jobs;
  for (std::uint32_t id = 0; id < 3; ++id) {
    jobs.push_back({.id = job_id{id, 1},
                    .ladder = top,
                    .remaining = max_duration,
                    .current = 1,
                    .resize = {.first = max_duration, .next = max_duration},
                    .weight = max_job_weight});
  }
  sizing_workspace workspace(3, 6);
  auto const answer =
      marginal_gain{}.size({jobs, std::numeric_limits<std::int32_t>::max()}, workspace);
  REQUIRE(answer);
  CHECK(answer->given == 3);  // no gain is worth a restart of 34 years
}

}  // namespace

}  // namespace check_sizing_test
