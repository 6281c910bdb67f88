// SPDX-License-Identifier: BSL-1.0
// Elastic jobs: Slurm cannot resize them, so the agent lets them save, requeues them, and releases
// them with as many nodes as berth gives them then.
#include <berth/presets/afs.hpp>

#include <tests/slurm_agent/agent_world.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <examples/slurm_agent/engine_model.hpp>

namespace {

using slurm_agent::job_number;
using slurm_agent::job_phase;
using requests = std::vector<std::string>;

berth::result<std::unique_ptr<slurm_agent::engine>> by_afs(berth::cluster const& nodes,
                                                           berth::scheduler_config const& config) {
  return slurm_agent::as_engine(berth::presets::afs(nodes, config));
}

struct elastic_world : agent_world {
  explicit elastic_world(int nodes) : agent_world{nodes, by_afs} {}

  job_number submit_elastic(int nodes, int seconds = 1000) {
    return slurm.submit(nodes, 8, "elastic_min=1 checkpoint_seconds=2", seconds);
  }
  /// Whole nodes that it runs on; 0 if it does not run.
  std::int64_t nodes_of(job_number number) {
    auto const& job = slurm.job(number);
    return job.phase == job_phase::running ? static_cast<std::int64_t>(job.gpus.size()) : 0;
  }
};

}  // namespace

TEST_CASE("an elastic job makes room by a requeue with fewer nodes, and grows again by another") {
  elastic_world w{4};
  job_number const elastic = w.submit_elastic(4);
  w.pass_seconds(4);
  REQUIRE(w.nodes_of(elastic) == 4);
  CHECK(w.slurm.note(elastic).nodes == 0);
  static_cast<void>(w.slurm.taken_requests());

  job_number const rigid = w.slurm.submit(2, 8, "", 30);
  w.pass_seconds(10);
  CHECK(w.nodes_of(rigid) == 2);
  CHECK(w.nodes_of(elastic) == 2);
  CHECK(w.slurm.note(elastic).nodes == 4);  // what its owner asked for
  requests const shrinks = w.slurm.taken_requests();
  auto const at = [&](char const* what) {
    return std::find(shrinks.begin(), shrinks.end(), what) - shrinks.begin();
  };
  CHECK(at("mark 1") < at("signal 1"));
  CHECK(at("signal 1") < at("requeue 1"));
  CHECK(std::count(shrinks.begin(), shrinks.end(), "requeue 1") == 1);
  CHECK(w.self->counted().resizes == 1);
  CHECK(w.self->counted().preemptions == 0);
  // Saving took 2 s to 3 s of 32 GPUs.
  CHECK(w.self->counted().gpu_milliseconds_lost >= 64'000);
  CHECK(w.self->counted().gpu_milliseconds_lost <= 98'000);

  w.pass_seconds(60);
  CHECK(w.slurm.job(rigid).phase == job_phase::succeeded);
  CHECK(w.nodes_of(elastic) == 4);
  CHECK(w.self->counted().resizes == 2);
  CHECK(w.self->counted().rebuilds == 0);
}

TEST_CASE("nobody is started within a second of its last run, which Slurm would fail") {
  elastic_world w{4};
  w.slurm.stops_at_once = true;
  job_number const elastic = w.submit_elastic(4);
  w.pass_seconds(4);
  job_number const rigid = w.slurm.submit(2, 8, "", 30);
  w.pass_seconds(10);
  CHECK(w.nodes_of(rigid) == 2);
  CHECK(w.nodes_of(elastic) == 2);
  CHECK(w.slurm.job(elastic).restarts == 1);
}

TEST_CASE("a job says that it is saving for another size") {
  elastic_world w{2};
  job_number const elastic = w.submit_elastic(2);
  w.pass_seconds(4);
  w.slurm.submit(1, 8, "", 60);
  bool said = false;
  for (int second = 0; second < 8; ++second) {
    w.pass_seconds(1);
    said = said || w.slurm.note(elastic).text.starts_with("saves, to go on with 1 node");
  }
  CHECK(said);
}

TEST_CASE("a job that cannot save has its whole size or none, and is told why") {
  elastic_world w{2};
  job_number const stiff = w.slurm.submit(2, 8, "elastic_min=1");
  w.pass_seconds(4);
  CHECK(w.nodes_of(stiff) == 2);
  CHECK(w.slurm.note(stiff).text.find("elastic_min: needs checkpoint_seconds and --requeue") !=
        std::string::npos);
  w.slurm.submit(1, 8, "", 10);
  for (int second = 0; second < 100; ++second) {
    w.pass_seconds(1);
    CHECK(w.nodes_of(stiff) != 1);
  }
  CHECK(w.nodes_of(stiff) == 2);
  CHECK(w.self->counted().resizes == 0);
}

TEST_CASE("a new agent knows an elastic job by its size, and resizes it as the earlier one would") {
  for (bool const with_memory : {false, true}) {
    CAPTURE(with_memory);
    elastic_world w{4};
    job_number const elastic = w.submit_elastic(4);
    job_number const rigid = w.slurm.submit(2, 8, "", 40);
    w.pass_seconds(15);
    REQUIRE(w.nodes_of(elastic) == 2);
    REQUIRE(w.nodes_of(rigid) == 2);
    static_cast<void>(w.slurm.taken_requests());
    w.restart(with_memory ? w.self->snapshot() : std::vector<std::byte>{});
    w.pass_seconds(5);
    CHECK(w.slurm.taken_requests().empty());
    CHECK(w.nodes_of(elastic) == 2);
    w.pass_seconds(90);
    CHECK(w.slurm.job(rigid).phase == job_phase::succeeded);
    CHECK(w.nodes_of(elastic) == 4);
  }
}

TEST_CASE("an agent that ends in the middle of a resize leaves it to the next one") {
  for (bool const with_memory : {false, true}) {
    CAPTURE(with_memory);
    elastic_world w{4};
    job_number const elastic = w.submit_elastic(4);
    w.pass_seconds(4);
    job_number const rigid = w.slurm.submit(2, 8, "", 300);
    while (w.slurm.note(elastic).leaves == 0) {
      w.pass_seconds(1);
    }
    w.restart(with_memory ? w.self->snapshot() : std::vector<std::byte>{});
    w.pass_seconds(20);
    CHECK(w.nodes_of(elastic) == 2);
    CHECK(w.nodes_of(rigid) == 2);
  }
}

TEST_CASE("an ending agent gives a released job its own size back") {
  elastic_world w{2};
  w.slurm.submit(1, 8);
  w.pass_seconds(4);
  job_number const elastic = w.submit_elastic(2);
  while (w.slurm.job(elastic).phase != job_phase::released) {
    static_cast<void>(w.cycle());
    w.now += std::chrono::milliseconds{100};
  }
  CHECK(w.slurm.job(elastic).nodes_most == 1);
  w.self->shut_down({w.now, w.unix_seconds});
  CHECK(w.slurm.job(elastic).phase == job_phase::held);
  CHECK(w.slurm.job(elastic).nodes_most == 2);
}

TEST_CASE("whatever happens to elastic jobs, every one that is not cancelled ends once") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    elastic_world w{4};
    std::set<job_number> cancelled;
    for (int second = 0; second < 90; ++second) {
      switch (random.below(8)) {
        case 0:
        case 1:
          w.slurm.submit(static_cast<int>(1 + random.below(4)),
                         static_cast<int>(random.below(2) == 0 ? 8 : 1 + random.below(8)),
                         "elastic_min=1 checkpoint_seconds=" + std::to_string(random.below(3)),
                         static_cast<int>(1 + random.below(20)));
          break;
        case 2:
          w.restart(random.below(2) == 0 ? w.self->snapshot() : std::vector<std::byte>{});
          break;
        case 3:
          if (!w.slurm.jobs().empty()) {
            auto const& job = w.slurm.jobs()[random.below(w.slurm.jobs().size())];
            if (job.phase == job_phase::held || job.phase == job_phase::released ||
                job.phase == job_phase::running) {
              cancelled.insert(job.number);
              w.slurm.cancel(job.number);
            }
          }
          break;
        case 4:
          w.slurm.node(random.below(4)).health =
              random.below(2) == 0 ? berth::node_health::up : berth::node_health::draining;
          break;
        case 5: w.slurm.is_away = !w.slurm.is_away; break;
        default: break;
      }
      w.pass_seconds(1);
    }
    w.slurm.is_away = false;
    for (std::size_t i = 0; i < 4; ++i) {
      w.slurm.node(i).health = berth::node_health::up;
    }
    w.pass_seconds(900);
    for (auto const& job : w.slurm.jobs()) {
      CAPTURE(job.number);
      CAPTURE(job.admin_comment);
      bool const ended = job.phase == job_phase::succeeded ||
                         (cancelled.contains(job.number) && job.phase == job_phase::failed);
      CHECK(ended);
    }
    CHECK(w.self->counted().gpus[static_cast<std::size_t>(berth::gpu_state::free)] == 32);
  }
}
