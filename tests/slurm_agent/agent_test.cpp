// SPDX-License-Identifier: BSL-1.0
// The agent against a Slurm in memory: what it asks for, in which order, and what it never asks
// for.
#include <berth/policies/priority_class.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <tests/slurm_agent/agent_world.hpp>
#include <tests/slurm_agent/fake_slurm.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <examples/slurm_agent/agent.hpp>
#include <examples/slurm_agent/engine_model.hpp>

namespace {

using namespace std::chrono_literals;
using slurm_agent::cycle_outcome;
using slurm_agent::job_phase;
using requests = std::vector<std::string>;

berth::result<std::unique_ptr<slurm_agent::engine>> by_priority(
    berth::cluster const& nodes, berth::scheduler_config const& config) {
  return slurm_agent::as_engine(berth::make_scheduler(nodes, config, berth::priority_class{}));
}

struct world : agent_world {
  explicit world(int nodes) : agent_world{nodes, by_priority} {}
};

}  // namespace

TEST_CASE(
    "a held job is taken over, released on chosen nodes, and its GPUs are free when it ends") {
  world w{2};
  auto const job = w.slurm.submit(2, 8, "", 3);
  CHECK(w.cycle() == cycle_outcome::busy);
  CHECK_FALSE(w.slurm.job(job).held_by_owner);
  CHECK(w.slurm.taken_requests() == requests{"release 1"});
  w.pass_seconds(2);
  CHECK(w.slurm.job(job).phase == job_phase::running);
  CHECK(w.slurm.note(job).text == "runs on n0[8 GPUs] n1[8 GPUs]");
  w.pass_seconds(6);
  CHECK(w.slurm.job(job).phase == job_phase::succeeded);
  CHECK(w.self->counted().gpus[static_cast<std::size_t>(berth::gpu_state::free)] == 16);
  CHECK(w.slurm.taken_requests().empty());
}

TEST_CASE("a preemption marks, signals, waits, releases the beneficiary and only then requeues") {
  world w{2};
  auto const low = w.slurm.submit(2, 8, "checkpoint_seconds=3");
  w.pass_seconds(5);
  static_cast<void>(w.slurm.taken_requests());
  auto const high = w.slurm.submit(1, 8, "priority=5");
  static_cast<void>(w.cycle());
  CHECK(w.slurm.taken_requests() == requests{"mark 1", "signal 1"});
  CHECK(w.slurm.note(low).text == "makes way for job 2");
  CHECK(w.slurm.note(low).leaves == w.unix_seconds + 3);
  w.pass_seconds(2);
  CHECK(w.slurm.taken_requests().empty());
  w.pass_seconds(2);
  CHECK(w.slurm.taken_requests() == requests{"release 2", "requeue 1"});
  w.pass_seconds(2);
  CHECK(w.slurm.job(high).phase == job_phase::running);
  CHECK(w.slurm.job(low).phase == job_phase::held);
  CHECK(w.slurm.note(low).leaves == 0);
  // It has saved, and did not work meanwhile: 3 to 4 s on 16 GPUs.
  CHECK(w.self->counted().gpu_milliseconds_lost >= 48'000);
  CHECK(w.self->counted().gpu_milliseconds_lost <= 66'000);
}

TEST_CASE("a job without a way to save loses its work, and the figures say how much") {
  world w{1};
  w.slurm.submit(1, 8);
  w.pass_seconds(11);
  w.slurm.submit(1, 8, "priority=5");
  w.pass_seconds(2);
  CHECK(w.slurm.taken_requests() == requests{"release 1", "release 2", "requeue 1"});
  // It ran from its second second on, so for 8 to 10 s on 8 GPUs.
  CHECK(w.self->counted().gpu_milliseconds_lost >= 64'000);
  CHECK(w.self->counted().gpu_milliseconds_lost <= 96'000);
}

TEST_CASE("steps of the wall clock neither shorten nor lengthen the time to save") {
  for (std::int64_t const step : {-3600, 3600}) {
    CAPTURE(step);
    world w{1};
    w.slurm.submit(1, 8, "checkpoint_seconds=3");
    w.pass_seconds(5);
    w.slurm.submit(1, 8, "priority=5");
    static_cast<void>(w.cycle());
    static_cast<void>(w.slurm.taken_requests());
    w.unix_seconds += step;
    w.pass_seconds(2);
    CHECK(w.slurm.taken_requests().empty());
    w.pass_seconds(2);
    CHECK(w.slurm.taken_requests() == requests{"release 2", "requeue 1"});
  }
}

TEST_CASE("nobody is stopped in the first second of a run") {
  world w{1};
  w.slurm.submit(1, 8);
  while (w.slurm.job(1).phase != job_phase::running) {
    w.pass_seconds(1);
  }
  static_cast<void>(w.slurm.taken_requests());
  w.slurm.submit(1, 8, "priority=5");
  berth::time_point const began = w.now;
  while (w.slurm.job(1).phase == job_phase::running) {
    static_cast<void>(w.cycle());
    w.now += 100ms;
  }
  CHECK(w.now - began >= 1s);
  CHECK(w.now - began <= 3s);
}

TEST_CASE("a new agent finds what runs and stops nothing of it") {
  for (bool const with_memory : {false, true}) {
    CAPTURE(with_memory);
    world w{2};
    auto const spread = w.slurm.submit(2, 3);
    auto const small = w.slurm.submit(1, 2);
    auto const waiting = w.slurm.submit(2, 8);
    w.pass_seconds(4);
    auto const spread_gpus = w.slurm.job(spread).gpus;
    static_cast<void>(w.slurm.taken_requests());
    w.restart(with_memory ? w.self->snapshot() : std::vector<std::byte>{});
    w.pass_seconds(4);
    CHECK(w.slurm.taken_requests().empty());
    CHECK(w.slurm.job(spread).phase == job_phase::running);
    CHECK(w.slurm.job(small).phase == job_phase::running);
    CHECK(w.slurm.job(waiting).phase == job_phase::held);
    CHECK(w.self->counted().gpus[static_cast<std::size_t>(berth::gpu_state::held)] == 8);
    w.slurm.cancel(spread);
    w.slurm.cancel(small);
    w.pass_seconds(4);
    CHECK(w.slurm.job(waiting).phase == job_phase::running);
  }
}

TEST_CASE(
    "a new agent requeues the job that an earlier one has told to save, after telling it again") {
  world w{1};
  auto const low = w.slurm.submit(1, 8, "checkpoint_seconds=3");
  w.pass_seconds(5);
  w.slurm.submit(1, 8, "priority=5");
  static_cast<void>(w.cycle());
  static_cast<void>(w.slurm.taken_requests());
  w.restart();
  w.pass_seconds(5);
  requests const orders = w.slurm.taken_requests();
  CHECK(std::count(orders.begin(), orders.end(), "signal 1") >= 1);
  CHECK(std::count(orders.begin(), orders.end(), "requeue 1") == 1);
  w.pass_seconds(5);
  CHECK(w.slurm.job(low).phase == job_phase::held);
  CHECK(w.slurm.job(2).phase == job_phase::running);
}

TEST_CASE("a refused release is said on the job and tried again later") {
  world w{1};
  auto const job = w.slurm.submit(1, 8);
  w.slurm.refuse_releases = true;
  w.pass_seconds(1);
  CHECK(w.slurm.note(job).text.find("Slurm refused: Invalid node name") != std::string::npos);
  CHECK(w.slurm.taken_requests().size() <= 2);
  w.slurm.refuse_releases = false;
  w.pass_seconds(8);
  CHECK(w.slurm.job(job).phase == job_phase::running);
}

TEST_CASE("nothing is asked of a Slurm that does not answer") {
  world w{1};
  w.slurm.submit(1, 8);
  w.slurm.is_away = true;
  CHECK(w.cycle() == cycle_outcome::unreachable);
  CHECK(w.slurm.requests.empty());
  w.slurm.is_away = false;
  w.pass_seconds(3);
  CHECK(w.slurm.job(1).phase == job_phase::running);
}

TEST_CASE("GPUs of other partitions are left alone") {
  world w{2};
  w.slurm.node(0).foreign = 0x0f;
  auto const large = w.slurm.submit(2, 8);
  auto const fits = w.slurm.submit(1, 8);
  w.pass_seconds(3);
  CHECK(w.slurm.job(large).phase == job_phase::held);
  CHECK(w.slurm.job(fits).gpus[0].node == "n1");
  w.slurm.node(0).foreign = 0;
  w.slurm.cancel(fits);
  w.pass_seconds(4);
  CHECK(w.slurm.job(large).phase == job_phase::running);
}

TEST_CASE("arrays, jobs without GPUs and jobs that never fit are told from each other") {
  world w{1};
  auto const array = w.slurm.submit(1, 1);
  w.slurm.job(array).is_array = true;
  auto const plain = w.slurm.submit(1, 0);
  auto const never = w.slurm.submit(2, 8);
  w.pass_seconds(1);
  CHECK(w.slurm.job(array).phase == job_phase::held);
  CHECK(w.slurm.note(array).text.find("job array") != std::string::npos);
  CHECK(w.slurm.job(plain).phase == job_phase::running);
  CHECK(w.slurm.note(never).text.starts_with("can never start: "));
}

TEST_CASE("an ending agent leaves waiting jobs held and running jobs running") {
  world w{2};
  w.slurm.submit(1, 8);
  w.pass_seconds(2);
  w.slurm.submit(1, 8);
  static_cast<void>(w.cycle());
  CHECK(w.slurm.job(2).phase == job_phase::released);
  w.self->shut_down({w.now, w.unix_seconds});
  CHECK(w.slurm.job(1).phase == job_phase::running);
  CHECK(w.slurm.job(2).phase == job_phase::held);
}

TEST_CASE(
    "whatever happens, every job that is not cancelled ends once and agents agree with Slurm") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    world w{3};
    std::set<slurm_agent::job_number> cancelled;
    for (int second = 0; second < 60; ++second) {
      switch (random.below(8)) {
        case 0:
        case 1:
        case 2:
          w.slurm.submit(static_cast<int>(1 + random.below(3)),
                         static_cast<int>(1 + random.below(8)),
                         "priority=" + std::to_string(random.below(3)) +
                             " checkpoint_seconds=" + std::to_string(random.below(3)),
                         static_cast<int>(1 + random.below(6)));
          break;
        case 3:
          w.restart(random.below(2) == 0 ? w.self->snapshot() : std::vector<std::byte>{});
          break;
        case 4:
          if (!w.slurm.jobs().empty()) {
            auto const& job = w.slurm.jobs()[random.below(w.slurm.jobs().size())];
            if (job.phase == job_phase::held || job.phase == job_phase::released ||
                job.phase == job_phase::running) {
              cancelled.insert(job.number);
              w.slurm.cancel(job.number);
            }
          }
          break;
        case 5:
          w.slurm.node(random.below(3)).health =
              random.below(2) == 0 ? berth::node_health::up : berth::node_health::draining;
          break;
        case 6: w.slurm.is_away = !w.slurm.is_away; break;
        default: break;
      }
      w.pass_seconds(1);
    }
    w.slurm.is_away = false;
    for (std::size_t i = 0; i < 3; ++i) {
      w.slurm.node(i).health = berth::node_health::up;
    }
    w.pass_seconds(300);
    for (auto const& job : w.slurm.jobs()) {
      CAPTURE(job.number);
      CAPTURE(job.admin_comment);
      bool const ended = job.phase == job_phase::succeeded ||
                         (cancelled.contains(job.number) && job.phase == job_phase::failed);
      CHECK(ended);
    }
    CHECK(w.self->counted().gpus[static_cast<std::size_t>(berth::gpu_state::free)] == 24);
  }
}
