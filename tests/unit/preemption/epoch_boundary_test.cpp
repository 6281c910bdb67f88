// SPDX-License-Identifier: BSL-1.0
// What a stop costs by when it comes and how.
#include <berth/concepts/preemption_cost.hpp>
#include <berth/model/suspension.hpp>
#include <berth/preemption/epoch_boundary.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace epoch_boundary_test {

using namespace berth;
using namespace std::chrono_literals;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
constexpr epoch_boundary cost{};
constexpr std::int64_t mega = 1'000'000;

sample_job running(checkpointing const& saving, std::int32_t gpus = 1) {
  job_spec spec{.gang = gpus, .work = 1000h};
  spec.checkpoints = saving;
  sample_job job{spec};
  job.run(at(0s), gpus);
  job.predict(1000h, at(0s));
  return job;
}
suspension stop(sample_job const& job, duration now, std::int64_t leaving = 0) {
  tick_context tick = tick_at(at(now));
  tick.jobs_leaving = leaving;
  return cost.suspend(job.view(at(now)), tick);
}
gpu_time price(sample_job const& job, duration now) {
  return price_of_stopping(cost, job.view(at(now)), tick_at(at(now)));
}
}  // namespace

TEST_CASE("epoch_boundary: a quarter into an epoch of 600 s, 450 s are left of it") {
  suspension const said = stop(running({.epoch_period = 600s}), 150s);
  CHECK(said.allowed);
  CHECK(said.mode == suspension_mode::boundary);
  CHECK(said.drain == 450s);
  CHECK(said.rollback == 0s);
}

TEST_CASE("epoch_boundary: the drain is a saw-tooth, with nothing left at the end of an epoch") {
  checkpointing const saving{.epoch_period = 600s, .modes = only(suspension_mode::boundary)};
  CHECK(stop(running(saving), 0s).drain == 0s);
  CHECK(stop(running(saving), 1ms).drain == 600s - 1ms);
  CHECK(stop(running(saving), 590s).drain == 10s);
  CHECK(stop(running(saving), 600s).drain == 0s);
  CHECK(stop(running(saving), 1201s).drain == 599s);
}

TEST_CASE("epoch_boundary: the declared phase, a reported end of an epoch, a measured one") {
  sample_job job =
      running({.epoch_period = 600s, .phase = 100s, .modes = only(suspension_mode::boundary)});
  CHECK(stop(job, 50s).drain == 450s);
  job.record.safe_at = at(40s);  // checkpoints are written at ends of epochs alone
  CHECK(stop(job, 50s).drain == 590s);
  job.record.spec.checkpoints.period = 60s;  // not alone
  CHECK(stop(job, 50s).drain == 450s);
  job.record.measured_epoch = 200s;
  job.record.epoch_began = at(30s);
  CHECK(stop(job, 50s).drain == 180s);
}

TEST_CASE("epoch_boundary: without a word about epochs a job is killed, and falls back") {
  suspension const said = stop(running({}), 500s);
  CHECK(said.mode == suspension_mode::kill);
  CHECK(said.drain == 0s);
  CHECK(said.save == 0s);
  CHECK(said.rollback == 500s);
}

TEST_CASE("epoch_boundary: the mode that destroys least; a job just saved is killed") {
  checkpointing const saving{.epoch_period = 600s, .checkpoint_bytes = 500 * mega};
  CHECK(stop(running(saving), 605s).mode == suspension_mode::kill);  // 5 s lost, 6 s to save
  CHECK(stop(running(saving), 605s).rollback == 5s);
  CHECK(stop(running(saving), 607s).mode == suspension_mode::boundary);
  CHECK(stop(running(saving), 607s).save == 6s);
}

TEST_CASE("epoch_boundary: among modes that destroy the same, the one that leaves soonest") {
  checkpointing saving{.epoch_period = 600s, .iteration = 2s};
  CHECK(stop(running(saving), 300s).mode == suspension_mode::checkpoint);
  CHECK(stop(running(saving), 300s).drain == 2s);
  CHECK(stop(running(saving), 599s).mode == suspension_mode::boundary);
  saving.iteration = forever;  // unknown
  CHECK(stop(running(saving), 300s).mode == suspension_mode::boundary);
}

TEST_CASE("epoch_boundary: only what the job allows") {
  checkpointing saving{.epoch_period = 600s, .modes = only(suspension_mode::kill)};
  CHECK(stop(running(saving), 300s).mode == suspension_mode::kill);
  CHECK(stop(running(saving), 300s).rollback == 300s);
  saving.modes = only(suspension_mode::checkpoint);
  CHECK(stop(running(saving), 300s).mode == suspension_mode::checkpoint);
  CHECK(stop(running(saving), 300s).drain == cost.assumed_iteration);
  checkpointing const blind{.modes = only(suspension_mode::boundary)};
  CHECK(stop(running(blind), 300s).mode == suspension_mode::boundary);
  CHECK(stop(running(blind), 300s).drain == cost.assumed_epoch);
}

TEST_CASE("epoch_boundary: a job that is still launching leaves at once, with nothing to save") {
  sample_job job{job_spec{}};
  job.record.state = job_state::launching;
  job.record.gpus_held = 1;
  CHECK(stop(job, 500s).drain == 0s);
  CHECK(stop(job, 500s).save == 0s);
  CHECK(stop(job, 500s).rollback == 0s);
}

TEST_CASE("epoch_boundary: those who leave at the same time share the bandwidth") {
  checkpointing const saving{.epoch_period = 600s, .checkpoint_bytes = 500 * mega};
  CHECK(stop(running(saving), 300s).save == 1s + 5s);
  CHECK(stop(running(saving), 300s, 1).save == 1s + 10s);
  CHECK(stop(running(saving), 300s, 9).save == 1s + 50s);
  checkpointing const declared{.epoch_period = 600s, .save = 20s};
  CHECK(stop(running(declared), 300s, 2).save == 1s + 60s);
}

TEST_CASE("epoch_boundary: where nothing is said a stop costs what others measured") {
  sample_job const one = running({.epoch_period = 600s});
  duration const one_gpu = cost.resume(one.view(at(0s)), tick_at(at(0s)));
  CHECK(one_gpu == 2s + 27s + 2s + 1s + 14s);
  CHECK(stop(one, 300s).save + one_gpu == 61s);  // Tiresias: 62 s on average
  duration const eight = cost.resume(running({}, 8).view(at(0s)), tick_at(at(0s)));
  CHECK(eight == one_gpu + 6s);
  duration const many = cost.resume(running({}, 256).view(at(0s)), tick_at(at(0s)));
  CHECK(many == one_gpu + 16s + 25s);
  duration const odd = cost.resume(running({}, 255).view(at(0s)), tick_at(at(0s)));
  CHECK(odd == one_gpu + 14s);
}

TEST_CASE("epoch_boundary: a declared start-up time is the whole of it") {
  checkpointing const said{.checkpoint_bytes = mega, .dataset_bytes = mega, .startup = 9s};
  CHECK(cost.resume(running(said).view(at(0s)), tick_at(at(0s))) == 9s);
}

TEST_CASE("epoch_boundary: data are read again, but on the old node what is cached is not") {
  checkpointing said{.dataset_bytes = 3'000 * mega, .cached_bytes = 2'000 * mega};
  sample_job job = running(said);
  job.record.last_node = node_id{3, 1};
  tick_context const tick = tick_at(at(0s));
  duration const cold = cost.resume(job.view(at(0s)), tick);
  CHECK(cold == 46s + 30s);
  CHECK(cost.resume_on(node_id{2, 1}, job.view(at(0s)), tick) == cold);
  CHECK(cost.resume_on(node_id{3, 2}, job.view(at(0s)), tick) == cold);  // another one by now
  CHECK(cost.resume_on(node_id{3, 1}, job.view(at(0s)), tick) == cold - 20s);
  job.record.spec.checkpoints.epoch_period = 30s;  // loading keeps up with training
  CHECK(cost.resume(job.view(at(0s)), tick) == 46s);
}

TEST_CASE("epoch_boundary: the price is GPUs times what is destroyed; draining is useful work") {
  sample_job const job = running({.epoch_period = 600s, .startup = 30s, .save = 4s}, 8);
  CHECK(price(job, 300s) == gpu_time{8, 1s + 4s + 30s});
  CHECK(price(running({.startup = 30s}, 2), 300s) == gpu_time{2, 330s});
}

TEST_CASE("epoch_boundary: a job that is done before it could be back costs more than anything") {
  sample_job job = running({.epoch_period = 600s, .startup = 30s, .save = 4s}, 8);
  job.predict(300s + 5s + 30s, at(300s));
  CHECK(stop(job, 300s).allowed);
  CHECK(price(job, 300s) == gpu_time::max());
  job.predict(300s + 5s + 30s + 1ms, at(300s));
  CHECK(price(job, 300s) == gpu_time{8, 35s});
  CHECK(allows_timelessly<epoch_boundary>);
}

}  // namespace epoch_boundary_test
