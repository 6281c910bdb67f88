// SPDX-License-Identifier: BSL-1.0
// Ids are a slot and a generation.
#include <berth/core/ids.hpp>

#include <doctest/doctest.h>

namespace ids_test {

using namespace berth;

TEST_CASE("id: a default id names nothing") {
  CHECK(job_id{}.is_null());
  CHECK_FALSE(job_id{0, 0}.is_null());
  CHECK(job_id{} == job_id{});
}

TEST_CASE("id: the same slot in another generation is another id") {
  CHECK(job_id{3, 1} != job_id{3, 2});
  CHECK(job_id{3, 1} != job_id{4, 1});
  CHECK(job_id{3, 1} == job_id{3, 1});
}

TEST_CASE("id: one number carries slot and generation, the latter in the high half") {
  job_id const sample{0xfffffffeu, 0x80000001u};
  CHECK(sample.value() == 0x80000001fffffffeu);
  CHECK(job_id::from_value(sample.value()) == sample);
  CHECK(job_id::from_value(job_id{}.value()).is_null());
}

}  // namespace ids_test
