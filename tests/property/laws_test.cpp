// SPDX-License-Identifier: BSL-1.0
// Laws over whole runs: equal calls give equal states, a plan equal to the present is empty,
// impossible gangs change nobody's place, and a composition with preemption does preempt.
#include <berth/core/random.hpp>

#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <doctest/doctest.h>

namespace laws_test {

namespace {

using namespace tests;
using berth::acknowledgement;

TEST_CASE("equal calls give equal plans and states") {
  for (composition const* const each : every_composition) {
    CAPTURE(each->name);
    BERTH_FORALL(4000, 100, 1200, [each](byte_source& in) {
      byte_source again = in;
      auto const nodes = small_cluster();
      auto const config = small_config(acknowledgement::explicit_reports);
      auto const first = each->make(nodes, config);
      auto const second = each->make(nodes, config);
      random_host a{*first, nodes, {}};
      random_host b{*second, nodes, {}};
      while (!in.dry()) {
        a.step(in);
        b.step(again);
        expect(first->state_digest() == second->state_digest(), "equal calls, other states");
        expect(first->plans_digest() == second->plans_digest(), "equal calls, other plans");
        expect(first->next_wakeup() == second->next_wakeup(), "equal calls, other alarms");
      }
    });
  }
}

/// Does a second tick at the same instant find nothing to do? An earmark is its job's until it
/// starts, even if one that may displace it has come in between; that one gets its turn in the next
/// plan.
auto second_plan_is_empty(composition const& of, host_habits habits) {
  return [&of, habits](byte_source& in) {
    auto const nodes = small_cluster(habits);
    auto const made = of.make(nodes, small_config(acknowledgement::explicit_reports));
    random_host host{*made, nodes, habits};
    while (!in.dry()) {
      host.step(in);
      std::vector<berth::job_id> reserving;
      made->for_each_job([&](berth::job_view const& job) {
        if (job.state() == berth::job_state::reserving) {
          reserving.push_back(job.id());
        }
      });
      host.tick();
      bool const claimed = std::any_of(reserving.begin(), reserving.end(), [&](berth::job_id id) {
        return made->view(id)->state() == berth::job_state::launching;
      });
      auto const before = host.started + host.stopped;
      host.tick();
      expect(claimed || host.started + host.stopped == before,
             "a plan equal to the present has actions");
    }
  };
}

TEST_CASE("without preemption a second tick at the same instant has nothing to say") {
  for (composition const* const each : {&strict_fifo, &backfill}) {
    CAPTURE(each->name);
    BERTH_FORALL(5000, 100, 1200, second_plan_is_empty(*each, {}));
  }
}

TEST_CASE("with plain jobs a second tick at the same instant has nothing to say") {
  for (composition const* const each :
       {&strict_fifo, &backfill, &tiresias_like, &shortest_first, &classes}) {
    CAPTURE(each->name);
    host_habits habits;
    habits.one_node_gangs = true;
    BERTH_FORALL(5000, 100, 1200, second_plan_is_empty(*each, habits));
  }
}

TEST_CASE("plans at one instant come to an end") {
  for (composition const* const each : every_composition) {
    CAPTURE(each->name);
    BERTH_FORALL(6000, 100, 1200, [each](byte_source& in) {
      auto const nodes = small_cluster();
      bool const implicit = in.chance(128);
      auto const made = each->make(
          nodes,
          small_config(implicit ? acknowledgement::implicit : acknowledgement::explicit_reports));
      random_host host{*made, nodes, {}};
      while (!in.dry()) {
        host.step(in);
        host.tick_until_quiet();
      }
    });
  }
}

// Which jobs run, by tag, impossible ones left out.
std::map<std::uint64_t, int> starts_by_tag(random_host const& host) {
  std::map<std::uint64_t, int> starts;
  for (known_job const& job : host.books.jobs) {
    if (job.spec.gang < 40) {
      starts[job.spec.tag] = job.starts;
    }
  }
  return starts;
}

TEST_CASE("impossible gangs change nobody's place") {
  for (composition const* const each : every_composition) {
    CAPTURE(each->name);
    BERTH_FORALL(7000, 100, 800, [each](byte_source& in) {
      auto const nodes = small_cluster();
      auto config = small_config(acknowledgement::explicit_reports);
      config.max_jobs = 400;
      auto const with = each->make(nodes, config);
      auto const without = each->make(nodes, config);
      random_host crowded{*with, nodes, {}};
      random_host plain{*without, nodes, {}};
      std::vector<std::size_t> place;  // in crowded.books.jobs of the i-th job of plain
      int impossible = 0;
      for (int tag = 1; !in.dry(); ++tag) {
        if (impossible < 100 && in.chance(80)) {
          berth::job_spec monster;
          monster.gang = 40;
          monster.gpus_per_member = in.one_of({1, 8});
          monster.priority = in.one_of({0, 5});
          monster.work = std::chrono::minutes{1};
          crowded.submit_spec(monster);
          ++impossible;
        }
        if (place.size() < 200 && in.chance(160)) {
          berth::job_spec job;
          job.tag = static_cast<std::uint64_t>(tag);
          job.gang = in.one_of({1, 1, 2, 3});
          job.gpus_per_member = in.one_of({1, 2, 4, 8});
          job.priority = in.one_of({0, 1});
          job.work = std::chrono::minutes{in.one_of({2, 10, 60})};
          job.estimate = job.work;
          place.push_back(crowded.books.jobs.size());
          crowded.submit_spec(job);
          plain.submit_spec(job);
        }
        std::int64_t const later = in.one_of({0, 1000, 60'000, 600'000});
        crowded.tick(later);
        plain.tick(later);
        expect(starts_by_tag(crowded) == starts_by_tag(plain),
               "an impossible gang changed a start");
        for (std::size_t j = 0; j < place.size(); ++j) {
          known_job& one = plain.books.jobs[j];
          known_job& other = crowded.books.jobs[place[j]];
          expect(one.now == other.now && one.gpus == other.gpus, "another place");
          if (one.now == phase::launching) {
            plain.say_started(one, one.run);
            crowded.say_started(other, other.run);
          } else if (one.now == phase::draining && in.chance(128)) {
            plain.say_stopped(one, one.run, berth::not_said);
            crowded.say_stopped(other, other.run, berth::not_said);
          } else if (one.now == phase::running && in.chance(32)) {
            plain.say_complete(one, berth::outcome::finished);
            crowded.say_complete(other, berth::outcome::finished);
          }
        }
      }
    });
  }
}

TEST_CASE("the random runs reach preemption and gangs on several nodes") {
  std::uint64_t stops = 0;
  std::uint64_t wide = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    berth::random_source random{seed};
    std::vector<std::uint8_t> bytes(1500);
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.next() >> 56);
    }
    byte_source in{bytes};
    auto const nodes = small_cluster();
    auto const made = classes.make(nodes, small_config(acknowledgement::explicit_reports));
    random_host host{*made, nodes, {}};
    while (!in.dry()) {
      host.step(in);
      made->for_each_job(
          [&](berth::job_view const& job) { wide += job.nodes_held() > 1 ? 1u : 0u; });
    }
    made->for_each_job([&](berth::job_view const& job) { stops += job.preemptions(); });
  }
  CHECK(stops > 0);
  CHECK(wide > 0);
}

}  // namespace

}  // namespace laws_test
