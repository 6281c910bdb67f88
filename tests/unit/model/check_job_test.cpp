// SPDX-License-Identifier: BSL-1.0
// The door for jobs: every number that may not enter is refused with the name of its field.
#include <berth/core/error.hpp>
#include <berth/model/check_job.hpp>
#include <berth/model/job_spec.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace check_job_test {

using namespace berth;

namespace {
constexpr int types = 2;

template <class Change>
error refusal(Change change) {
  job_spec job;
  change(job);
  auto const answer = check(job, types);
  REQUIRE_FALSE(answer.has_value());
  return answer.error();
}
template <class Change>
bool is_fine(Change change) {
  job_spec job;
  change(job);
  return check(job, types).has_value();
}
constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
}  // namespace

TEST_CASE("check(job): a default job is one GPU of any type") {
  shape const form = check(job_spec{}, types).value();
  CHECK(form.gpus() == 1);
  CHECK(form.types == 3);
  CHECK(form.speed[0] == unit_speed);
  CHECK(check(job_spec{}, 16).value().types == any_type);
}

TEST_CASE("check(job): gangs are positive and bounded, and no product overflows") {
  error const not_positive{errc::zero_or_negative, field::gang};
  CHECK(refusal([](job_spec& j) { j.gang = 0; }) == not_positive);
  CHECK(refusal([](job_spec& j) { j.gang = -1; }) == not_positive);
  CHECK(refusal([](job_spec& j) { j.gang = lowest; }) == not_positive);
  error const no_gpus{errc::zero_or_negative, field::gpus_per_member};
  CHECK(refusal([](job_spec& j) { j.gpus_per_member = 0; }) == no_gpus);
  CHECK(refusal([](job_spec& j) { j.gpus_per_member = lowest; }) == no_gpus);
  CHECK(refusal([](job_spec& j) { j.gpus_per_member = 65; }) ==
        error{errc::bad_number, field::gpus_per_member});
  CHECK(refusal([](job_spec& j) {
          j.gang = highest;
          j.gpus_per_member = 64;
        }) == error{errc::bad_number, field::gang});
  CHECK(refusal([](job_spec& j) { j.gang = max_gang_gpus + 1; }) ==
        error{errc::bad_number, field::gang});
  CHECK(is_fine([](job_spec& j) { j.gang = max_gang_gpus; }));
  CHECK(is_fine([](job_spec& j) { j.gpus_per_member = 64; }));
}

TEST_CASE("check(job): roles stand side by side without gaps, positive and bounded") {
  error const not_positive{errc::zero_or_negative, field::roles};
  error const too_many{errc::bad_number, field::roles};
  CHECK(refusal([](job_spec& j) { j.roles = {role{1, 0}}; }) == not_positive);
  CHECK(refusal([](job_spec& j) { j.roles = {role{1, -1}}; }) == not_positive);
  CHECK(refusal([](job_spec& j) { j.roles = {role{1, 1}, role{-1, 1}}; }) == not_positive);
  CHECK(refusal([](job_spec& j) { j.roles = {role{1, 1}, role{0, 1}}; }) == not_positive);
  CHECK(refusal([](job_spec& j) { j.roles = {role{1, 1}, role{}, role{1, 1}}; }) == not_positive);
  CHECK(refusal([](job_spec& j) { j.roles = {role{1, 65}}; }) == too_many);
  CHECK(refusal([](job_spec& j) { j.roles = {role{highest, highest}}; }) == too_many);
  CHECK(refusal([](job_spec& j) { j.roles = {role{max_gang_gpus, 1}, role{1, 1}}; }) == too_many);
  CHECK(refusal([](job_spec& j) {
          j.roles = {role{highest, 64}, role{highest, 64}, role{highest, 64}, role{highest, 64}};
        }) == too_many);
  error const contradiction{errc::inconsistent, field::roles};
  CHECK(refusal([](job_spec& j) { j.roles = {role{0, 2}}; }) == contradiction);
  CHECK(refusal([](job_spec& j) { j.roles = {role{-1, 2}}; }) == contradiction);
  CHECK(refusal([](job_spec& j) { j.roles = {role{}, role{1, 1}}; }) == contradiction);
  CHECK(is_fine([](job_spec& j) { j.roles = {role{1, 1}, role{2, 2}, role{3, 3}, role{4, 4}}; }));
}

TEST_CASE("check(job): with roles, gang and gpus_per_member are unused") {
  job_spec job;
  job.gang = -5;
  job.gpus_per_member = -5;
  job.roles = {role{2, 3}};
  CHECK(check(job, types).value().gpus() == 6);
}

TEST_CASE("check(job): min_gang lies between 0 and gang, and not beside roles") {
  error const contradiction{errc::inconsistent, field::min_gang};
  CHECK(refusal([](job_spec& j) { j.min_gang = -1; }) == contradiction);
  CHECK(refusal([](job_spec& j) { j.min_gang = 2; }) == contradiction);
  CHECK(refusal([](job_spec& j) {
          j.min_gang = 1;
          j.roles = {role{1, 1}};
        }) == contradiction);
  CHECK(is_fine([](job_spec& j) { j.min_gang = 1; }));
}

TEST_CASE("check(job): a group has a size, and a size a group") {
  CHECK(refusal([](job_spec& j) { j.group_size = -1; }) ==
        error{errc::zero_or_negative, field::group_size});
  CHECK(refusal([](job_spec& j) { j.group_size = 2; }) ==
        error{errc::inconsistent, field::group_size});
  CHECK(refusal([](job_spec& j) { j.group = group_id{9}; }) ==
        error{errc::inconsistent, field::group_size});
  CHECK(is_fine([](job_spec& j) {
    j.group = group_id{9};
    j.group_size = 2;
  }));
}

TEST_CASE("check(job): CPU and memory are not negative and bounded") {
  constexpr std::int64_t limit = std::int64_t{1} << 32;
  for (std::int64_t const bad :
       {std::int64_t{-1}, limit + 1, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    CHECK(refusal([&](job_spec& j) { j.cpu_milli_per_gpu = bad; }) ==
          error{errc::bad_number, field::cpu_milli_per_gpu});
    CHECK(refusal([&](job_spec& j) { j.memory_mib_per_gpu = bad; }) ==
          error{errc::bad_number, field::memory_mib_per_gpu});
  }
  CHECK(is_fine([](job_spec& j) {
    j.cpu_milli_per_gpu = limit;
    j.memory_mib_per_gpu = limit;
  }));
}

TEST_CASE("check(job): types must exist; any_type is whatever exists") {
  error const unknown{errc::unknown_gpu_type, field::allowed_types};
  CHECK(refusal([](job_spec& j) { j.allowed_types = 0; }) == unknown);
  CHECK(refusal([](job_spec& j) { j.allowed_types = 4; }) == unknown);
  CHECK(refusal([](job_spec& j) { j.allowed_types = 5; }) == unknown);
  CHECK(is_fine([](job_spec& j) { j.allowed_types = 3; }));
}

TEST_CASE(
    "check(job): speeds are finite, not negative, bounded, and not so small that they vanish") {
  error const bad{errc::bad_number, field::speed};
  for (double const speed :
       {-1.0, -0.001, 1000.1, 1e300, 0.0001, std::nan(""), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    CAPTURE(speed);
    CHECK(refusal([&](job_spec& j) { j.speed[0] = speed; }) == bad);
    CHECK(refusal([&](job_spec& j) { j.speed[15] = speed; }) == bad);
  }
  auto const quantised = [](double speed) {
    job_spec job;
    job.speed[1] = speed;
    return check(job, types).value().speed[1];
  };
  CHECK(quantised(0.0) == 1000);
  CHECK(quantised(1.5) == 1500);
  CHECK(quantised(0.0006) == 1);
  CHECK(quantised(0.3333) == 333);
  CHECK(quantised(max_speed) == 1'000'000);
}

TEST_CASE("check(job): what it trains is not negative, and bounded") {
  auto const bad = [](field where) { return error{errc::bad_number, where}; };
  for (std::int32_t const number : {-1, std::numeric_limits<std::int32_t>::min(), (1 << 24) + 1}) {
    CHECK(refusal([&](job_spec& j) { j.batch_size = number; }) == bad(field::batch_size));
    CHECK(refusal([&](job_spec& j) { j.epochs = number; }) == bad(field::epochs));
  }
  CHECK(refusal([](job_spec& j) { j.samples = -1; }) == bad(field::samples));
  CHECK(refusal([](job_spec& j) { j.samples = max_samples + 1; }) == bad(field::samples));
  CHECK(is_fine([](job_spec& j) {
    j.batch_size = max_batch_size;
    j.epochs = max_epochs;
    j.samples = max_samples;
  }));
}

TEST_CASE("check(job): an enumerator that does not exist is refused") {
  CHECK(refusal([](job_spec& j) { j.layout = static_cast<spread>(3); }) ==
        error{errc::bad_number, field::layout});
  CHECK(refusal([](job_spec& j) { j.where = static_cast<pool>(2); }) ==
        error{errc::bad_number, field::pool});
}

TEST_CASE("check(job): durations are within 34 years, or forever where that has a meaning") {
  using member = void (*)(job_spec&, duration);
  struct rule {
    member set;
    field where;
    bool zero;
    bool unknown;
  };
  rule const rules[] = {
      {[](job_spec& j, duration d) { j.work = d; }, field::work, false, true},
      {[](job_spec& j, duration d) { j.estimate = d; }, field::estimate, false, true},
      {[](job_spec& j, duration d) { j.checkpoints.epoch_period = d; }, field::epoch, true, true},
      {[](job_spec& j, duration d) { j.checkpoints.period = d; }, field::checkpoint, true, true},
      {[](job_spec& j, duration d) { j.checkpoints.phase = d; }, field::checkpoint, true, true},
      {[](job_spec& j, duration d) { j.checkpoints.startup = d; }, field::startup, true, false},
      {[](job_spec& j, duration d) { j.checkpoints.iteration = d; }, field::iteration, true, true},
      {[](job_spec& j, duration d) { j.checkpoints.save = d; }, field::save, true, false},
  };
  for (rule const& r : rules) {
    CAPTURE(to_string(r.where));
    error const bad{errc::bad_number, r.where};
    for (duration const span :
         {duration{-1}, duration::min(), max_duration + duration{1}, forever - duration{1}}) {
      CHECK(refusal([&](job_spec& j) { r.set(j, span); }) == bad);
    }
    CHECK(is_fine([&](job_spec& j) { r.set(j, max_duration); }));
    CHECK(is_fine([&](job_spec& j) { r.set(j, duration{1}); }));
    CHECK(is_fine([&](job_spec& j) { r.set(j, duration{0}); }) == r.zero);
    CHECK(is_fine([&](job_spec& j) { r.set(j, forever); }) == r.unknown);
  }
}

TEST_CASE("check(job): a deadline is an instant that a host may pass, or never") {
  error const bad{errc::bad_number, field::deadline};
  CHECK(refusal([](job_spec& j) { j.deadline = time_point{max_instant + duration{1}}; }) == bad);
  CHECK(refusal([](job_spec& j) { j.deadline = time_point{-max_instant - duration{1}}; }) == bad);
  CHECK(refusal([](job_spec& j) { j.deadline = time_point::min(); }) == bad);
  CHECK(refusal([](job_spec& j) { j.deadline = never - duration{1}; }) == bad);
  CHECK(is_fine([](job_spec& j) { j.deadline = time_point{max_instant}; }));
  CHECK(is_fine([](job_spec& j) { j.deadline = time_point{-max_instant}; }));
  CHECK(is_fine([](job_spec& j) { j.deadline = never; }));
}

TEST_CASE("check(job): a spread loss is a share in thousandths, or unknown") {
  for (std::int32_t const bad : {lowest, -2, 1001, highest}) {
    CHECK(refusal([&](job_spec& j) { j.spread_loss = bad; }) ==
          error{errc::bad_number, field::spread_loss});
  }
  for (std::int32_t const fine : {-1, 0, 1, 1000}) {
    CHECK(is_fine([&](job_spec& j) { j.spread_loss = fine; }));
  }
}

TEST_CASE("check(job): sizes in bytes are not negative and bounded") {
  constexpr std::int64_t limit = std::int64_t{1} << 60;
  for (std::int64_t const bad : {std::int64_t{-1}, limit + 1}) {
    CHECK(refusal([&](job_spec& j) { j.checkpoints.checkpoint_bytes = bad; }) ==
          error{errc::bad_number, field::checkpoint_bytes});
    CHECK(refusal([&](job_spec& j) { j.checkpoints.dataset_bytes = bad; }) ==
          error{errc::bad_number, field::dataset_bytes});
    CHECK(refusal([&](job_spec& j) { j.checkpoints.cached_bytes = bad; }) ==
          error{errc::bad_number, field::cached_bytes});
  }
  CHECK(is_fine([](job_spec& j) {
    j.checkpoints.checkpoint_bytes = limit;
    j.checkpoints.dataset_bytes = limit;
    j.checkpoints.cached_bytes = limit;
  }));
}

TEST_CASE("check(job): there are three modes of leaving, and no fourth") {
  CHECK(is_fine([](job_spec& j) { j.checkpoints.modes = 0b111; }));
  CHECK(refusal([](job_spec& j) { j.checkpoints.modes = 0b1000; }) ==
        error{errc::bad_number, field::modes});
}

TEST_CASE("check(job): the first bad member in the order of job_spec is named") {
  job_spec job;
  job.work = duration{-1};
  job.speed[3] = -1.0;
  CHECK(check(job, types).error().where == field::speed);
  job.allowed_types = 0;
  CHECK(check(job, types).error().where == field::allowed_types);
  job.gang = 0;
  CHECK(check(job, types).error().where == field::gang);
}

}  // namespace check_job_test
