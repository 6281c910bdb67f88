// SPDX-License-Identifier: BSL-1.0
// The C library decides what C++ decides: the same calls, the same answers, the same digests.
#include <berth/c/berth.h>
#include <berth/core/random.hpp>
#include <berth/model/cluster.hpp>
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/shortest_remaining_scheduler.hpp>

#include <tests/c/both_sides.hpp>

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

/// The same random life on both sides: jobs come, start, save, stop, fail and end, nodes go and
/// come back.
class twins {
 public:
  twins(char const* preset,
        made_host (*make)(berth::cluster const&, berth::scheduler_config const&),
        std::uint64_t seed)
      : c_{preset, 4, 8, BERTH_EXPLICIT_REPORTS},
        cpp_{make(berth::cluster::uniform(4, 8).value(),
                  config_with(berth::acknowledgement::explicit_reports))
                 .value()},
        random_{seed} {}

  void step() {
    now_ += random_.between(0, 600'000);
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2: submit(); break;
      case 3:
      case 4: end_some_job(); break;
      case 5: change_node(); break;
      default: report(); break;
    }
    tick();
    CHECK(c_.state() == cpp_->state_digest());
    CHECK(c_.plans() == cpp_->plans_digest());
    std::int64_t wakeup = 0;
    CHECK(berth_next_wakeup(c_, &wakeup) == BERTH_OK);
    CHECK(wakeup == cpp_->next_wakeup().time_since_epoch().count());
  }
  [[nodiscard]] std::size_t starts() const { return starts_; }
  [[nodiscard]] std::size_t stops() const { return stops_; }

 private:
  void submit() {
    berth_job job;
    REQUIRE(berth_job_init(&job, sizeof job) == BERTH_OK);
    berth::job_spec spec;
    job.gang = spec.gang = static_cast<std::int32_t>(random_.between(0, 8));  // 0 is refused
    job.work = random_.between(60'000, 36'000'000);
    spec.work = berth::duration{job.work};
    job.priority = spec.priority = static_cast<std::int32_t>(random_.between(-2, 2));
    job.layout = static_cast<std::int32_t>(random_.below(3));
    spec.layout = static_cast<berth::spread>(job.layout);
    job.epoch_period = random_.between(0, 3'600'000);
    spec.checkpoints.epoch_period = berth::duration{job.epoch_period};
    job.startup = random_.between(0, 60'000);
    spec.checkpoints.startup = berth::duration{job.startup};
    job.tag = spec.tag = random_.next();
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
  void end_some_job() {
    std::uint64_t const job = some_job();
    auto const id = berth::job_id::from_value(job);
    if (random_.below(4) == 0) {
      check_same(berth_cancel(c_, job, now_), cpp_->cancel(id, instant(now_)));
      return;
    }
    auto const ended = cpp_->complete(id, instant(now_), berth::outcome::finished);
    check_same(berth_complete(c_, job, BERTH_FINISHED, now_), ended);
    if (random_.below(8) != 0) {  // else the stale id is used again
      std::erase(jobs_, job);
    }
  }
  void change_node() {
    std::uint64_t const node = random_.below(5);  // the fifth does not exist
    auto const id = berth::node_id::from_value(node);
    auto const health = static_cast<std::int32_t>(random_.below(2) * random_.below(3));
    check_same(berth_set_node(c_, node, health, now_),
               cpp_->set_node(id, static_cast<berth::node_health>(health), instant(now_)));
    std::uint64_t const lost = random_.below(4) == 0 ? random_.below(256) : 0;
    check_same(berth_set_lost_gpus(c_, node, lost, now_),
               cpp_->set_lost_gpus(id, lost, instant(now_)));
  }
  void report() {
    using namespace berth;
    berth_event event;
    REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
    event.job = some_job();
    auto const say = [&](std::int32_t kind, c_api::run_report const& said) {
      event.kind = kind;
      check_same(berth_report(c_, &event, now_),
                 cpp_->report(job_id::from_value(event.job), said, instant(now_)));
    };
    switch (random_.below(8)) {
      case 0: say(BERTH_LAUNCH_FAILED, launch_failed{}); break;
      case 1: say(BERTH_RUN_FAILED, run_failed{}); break;
      case 2: say(BERTH_CHECKPOINTED, checkpointed{}); break;
      case 3:
        event.done = random_.between(0, 600'000);
        say(BERTH_PROGRESS, progress{duration{event.done}});
        break;
      case 4:
        event.bytes = random_.between(0, 1 << 30);
        say(BERTH_BYTES_READ, bytes_read{event.bytes});
        break;
      case 5:
        event.node = random_.below(4);
        event.gpus = random_.below(256);
        say(BERTH_MEMBER_FINISHED, member_finished{node_id::from_value(event.node), event.gpus});
        break;
      case 6: say(BERTH_STOPPED, stopped{}); break;
      default: say(BERTH_STARTED, started{}); break;
    }
  }
  void tick() {
    auto const decided = cpp_->tick(instant(now_));
    CHECK(berth_tick(c_, now_, &c_.plan) == BERTH_OK);
    check_same(c_, decided);
    for (std::uint32_t i = 0; i < c_.plan.action_count; ++i) {
      berth_action const& order = c_.actions[i];
      order.kind == BERTH_START ? ++starts_ : ++stops_;
      if (order.kind == BERTH_CARRY_ON || random_.below(4) == 0) {
        continue;  // it takes its time
      }
      berth_event event;
      REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
      event.kind = order.kind == BERTH_START ? BERTH_STARTED : BERTH_STOPPED;
      event.job = order.job;
      event.run = order.run;
      berth::run_number const run{order.run};
      auto const said = order.kind == BERTH_START
                            ? berth::c_api::run_report{berth::started{run}}
                            : berth::c_api::run_report{berth::stopped{berth::not_said, run}};
      check_same(berth_report(c_, &event, now_),
                 cpp_->report(berth::job_id::from_value(order.job), said, instant(now_)));
    }
  }

  c_scheduler c_;
  std::unique_ptr<host> cpp_;
  berth::random_source random_;
  std::int64_t now_ = 0;
  std::vector<std::uint64_t> jobs_;
  std::size_t starts_ = 0;
  std::size_t stops_ = 0;
};

}  // namespace

TEST_CASE("every preset decides the same through C, call by call") {
  using namespace berth::c_api;
  std::array const presets{
      std::pair{"fifo", &make_fifo}, std::pair{"easy_backfill", &make_easy_backfill},
      std::pair{"shortest_remaining", &make_shortest_remaining},
      std::pair{"tiresias", &make_tiresias}, std::pair{"pickyman", &make_pickyman}};
  for (auto const& [preset, make] : presets) {
    std::string const name = preset;
    std::size_t starts = 0;
    std::size_t stops = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(name);
      CAPTURE(seed);
      twins both{preset, make, seed};
      for (int i = 0; i < 200; ++i) {
        both.step();
      }
      starts += both.starts();
      stops += both.stops();
    }
    CAPTURE(name);
    CHECK(starts > 100);
    CHECK(stops > 0);
  }
}

TEST_CASE("the quick start has the digests of a scheduler that C++ made itself") {
  using namespace std::chrono_literals;
  auto made = berth::presets::shortest_remaining(berth::cluster::uniform(2, 8).value(),
                                                 config_with(berth::acknowledgement::implicit),
                                                 berth::digest_observer{});
  auto& cpp = made.value();
  c_scheduler c{"shortest_remaining", 2, 8, BERTH_IMPLICIT};
  std::int64_t now = 0;
  auto const both_tick = [&] {
    auto const decided = cpp.tick(instant(now));
    CHECK(berth_tick(c, now, &c.plan) == BERTH_OK);
    check_same(c, decided);
    CHECK(c.state() == cpp.state_digest());
    CHECK(c.plans() == cpp.observer().value());
    return decided.size();
  };
  auto const both_submit = [&](std::int32_t gang, berth::duration work) {
    berth_job job;
    REQUIRE(berth_job_init(&job, sizeof job) == BERTH_OK);
    job.gang = gang;
    job.work = work.count();
    std::uint64_t id = 0;
    REQUIRE(berth_submit(c, &job, now, &id) == BERTH_OK);
    REQUIRE(cpp.submit({.gang = gang, .work = work}, instant(now)).value().value() == id);
    return id;
  };
  auto const large = both_submit(16, 5h);
  CHECK(both_tick() == 1);
  now += 3'600'000;
  auto const small = both_submit(4, 10min);
  CHECK(both_tick() == 2);
  now += 600'000;
  CHECK(berth_complete(c, small, BERTH_FINISHED, now) == BERTH_OK);
  REQUIRE(cpp.complete(berth::job_id::from_value(small), instant(now)).has_value());
  CHECK(both_tick() == 1);

  berth_job_info info;
  REQUIRE(berth_job_info_init(&info, sizeof info) == BERTH_OK);
  REQUIRE(berth_view(c, large, &info) == BERTH_OK);
  auto const seen = cpp.view(berth::job_id::from_value(large)).value();
  CHECK(info.state == BERTH_JOB_RUNNING);
  CHECK(info.gpus_held == 16);
  CHECK(info.preemptions == 1);
  CHECK(info.waited == seen.waited().count());
  CHECK(info.executed == seen.executed().count());
  CHECK(info.done == seen.done().count());
}

TEST_CASE("a snapshot goes on where it was taken, in another scheduler") {
  c_scheduler first{"tiresias", 2, 8, BERTH_IMPLICIT};
  berth_job job;
  REQUIRE(berth_job_init(&job, sizeof job) == BERTH_OK);
  std::uint64_t id = 0;
  for (std::int32_t gang = 1; gang <= 8; ++gang) {
    job.gang = gang;
    REQUIRE(berth_submit(first, &job, 0, &id) == BERTH_OK);
  }
  REQUIRE(berth_tick(first, 0, &first.plan) == BERTH_OK);
  std::size_t needed = 0;
  REQUIRE(berth_snapshot(first, nullptr, 0, &needed) == BERTH_BUFFER_TOO_SMALL);
  std::vector<std::byte> saved(needed);
  REQUIRE(berth_snapshot(first, saved.data(), saved.size(), nullptr) == BERTH_OK);

  c_scheduler second{"tiresias", 2, 8, BERTH_IMPLICIT};
  CHECK(second.state() != first.state());
  REQUIRE(berth_restore(second, saved.data(), saved.size()) == BERTH_OK);
  CHECK(second.state() == first.state());
  std::uint32_t jobs = 0;
  CHECK(berth_job_count(second, &jobs) == BERTH_OK);
  CHECK(jobs == 8);
  saved[saved.size() / 2] ^= std::byte{1};
  CHECK(BERTH_CODE(berth_restore(second, saved.data(), saved.size())) == BERTH_BAD_DATA);
  CHECK(second.state() == first.state());
}
