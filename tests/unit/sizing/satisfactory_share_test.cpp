// SPDX-License-Identifier: BSL-1.0
// The fewest GPUs on which a deadline is met.
#include <berth/core/time.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/satisfactory_share.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <tests/support/elastic_jobs.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace satisfactory_share_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;
using tests::speed;

/// The specification's job: 1, 1.8 and 3 iterations a second on 1, 2 and 4 GPUs, 100 to do.
elastic_job sample(tests::elastic_jobs& owner) {
  return owner.add(100s, std::vector<rung>{{1, speed(1.0)}, {2, speed(1.8)}, {4, speed(3.0)}});
}

TEST_CASE("minimum_satisfactory_share: on an empty cluster the lowest rung that is fast enough") {
  tests::elastic_jobs owner;
  elastic_job const job = sample(owner);
  std::vector<free_interval> const empty{{1h, 4}};
  CHECK(minimum_satisfactory_share(job, empty, 50s) == 2);  // 2 GPUs do 90 of 100
  CHECK(minimum_satisfactory_share(job, empty, 56s) == 1);
  CHECK(minimum_satisfactory_share(job, empty, 99'999ms) == 1);
  CHECK(minimum_satisfactory_share(job, empty, 100s) == 0);
  CHECK(minimum_satisfactory_share(job, empty, 33s) == 3);
}

TEST_CASE("minimum_satisfactory_share: fills what is free, never above the share") {
  tests::elastic_jobs owner;
  elastic_job const job = sample(owner);
  // 20 s on one GPU, then enough for all: 20 + 3 t >= 100 from t = 26.7 s on, 20 + 1.8 t from 44.5.
  std::vector<free_interval> const later{{20s, 1}, {1h, 64}};
  CHECK(minimum_satisfactory_share(job, later, 47s) == 2);
  CHECK(minimum_satisfactory_share(job, later, 46s) == 3);
  CHECK(minimum_satisfactory_share(job, later, 65s) == 1);
  // Three free GPUs serve the rung of two, and after the last interval nothing is free.
  std::vector<free_interval> const ends{{10s, 0}, {70s, 3}};
  CHECK(minimum_satisfactory_share(job, ends, 1h) == 1);
  CHECK(minimum_satisfactory_share(job, ends, 65s) == 3);
  CHECK(minimum_satisfactory_share(job, {}, 1h) == 3);
}

TEST_CASE("minimum_satisfactory_share: nothing left is done on the lowest rung") {
  tests::elastic_jobs owner;
  elastic_job job = sample(owner);
  job.remaining = 0s;
  CHECK(minimum_satisfactory_share(job, {}, 0s) == 0);
}

TEST_CASE("minimum_satisfactory_share: a ladder that starts there keeps the promise first") {
  tests::elastic_jobs owner;
  elastic_job promised = sample(owner);
  owner.add(30s, std::vector<rung>{{1, speed(1.0)}, {2, speed(2.0)}, {4, speed(4.0)}});
  std::vector<free_interval> const empty{{1h, 6}};
  promised.ladder = promised.ladder.subspan(minimum_satisfactory_share(promised, empty, 50s));
  owner.jobs[0].ladder = promised.ladder;
  sizing_workspace workspace(2, 6);
  auto const answer =
      marginal_gain{.measure = gain_measure::gpu_time_saved}.size(owner.within(6), workspace);
  REQUIRE(answer);
  CHECK(answer->sizes[0] == 4);
  CHECK(answer->sizes[1] == 2);
}

}  // namespace

}  // namespace satisfactory_share_test
