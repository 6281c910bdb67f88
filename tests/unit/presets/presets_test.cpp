// SPDX-License-Identifier: BSL-1.0
// Ready-made compositions behave as their papers say.
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/observers/digest_observer.hpp>
#include <berth/placements/first_fit.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/easy_backfill_scheduler.hpp>
#include <berth/presets/fifo_scheduler.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/presets/shortest_remaining_scheduler.hpp>
#include <berth/presets/tiresias.hpp>

#include <chrono>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace presets_test {

using namespace berth;
using namespace std::chrono_literals;

namespace {
constexpr time_point zero{duration{0}};

scheduler_config simple() {
  scheduler_config config;
  config.max_jobs = 32;
  config.max_nodes = 8;
  config.max_gpus = 64;
  config.acknowledge = acknowledgement::implicit;
  return config;
}
cluster one_node(std::int32_t gpus) {
  return cluster::uniform(1, gpus).value();
}

// "+tag" for a start, "-tag" for a stop.
std::string words(plan const& made) {
  std::string text;
  for (action const& a : made) {
    text += (a.kind == action_kind::start ? "+" : "-") + std::to_string(a.tag) + " ";
  }
  return text;
}
template <class Scheduler>
job_id submit(Scheduler& s, std::int32_t gang, duration work, std::uint64_t tag, time_point now) {
  return s.submit({.gang = gang, .work = work, .estimate = work, .tag = tag}, now).value();
}
}  // namespace

TEST_CASE("presets::fifo: a job that does not fit blocks those behind it") {
  auto s = presets::fifo(one_node(4), simple()).value();
  job_id const first = submit(s, 3, 1h, 1, zero);
  submit(s, 2, 1h, 2, zero);
  submit(s, 1, 1h, 3, zero);
  CHECK(words(s.tick(zero)) == "+1 ");
  REQUIRE(s.complete(first, zero + 1h));
  CHECK(words(s.tick(zero + 1h)) == "+2 +3 ");
}

TEST_CASE("presets::easy_backfill: a short job goes before the head if it does not delay it") {
  auto s = presets::easy_backfill(one_node(4), simple()).value();
  submit(s, 3, 1h, 1, zero);
  submit(s, 4, 1h, 2, zero);
  submit(s, 1, 2h, 3, zero);
  submit(s, 1, 30min, 4, zero);
  CHECK(words(s.tick(zero)) == "+1 +4 ");
}

TEST_CASE("presets::shortest_remaining: a shorter job displaces a longer one, and it comes back") {
  auto s = presets::shortest_remaining(one_node(4), simple()).value();
  submit(s, 4, 5h, 1, zero);
  CHECK(words(s.tick(zero)) == "+1 ");
  job_id const brief = submit(s, 4, 1h, 2, zero + 1h);
  CHECK(words(s.tick(zero + 1h)) == "-1 +2 ");
  submit(s, 4, 2h, 3, zero + 1h);
  CHECK(words(s.tick(zero + 1h)) == "");
  REQUIRE(s.complete(brief, zero + 2h));
  CHECK(words(s.tick(zero + 2h)) == "+3 ");
}

TEST_CASE("presets::tiresias: a job sinks at one GPU-hour and yields to a fresh one, not before") {
  auto s = presets::tiresias(one_node(4), simple()).value();
  job_id const old = submit(s, 4, 10h, 1, zero);
  CHECK(words(s.tick(zero)) == "+1 ");
  static_cast<void>(s.tick(zero));
  CHECK(s.next_wakeup() == zero + 15min);
  submit(s, 4, 10h, 2, zero + 1min);
  CHECK(words(s.tick(zero + 1min)) == "");
  CHECK(words(s.tick(zero + 15min - 1ms)) == "");
  CHECK(words(s.tick(zero + 15min)) == "-1 +2 ");
  CHECK(s.view(old).value().preemptions() == 1);
  CHECK(s.view(old).value().attained_service() == gpu_time{1, 1h});

  // Both in the lower queue: who started first goes first, but queue mates do not displace each
  // other.
  CHECK(words(s.tick(zero + 30min)) == "");
  CHECK(words(s.tick(zero + 45min)) == "");
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("presets::tiresias: small jobs keep their place longer: service counts GPUs") {
  auto s = presets::tiresias(one_node(4), simple()).value();
  submit(s, 3, 10h, 1, zero);
  submit(s, 1, 10h, 2, zero);
  CHECK(words(s.tick(zero)) == "+1 +2 ");
  submit(s, 2, 10h, 3, zero + 20min);
  CHECK(words(s.tick(zero + 20min)) == "-1 +3 ");
}

TEST_CASE("presets take further components, in any order") {
  auto s = presets::fifo(one_node(4), simple(), first_fit{}, digest_observer{}).value();
  std::uint64_t const before = s.observer().value();
  submit(s, 1, 1h, 1, zero);
  CHECK(words(s.tick(zero)) == "+1 ");
  CHECK(s.observer().value() != before);
}

TEST_CASE("make_scheduler: components keep the values they were given, whatever their order") {
  least_attained_service quick;
  quick.thresholds = {gpu_time{4, 1min}, gpu_time::max(), gpu_time::max()};
  auto s = make_scheduler(one_node(4), simple(), lost_work{}, first_fit{}, quick).value();
  submit(s, 4, 1h, 1, zero);
  CHECK(words(s.tick(zero)) == "+1 ");
  static_cast<void>(s.tick(zero));
  CHECK(s.next_wakeup() == zero + 1min);
}

}  // namespace presets_test
