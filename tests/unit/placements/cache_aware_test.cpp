// SPDX-License-Identifier: BSL-1.0
// A job rather comes back to the node that still has its data.
#include <berth/model/cluster.hpp>
#include <berth/placements/cache_aware.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/placements/first_fit.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace cache_aware_test {

using namespace berth;
using namespace std::chrono_literals;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
job_spec with_data(std::int64_t bytes, std::int64_t cached) {
  job_spec spec{.gang = 1, .work = 1h};
  spec.checkpoints.dataset_bytes = bytes;
  spec.checkpoints.cached_bytes = cached;
  return spec;
}
constexpr std::int64_t giga = 1'000'000'000;
}  // namespace

TEST_CASE("cache_aware: the old node is cheaper by the reading that its GPUs do not wait for") {
  sample_job job{with_data(10 * giga, 2 * giga)};
  job.record.last_node = node_id{5, 0};
  cache_aware<first_fit> const placement{};
  auto const score = [&](std::uint32_t node, std::int32_t nodes) {
    berth_view place;
    place.gpus = 4;
    place.nodes = nodes;
    place.first_node = node;
    return placement.score(job.view(at(0s)), place, tick_at(at(0s)));
  };
  CHECK(score(4, 1) == gpu_time{4});
  CHECK(score(6, 1) == gpu_time{6});
  CHECK(score(5, 1) == gpu_time{5} - gpu_time{4, 20s});
  CHECK(score(5, 2) == gpu_time{5} - gpu_time{4, 10s});  // one of two nodes
}

TEST_CASE("cache_aware: without a last node, or without a cache, as its base") {
  cache_aware<first_fit> const placement{};
  berth_view const place{.gpus = 1, .first_node = 0};
  sample_job const fresh{with_data(10 * giga, 10 * giga)};
  CHECK(placement.score(fresh.view(at(0s)), place, tick_at(at(0s))) == gpu_time::zero());
  sample_job plain{with_data(10 * giga, 0)};
  plain.record.last_node = node_id{0, 0};
  CHECK(placement.score(plain.view(at(0s)), place, tick_at(at(0s))) == gpu_time::zero());
}

TEST_CASE("cache_aware: in a scheduler, a job that was stopped comes back to its node") {
  auto const comes_back = [](auto placement) {
    scheduler_config config;
    config.acknowledge = acknowledgement::implicit;
    auto s = make_scheduler(cluster::uniform(3, 4).value(), config, placement).value();
    time_point const start = at(0s);
    // Two gangs fill the lower nodes, and so the job starts on the third.
    job_id const first = s.submit({.gang = 4, .work = 1h}, start).value();
    job_id const second = s.submit({.gang = 4, .work = 1h}, start).value();
    (void)s.tick(start);
    job_id const job = s.submit(with_data(100 * giga, 100 * giga), start).value();
    (void)s.tick(start);
    REQUIRE(s.view(job).value().last_node() == node_id{2, 0});
    REQUIRE(s.complete(first, start));
    REQUIRE(s.complete(second, start));
    REQUIRE(s.report(job, run_failed{}, start));
    time_point const later = s.next_wakeup() > start ? s.next_wakeup() : at(1h);
    (void)s.tick(later);
    (void)s.tick(at(2h));
    REQUIRE(s.view(job).value().gpus_held() == 1);
    std::uint32_t node = 99;
    REQUIRE(s.for_each_gpu(job, [&](gpu_range const& held) { node = held.node.slot(); }));
    return node;
  };
  CHECK(comes_back(consolidated{}) == 0);
  CHECK(comes_back(cache_aware<>{}) == 2);
}

}  // namespace cache_aware_test
