// SPDX-License-Identifier: BSL-1.0
// What stopping a job destroys.
#include <berth/concepts/preemption_cost.hpp>
#include <berth/preemption/free_of_charge.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/preemption/never_preempt.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>

#include <doctest/doctest.h>

namespace preemption_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
template <class Cost>
gpu_time price(Cost const& cost, sample_job const& job, time_point now) {
  return price_of_stopping(cost, job.view(now), tick_at(now));
}
sample_job running(checkpointing const& saving, std::int32_t gpus) {
  job_spec spec{.gang = gpus, .work = std::chrono::hours{10}};
  spec.checkpoints = saving;
  sample_job job{spec};
  job.run(at(duration{100}), gpus);
  return job;
}
}  // namespace

TEST_CASE("never_preempt: forbidden, and the scheduler may know it beforehand") {
  CHECK(price(never_preempt{}, running({}, 2), at(duration{200})).is_forbidden());
  CHECK_FALSE(allows_preemption<never_preempt>);
  CHECK(allows_preemption<lost_work>);
  CHECK(allows_preemption<free_of_charge>);
}

TEST_CASE("free_of_charge: nothing, whatever is lost") {
  CHECK(price(free_of_charge{}, running({}, 8), at(duration{9999})) == gpu_time::zero());
}

TEST_CASE("lost_work: a job without checkpoints loses its whole run, on all its GPUs") {
  CHECK(price(lost_work{}, running({}, 4), at(duration{100})) == gpu_time::zero());
  CHECK(price(lost_work{}, running({}, 4), at(duration{350})) == gpu_time{4 * 250});
}

TEST_CASE("lost_work: a job with a declared period loses the time since the implied checkpoint") {
  sample_job const job = running({.period = duration{60}}, 2);
  CHECK(price(lost_work{}, job, at(duration{150})) == gpu_time{2 * 50});
  CHECK(price(lost_work{}, job, at(duration{160})) == gpu_time::zero());
  CHECK(price(lost_work{}, job, at(duration{165})) == gpu_time{2 * 5});
}

TEST_CASE("lost_work: a reported checkpoint counts") {
  sample_job job = running({}, 2);
  job.record.safe_at = at(duration{180});
  CHECK(price(lost_work{}, job, at(duration{200})) == gpu_time{2 * 20});
}

TEST_CASE(
    "lost_work: the restart is part of the price; the default stands in where none is declared") {
  sample_job const slow = running({.startup = duration{30}}, 2);
  CHECK(price(lost_work{}, slow, at(duration{110})) == gpu_time{2 * (10 + 30)});
  lost_work const with_default{.default_startup = duration{7}};
  CHECK(price(with_default, slow, at(duration{110})) == gpu_time{2 * (10 + 30)});
  CHECK(price(with_default, running({}, 2), at(duration{110})) == gpu_time{2 * (10 + 7)});
}

TEST_CASE("lost_work: a job that is still launching loses nothing but its restart") {
  job_spec spec{.gang = 2};
  spec.checkpoints.startup = duration{30};
  sample_job job{spec};
  job.record.state = job_state::launching;
  job.record.gpus_held = 2;
  CHECK(price(lost_work{}, job, at(duration{5000})) == gpu_time{2 * 30});
}

namespace {
struct with_every_part {
  using component_role = preemption_role;
  [[nodiscard]] suspension suspend(job_view const&, tick_context const&) const noexcept {
    return {.drain = duration{1000}, .save = duration{20}, .rollback = duration{3}};
  }
  [[nodiscard]] duration resume(job_view const&, tick_context const&) const noexcept {
    return duration{100};
  }
};
}  // namespace

TEST_CASE("price_of_stopping: save, rollback and resume on every GPU; draining is useful work") {
  CHECK(price(with_every_part{}, running({}, 3), at(duration{100})) == gpu_time{3 * 123});
}

}  // namespace preemption_test
