// SPDX-License-Identifier: BSL-1.0
// Elastic jobs, replicas and loans through the C library: what C++ decides, call by call.
#include <berth/c/berth.h>
#include <berth/core/random.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>

#include <tests/c/both_sides.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <src/c/host.hpp>

namespace {

using berth::c_api::host;
using berth::c_api::made_host;
using c_tests::c_scheduler;
using c_tests::check_same;
using c_tests::config_with;
using c_tests::instant;

/// Two nodes of training and two of inference.
berth::cluster two_pools() {
  berth::cluster made;
  for (int i = 0; i < 4; ++i) {
    REQUIRE(made.add({.gpus = 8, .owner = i < 2 ? berth::pool::training : berth::pool::inference}));
  }
  return made;
}

/// The same random life on both sides: elastic jobs and replicas come, learn their ladders, change
/// their size, sleep, and end; inference lends.
class elastic_twins {
 public:
  elastic_twins(char const* preset,
                made_host (*make)(berth::cluster const&, berth::scheduler_config const&),
                std::uint64_t seed)
      : c_{preset, 4, 8, BERTH_EXPLICIT_REPORTS, 2},
        cpp_{make(two_pools(), config_with(berth::acknowledgement::explicit_reports)).value()},
        random_{seed} {}

  void step() {
    now_ += random_.between(0, 120'000);
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2: submit(); break;
      case 3: complete(); break;
      case 4: lend(); break;
      case 5: set_ladder(); break;
      default: report(); break;
    }
    tick();
    CHECK(c_.state() == cpp_->state_digest());
    CHECK(c_.plans() == cpp_->plans_digest());
    std::int64_t on_loan = -1;
    CHECK(berth_gpus_on_loan(c_, &on_loan) == BERTH_OK);
    CHECK(on_loan == cpp_->gpus_on_loan());
    most_on_loan_ = std::max(most_on_loan_, on_loan);
    check_gpus();
  }
  [[nodiscard]] int resizes() const { return resizes_; }
  [[nodiscard]] std::int64_t most_on_loan() const { return most_on_loan_; }

 private:
  void submit() {
    berth_job job;
    REQUIRE(berth_job_init(&job, sizeof job) == BERTH_OK);
    berth::job_spec spec;
    bool const serves = random_.below(3) == 0;
    job.gang = spec.gang = serves ? 1 : static_cast<std::int32_t>(random_.between(1, 16));
    job.min_gang = spec.min_gang = static_cast<std::int32_t>(random_.between(0, 3));
    job.pool = serves ? BERTH_POOL_INFERENCE : BERTH_POOL_TRAINING;
    spec.where = static_cast<berth::pool>(job.pool);
    job.borrows = serves ? BERTH_BORROW_NONE : static_cast<std::int32_t>(random_.below(3));
    spec.borrows = static_cast<berth::borrowing>(job.borrows);
    job.work = random_.between(60'000, 36'000'000);
    spec.work = berth::duration{job.work};
    job.resize = random_.between(0, 30'000);
    spec.checkpoints.resize = berth::duration{job.resize};
    job.startup = job.resize;
    spec.checkpoints.startup = berth::duration{job.startup};
    std::uint64_t id = 0;
    auto const accepted = cpp_->submit(spec, instant(now_));
    check_same(berth_submit(c_, &job, now_, &id), accepted);
    if (accepted) {
      CHECK(id == accepted->value());
      jobs_.push_back(id);
    }
  }
  std::uint64_t some_job() {
    return jobs_.empty() ? BERTH_NULL_ID : jobs_[random_.below(jobs_.size())];
  }
  void complete() {
    std::uint64_t const job = some_job();
    check_same(
        berth_complete(c_, job, BERTH_FINISHED, now_),
        cpp_->complete(berth::job_id::from_value(job), instant(now_), berth::outcome::finished));
    std::erase(jobs_, job);
  }
  void lend() {
    auto const gpus = static_cast<std::int32_t>(random_.between(-1, 16));  // -1 is refused
    std::int64_t const until =
        random_.below(2) == 0 ? BERTH_NEVER : now_ + random_.between(0, 600'000);
    check_same(berth_lend(c_, gpus, until, now_),
               cpp_->lend({gpus, instant(until)}, instant(now_)));
  }
  void set_ladder() {
    std::array<berth_rung, 4> given{};
    std::array<berth::rung, 4> ladder{};
    std::int32_t gpus = 0;
    std::int64_t speed = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      REQUIRE(berth_rung_init(&given[i], sizeof given[i]) == BERTH_OK);
      gpus += static_cast<std::int32_t>(random_.between(0, 3));  // 0 is refused
      speed += random_.between(1, 2 * BERTH_UNIT_SPEED);
      given[i].gpus = ladder[i].size = gpus;
      given[i].speed = ladder[i].speed = speed;
    }
    std::uint64_t const job = some_job();
    std::size_t const count = random_.below(given.size() + 1);
    check_same(
        berth_set_ladder(c_, job, given.data(), static_cast<std::uint32_t>(count), sizeof given[0],
                         now_),
        cpp_->set_ladder(berth::job_id::from_value(job), {ladder.data(), count}, instant(now_)));
  }
  void say(std::int32_t kind, std::uint64_t job, std::uint32_t run, std::uint32_t change,
           berth::c_api::run_report const& said) {
    berth_event event;
    REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
    event.kind = kind;
    event.job = job;
    event.run = run;
    event.change = change;
    check_same(berth_report(c_, &event, now_),
               cpp_->report(berth::job_id::from_value(job), said, instant(now_)));
  }
  void report() {
    std::uint64_t const job = some_job();
    auto const change = static_cast<std::uint32_t>(random_.below(3));
    switch (random_.below(5)) {
      case 0: say(BERTH_SLEEPS, job, 0, 0, berth::sleeps{}); break;
      case 1: say(BERTH_WAKES, job, 0, 0, berth::wakes{}); break;
      case 2: say(BERTH_VACATED, job, 0, change, berth::vacated{{}, change}); break;
      case 3: say(BERTH_RESIZED, job, 0, change, berth::resized{{}, change}); break;
      default: say(BERTH_STARTED, job, 0, 0, berth::started{}); break;
    }
  }
  void tick() {
    auto const decided = cpp_->tick(instant(now_));
    CHECK(berth_tick(c_, now_, &c_.plan) == BERTH_OK);
    check_same(c_, decided);
    for (std::uint32_t i = 0; i < c_.plan.action_count; ++i) {
      berth_action const& order = c_.actions[i];
      berth::run_number const run{order.run};
      resizes_ += order.kind == BERTH_RESIZE ? 1 : 0;
      if (order.kind == BERTH_CARRY_ON || random_.below(4) == 0) {
        continue;  // it takes its time
      }
      if (order.kind == BERTH_START) {
        say(BERTH_STARTED, order.job, order.run, 0, berth::started{run});
      } else if (order.kind == BERTH_RESIZE) {
        say(BERTH_RESIZED, order.job, order.run, order.change, berth::resized{run, order.change});
      } else {
        say(BERTH_STOPPED, order.job, order.run, 0, berth::stopped{berth::not_said, run});
      }
    }
  }
  void check_gpus() {
    std::uint64_t const job = some_job();
    auto const seen = cpp_->view(berth::job_id::from_value(job));
    std::array<berth_gpu_range, 4> ranges{};
    std::uint32_t count = 0;
    berth_status const answer = berth_job_gpus(c_, job, ranges.data(), 4, sizeof ranges[0], &count);
    check_same(answer, seen);
    std::size_t i = 0;
    if (seen) {
      cpp_->books().for_each_hold(seen->id().slot(), [&](berth::booking const& held) {
        REQUIRE(i < count);
        CHECK(ranges[i].node == cpp_->books().id_of(held.node).value());
        CHECK(ranges[i].gpus == held.gpus);
        ++i;
      });
    }
    CHECK(i == count);
  }

  c_scheduler c_;
  std::unique_ptr<host> cpp_;
  berth::random_source random_;
  std::int64_t now_ = 0;
  std::vector<std::uint64_t> jobs_;
  int resizes_ = 0;
  std::int64_t most_on_loan_ = 0;
};

}  // namespace

TEST_CASE("every preset that sizes jobs decides the same through C, call by call") {
  using namespace berth::c_api;
  std::array const presets{std::pair{"deepboot", &make_deepboot}, std::pair{"pollux", &make_pollux},
                           std::pair{"optimus", &make_optimus}, std::pair{"afs", &make_afs},
                           std::pair{"lyra", &make_lyra}};
  for (auto const& [preset, make] : presets) {
    std::string const name = preset;
    int resizes = 0;
    std::int64_t most_on_loan = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(name);
      CAPTURE(seed);
      elastic_twins both{preset, make, seed};
      for (int i = 0; i < 200; ++i) {
        both.step();
      }
      resizes += both.resizes();
      most_on_loan = std::max(most_on_loan, both.most_on_loan());
    }
    CAPTURE(name);
    CHECK(resizes > 10);
    CHECK(most_on_loan > 0);
  }
}

TEST_CASE("an elastic job grows, and its GPUs can be listed, whoever asks with how much room") {
  c_scheduler c{"afs", 2, 8, BERTH_IMPLICIT};
  berth_job job;
  REQUIRE(berth_job_init(&job, sizeof job) == BERTH_OK);
  job.gang = 16;
  job.min_gang = 1;
  job.work = 36'000'000;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  REQUIRE(berth_submit(c, &job, 0, &first) == BERTH_OK);
  REQUIRE(berth_submit(c, &job, 0, &second) == BERTH_OK);
  REQUIRE(berth_tick(c, 0, &c.plan) == BERTH_OK);
  REQUIRE(berth_complete(c, second, BERTH_FINISHED, 600'000) == BERTH_OK);
  REQUIRE(berth_tick(c, 600'000, &c.plan) == BERTH_OK);
  REQUIRE(c.plan.action_count == 1);
  CHECK(c.actions[0].kind == BERTH_RESIZE);
  CHECK(c.actions[0].change == 1);

  std::array<berth_gpu_range, 2> ranges{};
  std::uint32_t count = 0;
  CHECK(berth_job_gpus(c, first, nullptr, 0, sizeof ranges[0], &count) == BERTH_BUFFER_TOO_SMALL);
  CHECK(count == 2);
  CHECK(berth_job_gpus(c, first, ranges.data(), 1, sizeof ranges[0], nullptr) ==
        BERTH_BUFFER_TOO_SMALL);
  CHECK(ranges[0].size == 0);  // nothing was written
  CHECK(berth_job_gpus(c, first, nullptr, 2, sizeof ranges[0], nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_job_gpus(c, first, ranges.data(), 2, sizeof ranges[0], nullptr) == BERTH_OK);
  for (berth_gpu_range const& each : ranges) {
    CHECK(each.size == sizeof each);
    CHECK(each.gpus == 0xff);
  }
  CHECK(ranges[0].node + ranges[1].node == 1);
  CHECK(BERTH_CODE(berth_job_gpus(c, second, nullptr, 0, sizeof ranges[0], nullptr)) ==
        BERTH_STALE_JOB);
}

TEST_CASE("a caller of the first header is served by its sizes") {
  c_scheduler c{"afs", 1, 8, BERTH_IMPLICIT};
  struct {
    berth_job job;
    std::uint64_t beyond = 42;
  } memory{};
  std::size_t const first_edition = offsetof(berth_job, resize);
  memory.job.resize = -7;  // of another object, as far as that caller knows
  REQUIRE(berth_job_init(&memory.job, first_edition) == BERTH_OK);
  CHECK(memory.job.resize == -7);
  memory.job.gang = 8;
  std::uint64_t id = 0;
  CHECK(berth_submit(c, &memory.job, 0, &id) == BERTH_OK);
  c.plan.action_size = offsetof(berth_action, change);
  REQUIRE(berth_tick(c, 0, &c.plan) == BERTH_OK);
  REQUIRE(c.plan.action_count == 1);
  CHECK(c.actions[0].size == offsetof(berth_action, change));
  CHECK(c.actions[0].job == id);
  CHECK(memory.beyond == 42);
}
