// SPDX-License-Identifier: BSL-1.0
// Equal shapes are one class of jobs: whatever decides where a job fits must be part of it.
#include <berth/model/check_job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/shape.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace shape_test {

using namespace berth;

TEST_CASE("shape: sums over roles") {
  job_spec job;
  job.roles = {role{2, 4}, role{3, 1}};
  shape const form = check(job, 1).value();
  CHECK(form.role_count() == 2);
  CHECK(form.members() == 5);
  CHECK(form.gpus() == 11);
}

TEST_CASE("shape: a gang without roles has one") {
  shape const form = check(job_spec{.gang = 3, .gpus_per_member = 2}, 1).value();
  CHECK(form.role_count() == 1);
  CHECK(form.roles[0] == role{3, 2});
  CHECK(form.gpus() == 6);
}

TEST_CASE("shape: a gang and the same gang written as a role are one shape") {
  job_spec with_role;
  with_role.roles[0] = role{3, 2};
  shape const a = check(job_spec{.gang = 3, .gpus_per_member = 2}, 1).value();
  shape const b = check(with_role, 1).value();
  CHECK(a == b);
  CHECK(a.hash() == b.hash());
}

TEST_CASE("shape: whatever decides where a job fits tells shapes and hashes apart") {
  std::vector<shape> forms(1, check(job_spec{}, 2).value());
  auto const add = [&](auto change) {
    job_spec job;
    change(job);
    forms.push_back(check(job, 2).value());
  };
  add([](job_spec& j) { j.gang = 2; });
  add([](job_spec& j) { j.gpus_per_member = 2; });
  add([](job_spec& j) { j.roles = {role{1, 1}, role{1, 1}}; });
  add([](job_spec& j) { j.cpu_milli_per_gpu = 1; });
  add([](job_spec& j) { j.memory_mib_per_gpu = 1; });
  add([](job_spec& j) {
    j.group = group_id{1};
    j.group_size = 2;
  });
  add([](job_spec& j) { j.allowed_types = 1; });
  add([](job_spec& j) { j.allowed_types = 2; });
  add([](job_spec& j) { j.speed[1] = 2.0; });
  add([](job_spec& j) { j.layout = spread::same_node; });
  add([](job_spec& j) { j.layout = spread::one_per_node; });
  add([](job_spec& j) { j.where = pool::inference; });
  for (std::size_t a = 0; a < forms.size(); ++a) {
    for (std::size_t b = 0; b < forms.size(); ++b) {
      CAPTURE(a);
      CAPTURE(b);
      CHECK((forms[a] == forms[b]) == (a == b));
      CHECK((forms[a].hash() == forms[b].hash()) == (a == b));
    }
  }
}

TEST_CASE("shape: what only orders jobs does not tell shapes apart") {
  job_spec job;
  job.priority = 7;
  job.tenant = tenant_id{3};
  job.work = duration{5};
  job.estimate = duration{6};
  job.deadline = time_point{duration{9}};
  job.preemptible = false;
  job.tag = 12;
  CHECK(check(job, 2).value() == check(job_spec{}, 2).value());
}

TEST_CASE("shape: allows the types of its mask") {
  shape const form = check(job_spec{.allowed_types = 2}, 2).value();
  CHECK(form.allows(gpu_type{1}));
  CHECK_FALSE(form.allows(gpu_type{0}));
}

}  // namespace shape_test
