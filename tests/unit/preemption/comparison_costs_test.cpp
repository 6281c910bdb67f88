// SPDX-License-Identifier: BSL-1.0
// Whom other systems stop first: youngest_first, fit_gpp, gfs, restart_factor, servers_spanned.
#include <berth/concepts/preemption_cost.hpp>
#include <berth/preemption/fit_gpp.hpp>
#include <berth/preemption/gfs.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/preemption/restart_factor.hpp>
#include <berth/preemption/servers_spanned.hpp>
#include <berth/preemption/youngest_first.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace comparison_costs_test {

using namespace berth;
using namespace std::chrono_literals;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
sample_job running(job_spec const& spec, std::int32_t gpus, duration since = 0s) {
  sample_job job{spec};
  job.run(at(since), gpus);
  return job;
}
template <class Cost>
gpu_time price(Cost const& cost, sample_job const& job, duration now) {
  return price_of_stopping(cost, job.view(at(now)), tick_at(at(now)));
}
template <class Cost>
suspension stop(Cost const& cost, sample_job const& job, duration now) {
  return cost.suspend(job.view(at(now)), tick_at(at(now)));
}
struct takes_long {
  using component_role = preemption_role;
  duration grace{0};
  duration restart{0};
  [[nodiscard]] suspension suspend(job_view const&, tick_context const&) const noexcept {
    return {.mode = suspension_mode::boundary, .drain = grace};
  }
  [[nodiscard]] duration resume(job_view const&, tick_context const&) const noexcept {
    return restart;
  }
};
}  // namespace

TEST_CASE("youngest_first: who started later is cheaper, whatever is lost and how many GPUs") {
  youngest_first<lost_work> const cost{};
  job_spec safe{.gang = 1};
  safe.checkpoints.period = 1s;
  CHECK(price(cost, running(safe, 1, 0s), 100s) > price(cost, running({.gang = 64}, 64, 1s), 100s));
  CHECK(stop(cost, running({}, 1), 100s).rollback == 100s);
}

TEST_CASE("fit_gpp: the size is the length of the vector of shares of a node") {
  fit_gpp<takes_long> cost{};
  cost.node_gpus = 4;
  CHECK(cost.size_of(running({.gang = 8}, 8).view(at(0s))) == 2'000);
  cost.node_cpu_milli = 32'000;
  // 2 GPUs of 4 are a half, 12 of 32 cores three eighths: together five eighths
  job_spec const spec{.gang = 2, .cpu_milli_per_gpu = 6'000};
  CHECK(cost.size_of(running(spec, 2).view(at(0s))) == 625);
  cost.node_memory_mib = 1;
  job_spec const huge{.gang = 64, .memory_mib_per_gpu = std::int64_t{1} << 32};
  CHECK(cost.size_of(running(huge, 64).view(at(0s))) >= 1'000'000);
}

TEST_CASE("fit_gpp: size over the largest and four times the grace period over the longest") {
  fit_gpp<takes_long> cost{};
  cost.largest_size = 2'000;
  cost.longest_grace = 100s;
  cost.base.grace = 25s;
  CHECK(price(cost, running({.gang = 8}, 8), 0s) == gpu_time{500 + 4 * 250});
  cost.base.grace = 0s;
  CHECK(price(cost, running({.gang = 8}, 8), 0s) == gpu_time{500});
  cost.base.grace = 1h;  // beyond the longest
  CHECK(price(cost, running({.gang = 64}, 64), 0s) == gpu_time{1'000 + 4'000});
}

TEST_CASE("fit_gpp: at most one preemption a job") {
  sample_job job = running({}, 1);
  CHECK(stop(fit_gpp<takes_long>{}, job, 0s).allowed);
  job.record.preemptions = 1;
  CHECK_FALSE(stop(fit_gpp<takes_long>{}, job, 0s).allowed);
  CHECK(price(fit_gpp<takes_long>{}, job, 0s).is_forbidden());
  fit_gpp<takes_long> twice{};
  twice.most_preemptions = 2;
  CHECK(stop(twice, job, 0s).allowed);
}

TEST_CASE("gfs: GPUs times the time since the start") {
  CHECK(price(gfs{}, running({.gang = 8}, 8, 100s), 350s) == gpu_time{8, 250s});
}

TEST_CASE("gfs: what is lost is the rest of the checkpoint interval, and 40 or 60 s") {
  job_spec spec{.gang = 8};
  spec.checkpoints.period = 100s;
  CHECK(stop(gfs{}, running(spec, 8), 350s).rollback == 50s);
  CHECK(stop(gfs{}, running({.gang = 8}, 8), 350s).rollback == 350s);
  CHECK(gfs{}.resume(running(spec, 8).view(at(0s)), tick_at(at(0s))) == 40s);
  CHECK(gfs{}.resume(running({.gang = 9}, 9).view(at(0s)), tick_at(at(0s))) == 60s);
}

TEST_CASE("restart_factor: after 600 s with one restart of 120 s, two thirds are left") {
  using factor = restart_factor<takes_long>;
  CHECK(factor::factor(600s, 1, 120s) == 2 * factor::unit / 3);
  CHECK(factor::factor(600s, 0, 0s) == factor::unit);
  CHECK(factor::factor(600s, 5, 120s) == 0);
  CHECK(factor::factor(600s, 9, 120s) == 0);
  CHECK(factor::factor(0s, 0, 0s) == 0);
  CHECK(factor::factor(forever, 4'000'000'000u, forever) == 0);
}

TEST_CASE("restart_factor: a stop counts as the share that is lost of the outlook, on every GPU") {
  restart_factor<takes_long> cost{};
  cost.base.restart = 120s;
  cost.outlook = 300s;
  sample_job job = running({.gang = 4}, 4);
  job.record.preemptions = 1;
  CHECK(price(cost, job, 600s) == gpu_time{4, 100s});
  CHECK(price(cost, job, 6000s) < price(cost, job, 600s));  // older
  job.record.preemptions = 2;
  CHECK(price(cost, job, 600s) > gpu_time{4, 100s});  // stopped more often
}

TEST_CASE("servers_spanned: the nodes of Lyra's example cost 1, 1/2, 1, 1/2") {
  servers_spanned<takes_long> const cost{};
  auto const part = [&](std::int32_t nodes) {
    sample_job job = running({.gang = 4}, 4);
    job.record.nodes_held = nodes;
    return price(cost, job, 0s);
  };
  gpu_time const one{servers_spanned<takes_long>::unit};
  // job 1 on {A}, job 2 on {B, C}, job 3 on {C, D}
  CHECK(part(1) == one);            // A
  CHECK(2 * part(2) == one);        // B, D: a half each
  CHECK(part(2) + part(2) == one);  // C
  for (std::int32_t nodes = 1; nodes <= 16; ++nodes) {
    CHECK(nodes * part(nodes) == one);
  }
}

}  // namespace comparison_costs_test
