// SPDX-License-Identifier: BSL-1.0
// What the scheduler tells a predictor that learns.
#include <berth/berth.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace learning_test {

namespace {

using namespace std::chrono_literals;
constexpr berth::time_point start{std::chrono::hours{1}};

/// Remembers the last lesson.
struct pupil {
  using component_role = berth::predictor_role;
  struct job_data {
    std::int64_t asked = 0;
  };
  [[nodiscard]] berth::estimate remaining(berth::job_view const& job, job_data& data,
                                          berth::tick_context const& tick) const noexcept {
    ++data.asked;
    return berth::declared{}.remaining(job, tick);
  }
  void learn(berth::job_view const& job, job_data& data, berth::duration took) noexcept {
    ++lessons;
    last = took;
    was_running = job.is_running();
    knew_its_data = data.asked > 0;
  }
  int lessons = 0;
  berth::duration last{0};
  bool was_running = false;
  bool knew_its_data = false;
};
static_assert(berth::learning_predictor<pupil>);

auto one_node() {
  auto const nodes = berth::cluster::uniform(1, 8).value();
  return berth::make_scheduler(nodes, {}, pupil{}).value();
}

struct learning_cluster {
  decltype(one_node()) s = one_node();

  berth::job_id started(berth::job_spec const& spec, berth::time_point now) {
    auto const job = s.submit(spec, now).value();
    restarted(job, now);
    return job;
  }
  void restarted(berth::job_id job, berth::time_point now) {
    REQUIRE(s.tick(now).size() == 1);
    REQUIRE(s.report(job, berth::started{}, now));
  }
};

}  // namespace

TEST_CASE("a predictor learns how long a job took when it ends well, while it is on its GPUs") {
  learning_cluster c;
  auto const job = c.started({.work = 1h}, start);
  REQUIRE(c.s.complete(job, start + 30min));
  CHECK(c.s.predictor().lessons == 1);
  CHECK(c.s.predictor().last == 30min);
  CHECK(c.s.predictor().was_running);
  CHECK(c.s.predictor().knew_its_data);
}

TEST_CASE("failed, cancelled and never started jobs teach nothing") {
  learning_cluster c;
  auto const failed = c.started({.work = 1h}, start);
  REQUIRE(c.s.complete(failed, start + 1min, berth::outcome::failed));
  auto const cancelled = c.started({.work = 1h}, start + 1min);
  REQUIRE(c.s.cancel(cancelled, start + 2min));
  REQUIRE(c.s.report(cancelled, berth::stopped{}, start + 2min));
  auto const launching = c.s.submit({.work = 1h}, start + 2min).value();
  REQUIRE(c.s.tick(start + 2min).size() == 1);
  REQUIRE(c.s.complete(launching, start + 3min));
  CHECK(c.s.predictor().lessons == 0);
}

TEST_CASE("what stops destroyed is not counted, by what is known or reported of it") {
  learning_cluster c;
  auto const job = c.started({.work = 1h}, start);
  REQUIRE(c.s.report(job, berth::checkpointed{}, start + 10min));
  REQUIRE(c.s.report(job, berth::run_failed{}, start + 15min));  // 5 of 15 minutes lost
  c.restarted(job, start + 1h);
  CHECK(c.s.view(job).value().useful_run_time() == 10min);
  REQUIRE(c.s.complete(job, start + 1h + 20min));
  CHECK(c.s.predictor().last == 30min);
}

TEST_CASE("work that was lost at twice the speed took half the time") {
  berth::job_spec spec{.work = 1h};
  spec.speed[0] = 2.0;
  learning_cluster c;
  auto const job = c.started(spec, start);
  REQUIRE(c.s.report(job, berth::run_failed{}, start + 10min));
  CHECK(c.s.view(job).value().executed() == 10min);
  CHECK(c.s.view(job).value().useful_run_time() == 0ms);
}

TEST_CASE("no more is destroyed than was run, whatever the host says") {
  learning_cluster c;
  berth::job_spec spec{.work = berth::max_duration};
  spec.speed[0] = 0.001;
  auto const job = c.started(spec, start);
  REQUIRE(c.s.report(job, berth::progress{berth::max_duration}, start + 1s));
  REQUIRE(c.s.report(job, berth::run_failed{}, start + 2s));
  CHECK(c.s.view(job).value().useful_run_time() == 0ms);
  CHECK(c.s.check_invariants() == nullptr);
}

namespace {

/// Short jobs of four models, whose lengths only history can tell.
berth::job_spec training(berth::random_source& random) {
  berth::job_spec spec{.gang = static_cast<std::int32_t>(1u << random.below(4))};
  auto const kind = static_cast<std::uint32_t>(random.below(4));
  spec.model = static_cast<berth::model_id>(kind + 1);
  spec.user = static_cast<berth::user_id>(kind / 2 + 1);
  spec.batch_size = static_cast<std::int32_t>(8u << random.below(4));
  spec.epochs = static_cast<std::int32_t>(random.between(1, 9));
  spec.samples = 10'000;
  return spec;
}
berth::duration truth(berth::job_spec const& spec) {
  auto const kind = static_cast<std::int64_t>(spec.model);
  return std::chrono::seconds{kind * 100 * spec.epochs / spec.gang + 1};
}
auto by_history(berth::history past) {
  auto const nodes = berth::cluster::uniform(2, 8).value();
  return berth::make_scheduler(nodes, {}, berth::shortest_remaining{},
                               berth::calibrated<berth::history>{std::move(past)},
                               berth::digest_observer{})
      .value();
}

}  // namespace

TEST_CASE("a restored scheduler whose predictor was saved with it goes on as if never away") {
  auto first = by_history(berth::history{64});
  auto second = by_history(berth::history{64});
  berth::random_source random{19};
  berth::time_point now = start;
  std::vector<std::pair<berth::job_id, berth::time_point>> running;
  for (int round = 0; round < 600; ++round) {
    now += std::chrono::seconds{random.between(1, 60)};
    if (first.job_count() < 30) {
      auto const spec = training(random);
      REQUIRE(first.submit(spec, now).value() == second.submit(spec, now).value());
    }
    auto const is_due = [&](auto const& run) { return run.second <= now; };
    for (auto const& run : running) {
      if (is_due(run)) {
        REQUIRE(first.complete(run.first, now));
        REQUIRE(second.complete(run.first, now));
      }
    }
    std::erase_if(running, is_due);
    std::vector<berth::action> const plan = [&] {
      auto const decided = first.tick(now);
      return std::vector<berth::action>(decided.begin(), decided.end());
    }();
    REQUIRE(second.tick(now).size() == plan.size());
    REQUIRE(first.state_digest() == second.state_digest());
    for (berth::action const& each : plan) {
      if (each.kind == berth::action_kind::start) {
        REQUIRE(first.report(each.job, berth::started{}, now));
        REQUIRE(second.report(each.job, berth::started{}, now));
        running.emplace_back(each.job, now + truth(first.view(each.job).value().spec()));
      } else if (each.kind == berth::action_kind::stop) {
        REQUIRE(first.report(each.job, berth::stopped{}, now));
        REQUIRE(second.report(each.job, berth::stopped{}, now));
        std::erase_if(running, [&](auto const& run) { return run.first == each.job; });
      }
    }
    if (round == 300) {  // the second one dies and comes back
      std::vector<std::byte> state(second.snapshot_size());
      REQUIRE(second.snapshot(state));
      auto const& learned = second.predictor();
      std::vector<std::byte> past(learned.base.save_size());
      std::vector<std::byte> errors(learned.save_size());
      REQUIRE(learned.base.save(past));
      REQUIRE(learned.save(errors));
      berth::calibrated<berth::history> again{berth::history{64}};
      REQUIRE(again.base.load(past));
      REQUIRE(again.load(errors));
      auto const nodes = berth::cluster::uniform(2, 8).value();
      second = berth::make_scheduler(nodes, {}, berth::shortest_remaining{}, std::move(again),
                                     berth::digest_observer{})
                   .value();
      REQUIRE(second.restore(state));
    }
  }
  CHECK(first.predictor().errors().seen() > 100);
  CHECK(first.check_invariants() == nullptr);
}

}  // namespace learning_test
