// SPDX-License-Identifier: BSL-1.0
// Bad input: every error a caller can provoke comes back with exactly its code and field, and
// leaves the scheduler as it was.
#include <berth/admission/accept_all.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_state.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/preemption/free_of_charge.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace bad_input_test {

using namespace berth;

namespace {
// Admits whoever carries an even tag.
struct even_tags {
  using component_role = admission_role;
  [[nodiscard]] bool admit(job_view const& job, tick_context const&) const noexcept {
    return job.spec().tag % 2 == 0;
  }
};

constexpr time_point start{duration{1000}};

scheduler_config small_config() {
  scheduler_config config;
  config.max_jobs = 8;
  config.max_nodes = 4;
  config.max_gpus = 24;
  config.max_tenants = 2;
  return config;
}
cluster small_cluster() {
  cluster made{{"old", "new"}};
  REQUIRE(made.add({.gpus = 4, .tag = 1}));
  REQUIRE(made.add({.gpus = 4, .tag = 2}));
  return made;
}
auto make(scheduler_config const& config = small_config(), cluster const& nodes = small_cluster()) {
  return make_scheduler(nodes, config, priority_class{}, free_of_charge{}, even_tags{}).value();
}
using tested = decltype(make());

/// Calls, and expects a refusal that leaves no trace.
template <class Call>
void refuses(tested& s, error expected, Call&& call) {
  std::uint64_t const digest_before = s.state_digest();
  time_point const now_before = s.now();
  time_point const wakeup_before = s.next_wakeup();
  std::size_t const jobs_before = s.job_count();
  auto const answer = call(s);
  REQUIRE_FALSE(answer.has_value());
  CAPTURE(std::string{to_string(answer.error().code)});
  CAPTURE(std::string{to_string(answer.error().where)});
  CHECK(answer.error() == expected);
  CHECK(s.state_digest() == digest_before);
  CHECK(s.now() == now_before);
  CHECK(s.next_wakeup() == wakeup_before);
  CHECK(s.job_count() == jobs_before);
  char const* const broken = s.check_invariants();
  CHECK(std::string{broken == nullptr ? "" : broken} == "");
}

error const unknown_job{errc::unknown_job, field::job};
error const stale_job{errc::stale_job, field::job};
error const stale_run{errc::stale_run, field::run};
error const wrong_state{errc::wrong_state, field::state};
error const bad_done{errc::bad_number, field::done};

job_id submit(tested& s, std::int32_t gang, std::int32_t priority = 0, std::uint64_t tag = 0) {
  return s
      .submit({.gang = gang, .priority = priority, .tag = tag}, s.now() < start ? start : s.now())
      .value();
}
job_state state_of(tested const& s, job_id job) {
  return s.view(job).value().state();
}

// A scheduler with one job in each state that a living job can be in.
struct populated {
  tested s = make();
  job_id submitted;
  job_id pending;
  job_id reserving;
  job_id launching;
  job_id running;
  job_id draining;
  job_id cancelling;

  populated() {
    draining = submit(s, 1);
    cancelling = submit(s, 1, 1);
    running = submit(s, 1, 5);
    static_cast<void>(s.tick(start));
    for (job_id const job : {draining, cancelling, running}) {
      s.report(job, started{}, start).value();
    }
    launching = submit(s, 2, 5);
    static_cast<void>(s.tick(start));
    s.cancel(cancelling, start).value();
    reserving = submit(s, 4, 4);
    static_cast<void>(s.tick(start));
    pending = submit(s, 8, 0);
    submitted = submit(s, 1, 0, 1);
    static_cast<void>(s.tick(start));
    REQUIRE(state_of(s, submitted) == job_state::submitted);
    REQUIRE(state_of(s, pending) == job_state::pending);
    REQUIRE(state_of(s, reserving) == job_state::reserving);
    REQUIRE(state_of(s, launching) == job_state::launching);
    REQUIRE(state_of(s, running) == job_state::running);
    REQUIRE(state_of(s, draining) == job_state::draining);
    REQUIRE(state_of(s, cancelling) == job_state::cancelling);
    REQUIRE(s.check_invariants() == nullptr);
  }
  [[nodiscard]] job_id in(job_state state) const {
    switch (state) {
      case job_state::submitted: return submitted;
      case job_state::pending: return pending;
      case job_state::reserving: return reserving;
      case job_state::launching: return launching;
      case job_state::running: return running;
      case job_state::draining: return draining;
      case job_state::cancelling: return cancelling;
      case job_state::resizing:  // no job of this allocator
      case job_state::finished:
      case job_state::failed:
      case job_state::cancelled: break;
    }
    return job_id{};
  }
};
constexpr job_state living[] = {job_state::submitted, job_state::pending, job_state::reserving,
                                job_state::launching, job_state::running, job_state::draining,
                                job_state::cancelling};

/// Every call about a job, with a name for the log.
template <class Visit>
void for_each_job_call(job_id job, time_point now, run_number run, Visit&& visit) {
  visit("started", [=](tested& s) { return s.report(job, started{run}, now); });
  visit("launch_failed", [=](tested& s) { return s.report(job, launch_failed{run}, now); });
  visit("progress", [=](tested& s) { return s.report(job, progress{duration{1}, run}, now); });
  visit("checkpointed", [=](tested& s) { return s.report(job, checkpointed{not_said, run}, now); });
  visit("stopped", [=](tested& s) { return s.report(job, stopped{not_said, run}, now); });
  visit("member_finished", [=](tested& s) {
    return s.report(job, member_finished{node_id{0, 0}, 1, run}, now);
  });
  visit("run_failed", [=](tested& s) { return s.report(job, run_failed{run}, now); });
}
template <class Visit>
void for_each_owner_call(job_id job, time_point now, Visit&& visit) {
  visit("complete", [=](tested& s) { return s.complete(job, now); });
  visit("failed", [=](tested& s) { return s.complete(job, now, outcome::failed); });
  visit("cancel", [=](tested& s) { return s.cancel(job, now); });
}
template <class Visit>
void for_each_node_call(node_id node, time_point now, Visit&& visit) {
  visit("remove_node", [=](tested& s) { return s.remove_node(node, now); });
  visit("set_node up", [=](tested& s) { return s.set_node(node, node_health::up, now); });
  visit("set_node down", [=](tested& s) { return s.set_node(node, node_health::down, now); });
  visit("set_lost_gpus", [=](tested& s) { return s.set_lost_gpus(node, 1, now); });
  visit("set_capacity", [=](tested& s) { return s.set_capacity(node, 1, now); });
}
}  // namespace

TEST_CASE("bad input: a job that was never given out is unknown to every call") {
  populated p;
  for (job_id const job : {job_id{}, job_id{7, 0}, job_id{8, 0}, job_id{0, 1},
                           job_id{0, 0xffffffffu}, job_id{0xfffffffeu, 0}}) {
    CAPTURE(job.value());
    auto const expect = [&](char const* name, auto call) {
      CAPTURE(std::string{name});
      refuses(p.s, unknown_job, call);
    };
    for_each_job_call(job, start, run_number{}, expect);
    for_each_owner_call(job, start, expect);
    expect("view", [=](tested& s) { return s.view(job); });
    expect("why_waiting", [=](tested& s) { return s.why_waiting(job); });
    expect("forecast_end", [=](tested& s) { return s.forecast_end(job); });
    expect("for_each_gpu", [=](tested& s) { return s.for_each_gpu(job, [](gpu_range const&) {}); });
  }
}

TEST_CASE("bad input: a job that has ended is stale, though its slot serves another") {
  for (int way = 0; way < 4; ++way) {
    CAPTURE(way);
    tested s = make();
    job_id const ended = submit(s, 1);
    switch (way) {
      case 0: s.complete(ended, start).value(); break;
      case 1: s.complete(ended, start, outcome::failed).value(); break;
      case 2: s.cancel(ended, start).value(); break;
      default:
        static_cast<void>(s.tick(start));
        s.report(ended, started{}, start).value();
        s.complete(ended, start).value();
    }
    auto const expect = [&](char const* name, auto call) {
      CAPTURE(std::string{name});
      refuses(s, stale_job, call);
    };
    for (int reused = 0; reused < 2; ++reused) {
      for_each_job_call(ended, start, run_number{}, expect);
      for_each_owner_call(ended, start, expect);
      expect("view", [=](tested& t) { return t.view(ended); });
      expect("why_waiting", [=](tested& t) { return t.why_waiting(ended); });
      expect("forecast_end", [=](tested& t) { return t.forecast_end(ended); });
      expect("for_each_gpu",
             [=](tested& t) { return t.for_each_gpu(ended, [](gpu_range const&) {}); });
      if (reused == 0) {
        job_id const next = submit(s, 1);
        REQUIRE(next.slot() == ended.slot());
        REQUIRE(next.generation() == ended.generation() + 1);
      }
    }
  }
}

TEST_CASE("bad input: a report that is illegal in the job's state is refused, a legal one is not") {
  struct fact {
    char const* name;
    job_event event;
  };
  for (job_state const state : living) {
    CAPTURE(std::string{to_string(state)});
    auto const legal_or_refused = [&](char const* name, bool legal, auto call) {
      CAPTURE(std::string{name});
      populated p;
      if (legal) {
        auto const answer = call(p.s, p.in(state));
        CHECK(answer.has_value());
        CHECK(p.s.check_invariants() == nullptr);
      } else {
        refuses(p.s, wrong_state, [&](tested& s) { return call(s, p.in(state)); });
      }
    };
    using enum job_state;
    bool const runs = state == running || state == draining || state == cancelling;
    legal_or_refused("started", state == launching,
                     [](tested& s, job_id j) { return s.report(j, started{}, start); });
    legal_or_refused("launch_failed", state == launching,
                     [](tested& s, job_id j) { return s.report(j, launch_failed{}, start); });
    legal_or_refused("progress", runs,
                     [](tested& s, job_id j) { return s.report(j, progress{}, start); });
    legal_or_refused("checkpointed", runs,
                     [](tested& s, job_id j) { return s.report(j, checkpointed{}, start); });
    legal_or_refused("stopped", state == draining || state == cancelling,
                     [](tested& s, job_id j) { return s.report(j, stopped{}, start); });
    legal_or_refused("run_failed", runs || state == launching,
                     [](tested& s, job_id j) { return s.report(j, run_failed{}, start); });
    legal_or_refused("cancel", state != cancelling,
                     [](tested& s, job_id j) { return s.cancel(j, start); });
    legal_or_refused("complete", true, [](tested& s, job_id j) { return s.complete(j, start); });
    legal_or_refused("failed", true,
                     [](tested& s, job_id j) { return s.complete(j, start, outcome::failed); });
    legal_or_refused("member_finished", runs || state == launching, [](tested& s, job_id j) {
      member_finished all{};
      s.for_each_gpu(j, [&](gpu_range const& held) {
         all.node = held.node;
         all.gpus = held.gpus;
       }).value();
      return s.report(j, all, start);
    });
  }
}

TEST_CASE("bad input: a message of an earlier or later run is stale, in every state") {
  for (job_state const state : living) {
    CAPTURE(std::string{to_string(state)});
    populated p;
    for (run_number const run : {run_number{7}, run_number{0xffffffffu}}) {
      for_each_job_call(p.in(state), start, run, [&](char const* name, auto call) {
        CAPTURE(std::string{name});
        refuses(p.s, stale_run, call);
      });
    }
  }
  // An earlier run that was real: the job is on its second.
  populated p;
  p.s.report(p.running, run_failed{run_number{1}}, start).value();
  refuses(p.s, wrong_state,
          [&](tested& s) { return s.report(p.running, run_failed{run_number{1}}, start); });
  time_point const later = start + std::chrono::hours{1};
  p.s.report(p.launching, launch_failed{}, later).value();
  static_cast<void>(p.s.tick(later));
  REQUIRE(state_of(p.s, p.running) == job_state::launching);
  for_each_job_call(p.running, later, run_number{1}, [&](char const* name, auto call) {
    CAPTURE(std::string{name});
    refuses(p.s, stale_run, call);
  });
  CHECK(p.s.report(p.running, started{run_number{2}}, later).has_value());
}

TEST_CASE("bad input: repeated messages are refused the second time") {
  populated p;
  p.s.report(p.launching, started{run_number{1}}, start).value();
  refuses(p.s, wrong_state,
          [&](tested& s) { return s.report(p.launching, started{run_number{1}}, start); });
  p.s.report(p.draining, stopped{.run = run_number{1}}, start).value();
  refuses(p.s, wrong_state,
          [&](tested& s) { return s.report(p.draining, stopped{.run = run_number{1}}, start); });
  p.s.complete(p.running, start).value();
  refuses(p.s, stale_job, [&](tested& s) { return s.complete(p.running, start); });
  p.s.cancel(p.pending, start).value();
  refuses(p.s, stale_job, [&](tested& s) { return s.cancel(p.pending, start); });
}

TEST_CASE("bad input: started for a job that was not launched") {
  tested s = make();
  job_id const job = submit(s, 1);
  refuses(s, wrong_state, [&](tested& t) { return t.report(job, started{}, start); });
  static_cast<void>(s.tick(start));
  CHECK(s.report(job, started{}, start).has_value());
}

TEST_CASE(
    "bad input: work done is a duration within 34 years, or not said where that has a meaning") {
  populated p;
  for (duration const bad :
       {duration{-1}, duration{-2}, duration::min(), max_duration + duration{1}, forever}) {
    CAPTURE(bad.count());
    refuses(p.s, bad_done, [&](tested& s) { return s.report(p.running, progress{bad}, start); });
    if (bad != not_said) {
      refuses(p.s, bad_done,
              [&](tested& s) { return s.report(p.running, checkpointed{bad}, start); });
      refuses(p.s, bad_done, [&](tested& s) { return s.report(p.draining, stopped{bad}, start); });
    }
  }
  CHECK(p.s.report(p.running, progress{max_duration}, start).has_value());
  CHECK(p.s.report(p.running, checkpointed{max_duration}, start).has_value());
  CHECK(p.s.report(p.draining, stopped{max_duration}, start).has_value());
  CHECK(p.s.check_invariants() == nullptr);
}

TEST_CASE("bad input: time goes back in every call that takes it") {
  populated p;
  p.s.report(p.running, progress{duration{5}}, start + duration{10}).value();
  error const back{errc::time_went_back, field::now};
  for (time_point const now : {start + duration{9}, start, time_point::min()}) {
    CAPTURE(now.time_since_epoch().count());
    auto const expect = [&](char const* name, auto call) {
      CAPTURE(std::string{name});
      refuses(p.s, back, call);
    };
    for_each_job_call(p.running, now, run_number{}, expect);
    for_each_owner_call(p.running, now, expect);
    for_each_node_call(node_id{0, 0}, now, expect);
    expect("submit", [=](tested& s) { return s.submit(job_spec{}, now); });
    expect("add_node", [=](tested& s) { return s.add_node(node_spec{.gpus = 1}, now); });
    std::uint64_t const before = p.s.state_digest();
    plan const refused = p.s.tick(now);
    CHECK(refused.is_refused());
    CHECK(refused.empty());
    CHECK(refused.error() == back);
    CHECK(p.s.state_digest() == before);
  }
  CHECK_FALSE(p.s.tick(start + duration{10}).is_refused());
}

TEST_CASE("bad input: an instant beyond the documented range is a bad number in every call") {
  populated p;
  error const bad{errc::bad_number, field::now};
  for (time_point const now : {time_point{max_instant + duration{1}}, never}) {
    auto const expect = [&](char const* name, auto call) {
      CAPTURE(std::string{name});
      refuses(p.s, bad, call);
    };
    for_each_job_call(p.running, now, run_number{}, expect);
    for_each_owner_call(p.running, now, expect);
    for_each_node_call(node_id{0, 0}, now, expect);
    expect("submit", [=](tested& s) { return s.submit(job_spec{}, now); });
    expect("add_node", [=](tested& s) { return s.add_node(node_spec{.gpus = 1}, now); });
    CHECK(p.s.tick(now).is_refused());
    CHECK(p.s.tick(now).error() == bad);
  }
  tested fresh = make();
  CHECK(fresh.tick(time_point{-max_instant - duration{1}}).error() == bad);
  CHECK_FALSE(fresh.tick(time_point{-max_instant}).is_refused());
  CHECK_FALSE(fresh.tick(time_point{max_instant}).is_refused());
}

TEST_CASE("bad input: every member of job_spec that may not enter is refused through submit") {
  populated p;
  auto const expect = [&](errc code, field where, auto change) {
    CAPTURE(std::string{to_string(where)});
    job_spec job;
    change(job);
    refuses(p.s, {code, where}, [&](tested& s) { return s.submit(job, start); });
  };
  using enum errc;
  expect(zero_or_negative, field::gang, [](job_spec& j) { j.gang = 0; });
  expect(zero_or_negative, field::gang, [](job_spec& j) { j.gang = -4; });
  expect(bad_number, field::gang,
         [](job_spec& j) { j.gang = std::numeric_limits<std::int32_t>::max(); });
  expect(zero_or_negative, field::gpus_per_member, [](job_spec& j) { j.gpus_per_member = 0; });
  expect(bad_number, field::gpus_per_member, [](job_spec& j) { j.gpus_per_member = 65; });
  expect(zero_or_negative, field::roles, [](job_spec& j) { j.roles = {role{1, 0}}; });
  expect(inconsistent, field::roles, [](job_spec& j) { j.roles = {role{}, role{1, 1}}; });
  expect(bad_number, field::roles, [](job_spec& j) { j.roles = {role{1, 65}}; });
  expect(inconsistent, field::min_gang, [](job_spec& j) { j.min_gang = 2; });
  expect(zero_or_negative, field::group_size, [](job_spec& j) { j.group_size = -1; });
  expect(inconsistent, field::group_size, [](job_spec& j) { j.group = group_id{1}; });
  expect(bad_number, field::cpu_milli_per_gpu, [](job_spec& j) { j.cpu_milli_per_gpu = -1; });
  expect(bad_number, field::memory_mib_per_gpu, [](job_spec& j) { j.memory_mib_per_gpu = -1; });
  expect(unknown_gpu_type, field::allowed_types, [](job_spec& j) { j.allowed_types = 4; });
  expect(unknown_gpu_type, field::allowed_types, [](job_spec& j) { j.allowed_types = 0; });
  for (double const speed :
       {std::nan(""), std::numeric_limits<double>::infinity(), -1.0, 1e9, 1e-9}) {
    expect(bad_number, field::speed, [&](job_spec& j) { j.speed[1] = speed; });
  }
  expect(bad_number, field::layout, [](job_spec& j) { j.layout = static_cast<spread>(9); });
  expect(bad_number, field::pool, [](job_spec& j) { j.where = static_cast<pool>(9); });
  expect(bad_number, field::spread_loss, [](job_spec& j) { j.spread_loss = -2; });
  expect(bad_number, field::spread_loss, [](job_spec& j) { j.spread_loss = 1001; });
  expect(bad_number, field::batch_size, [](job_spec& j) { j.batch_size = -1; });
  expect(bad_number, field::epochs, [](job_spec& j) { j.epochs = -1; });
  expect(bad_number, field::samples, [](job_spec& j) { j.samples = -1; });
  expect(unknown_tenant, field::tenant, [](job_spec& j) { j.tenant = tenant_id{2}; });
  expect(unknown_tenant, field::tenant, [](job_spec& j) { j.tenant = tenant_id{0xffffffffu}; });
  expect(bad_number, field::work, [](job_spec& j) { j.work = duration{0}; });
  expect(bad_number, field::work, [](job_spec& j) { j.work = max_duration + duration{1}; });
  expect(bad_number, field::estimate, [](job_spec& j) { j.estimate = duration{-1}; });
  expect(bad_number, field::deadline, [](job_spec& j) { j.deadline = time_point::min(); });
  expect(bad_number, field::epoch, [](job_spec& j) { j.checkpoints.epoch_period = duration{-1}; });
  expect(bad_number, field::checkpoint, [](job_spec& j) { j.checkpoints.period = duration{-1}; });
  expect(bad_number, field::checkpoint, [](job_spec& j) { j.checkpoints.phase = duration{-1}; });
  expect(bad_number, field::startup, [](job_spec& j) { j.checkpoints.startup = forever; });
  expect(bad_number, field::checkpoint_bytes,
         [](job_spec& j) { j.checkpoints.checkpoint_bytes = -1; });
  expect(bad_number, field::dataset_bytes, [](job_spec& j) { j.checkpoints.dataset_bytes = -1; });
}

TEST_CASE("bad input: every member of node_spec that may not enter is refused through add_node") {
  populated p;
  auto const expect = [&](errc code, field where, node_spec const& node) {
    CAPTURE(std::string{to_string(where)});
    refuses(p.s, {code, where}, [&](tested& s) { return s.add_node(node, start); });
  };
  expect(errc::bad_number, field::gpus, {.gpus = -1});
  expect(errc::bad_number, field::gpus, {.gpus = 65});
  expect(errc::unknown_gpu_type, field::type, {.gpus = 1, .type = gpu_type{2}});
  expect(errc::bad_number, field::pool, {.gpus = 1, .owner = static_cast<pool>(5)});
  expect(errc::bad_number, field::health, {.gpus = 1, .health = static_cast<node_health>(5)});
  expect(errc::bad_number, field::cpu_milli, {.gpus = 1, .cpu_milli = -1});
  expect(errc::bad_number, field::memory_mib, {.gpus = 1, .memory_mib = -1});
  expect(errc::bad_number, field::rack, {.gpus = 1, .rack = rack_id{4}});
  expect(errc::bad_number, field::rack, {.gpus = 1, .rack = rack_id{0xffffffffu}});
  expect(errc::duplicate_node, field::tag, {.gpus = 1, .tag = 2});
  expect(errc::capacity_exceeded, field::max_gpus, {.gpus = 17});
  REQUIRE(p.s.add_node({.gpus = 0, .rack = rack_id{3}}, start));
  REQUIRE(p.s.add_node({.gpus = 0}, start));
  expect(errc::capacity_exceeded, field::max_nodes, {.gpus = 0});
}

TEST_CASE(
    "bad input: nodes that were never there are unknown, removed ones are stale, to every call") {
  populated p;
  node_id const gone = p.s.add_node({.gpus = 2}, start).value();
  p.s.remove_node(gone, start).value();
  for (node_id const node :
       {node_id{}, node_id{3, 0}, node_id{99, 0}, node_id{0, 1}, node_id{2, 1}}) {
    CAPTURE(node.value());
    for_each_node_call(node, start, [&](char const* name, auto call) {
      CAPTURE(std::string{name});
      refuses(p.s, {errc::unknown_node, field::node}, call);
    });
  }
  for (int reused = 0; reused < 2; ++reused) {
    for_each_node_call(gone, start, [&](char const* name, auto call) {
      CAPTURE(std::string{name});
      refuses(p.s, {errc::stale_node, field::node}, call);
    });
    if (reused == 0) {
      REQUIRE(p.s.add_node({.gpus = 2}, start).value() == node_id{2, 1});
    }
  }
}

TEST_CASE("bad input: a node with jobs on it is not removed, until it is down") {
  populated p;
  error const in_use{errc::node_in_use, field::node};
  refuses(p.s, in_use, [](tested& s) { return s.remove_node(node_id{0, 0}, start); });
  p.s.set_node(node_id{0, 0}, node_health::draining, start).value();
  refuses(p.s, in_use, [](tested& s) { return s.remove_node(node_id{0, 0}, start); });
  p.s.set_node(node_id{0, 0}, node_health::down, start).value();
  CHECK(p.s.remove_node(node_id{0, 0}, start).has_value());
  CHECK(p.s.check_invariants() == nullptr);
}

TEST_CASE(
    "bad input: GPUs that a node does not have, capacities beyond it, healths that do not exist") {
  populated p;
  node_id const node{0, 0};
  refuses(p.s, {errc::bad_number, field::mask},
          [&](tested& s) { return s.set_lost_gpus(node, 0b10000, start); });
  refuses(p.s, {errc::bad_number, field::mask},
          [&](tested& s) { return s.set_lost_gpus(node, ~gpu_mask{0}, start); });
  for (std::int32_t const bad : {-1, 5, std::numeric_limits<std::int32_t>::max(),
                                 std::numeric_limits<std::int32_t>::min()}) {
    refuses(p.s, {errc::bad_number, field::gpus},
            [&](tested& s) { return s.set_capacity(node, bad, start); });
  }
  refuses(p.s, {errc::bad_number, field::health},
          [&](tested& s) { return s.set_node(node, static_cast<node_health>(3), start); });
}

TEST_CASE("bad input: member_finished of GPUs that the job does not hold, or of half a member") {
  tested s = make();
  job_id const job =
      s.submit({.gang = 2, .gpus_per_member = 2, .layout = spread::same_node}, start).value();
  static_cast<void>(s.tick(start));
  s.report(job, started{}, start).value();
  node_id const node{0, 0};
  error const not_held{errc::not_held, field::mask};
  auto const finished = [&](node_id where, gpu_mask gpus) {
    return [=](tested& t) { return t.report(job, member_finished{where, gpus, {}}, start); };
  };
  refuses(s, not_held, finished(node, 0));
  refuses(s, not_held, finished(node, 0b10000));
  refuses(s, not_held, finished(node, 0b10011));
  refuses(s, not_held, finished(node_id{1, 0}, 0b0011));
  refuses(s, not_held, finished(node_id{0, 1}, 0b0011));
  refuses(s, not_held, finished(node_id{}, 0b0011));
  refuses(s, {errc::inconsistent, field::mask}, finished(node, 0b0001));
  refuses(s, {errc::inconsistent, field::mask}, finished(node, 0b0111));
  CHECK(finished(node, 0b0011)(s).has_value());
  refuses(s, not_held, finished(node, 0b0011));
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("bad input: one job more than the limit") {
  tested s = make();
  for (int i = 0; i < 8; ++i) {
    submit(s, 1);
  }
  refuses(s, {errc::capacity_exceeded, field::max_jobs},
          [](tested& t) { return t.submit(job_spec{}, start); });
}

TEST_CASE(
    "bad input: a gang larger than the cluster is accepted, said to be impossible, in nobody's "
    "way") {
  tested with = make();
  tested without = make();
  job_id const impossible = with.submit({.gang = 9, .priority = 9}, start).value();
  job_id const other = with.submit({.gang = 2, .priority = 1}, start).value();
  REQUIRE(without.submit({.gang = 2, .priority = 1}, start));
  plan const a = with.tick(start);
  plan const b = without.tick(start);
  REQUIRE(a.size() == 1);
  REQUIRE(b.size() == 1);
  CHECK(a[0].job == other);
  CHECK(std::vector<gpu_range>(a[0].gpus.begin(), a[0].gpus.end()) ==
        std::vector<gpu_range>(b[0].gpus.begin(), b[0].gpus.end()));
  CHECK(with.why_waiting(impossible).value() == wait_reason::exceeds_cluster);
  CHECK(is_impossible(with.why_waiting(impossible).value()));
  CHECK(with.next_wakeup() == without.next_wakeup());
}

TEST_CASE("bad input: strict order does not wait for what can never start") {
  auto s = make_scheduler(small_cluster(), small_config(), rigid{queue_order::strict}).value();
  job_id const impossible = s.submit({.gang = 100}, start).value();
  job_id const other = s.submit({.gang = 1}, start).value();
  plan const made = s.tick(start);
  REQUIRE(made.size() == 1);
  CHECK(made[0].job == other);
  CHECK(s.why_waiting(impossible).value() == wait_reason::exceeds_cluster);
}

TEST_CASE("bad input: what can never fit is refused where the configuration says so") {
  scheduler_config config = small_config();
  config.impossible = impossible_gangs::refuse;
  tested s = make(config);
  submit(s, 8);
  error const never_fits{errc::gang_never_fits, field::gang};
  auto const expect = [&](job_spec const& job) {
    refuses(s, never_fits, [&](tested& t) { return t.submit(job, start); });
  };
  expect({.gang = 9});
  expect({.gpus_per_member = 5});
  expect({.gang = 5, .layout = spread::same_node});
  expect({.gang = 3, .layout = spread::one_per_node});
  expect({.allowed_types = 2});
  expect({.where = pool::inference});
  expect({.cpu_milli_per_gpu = 1});
  CHECK(s.submit({.gang = 2, .gpus_per_member = 4}, start).has_value());
}

TEST_CASE(
    "bad input: each configuration value and each node that may not be is refused by create") {
  auto const error_of = [](scheduler_config const& config, cluster const& nodes) {
    return make_scheduler(nodes, config).error();
  };
  scheduler_config config = small_config();
  config.max_jobs = 0;
  CHECK(error_of(config, small_cluster()) == error{errc::bad_config, field::max_jobs});
  config = small_config();
  config.max_gpus = 7;
  CHECK(error_of(config, small_cluster()) == error{errc::capacity_exceeded, field::max_gpus});
  config = small_config();
  config.max_nodes = 1;
  CHECK(error_of(config, small_cluster()) == error{errc::capacity_exceeded, field::max_nodes});
  cluster far{};
  REQUIRE(far.add({.gpus = 1, .rack = rack_id{4}}));
  CHECK(error_of(small_config(), far) == error{errc::bad_number, field::rack});
}

TEST_CASE(
    "bad input: the digest sees every kind of change, so that an unchanged one means something") {
  populated p;
  auto const changes = [&](char const* name, auto call) {
    CAPTURE(std::string{name});
    populated other;
    std::uint64_t const before = other.s.state_digest();
    REQUIRE(call(other).has_value());
    CHECK(other.s.state_digest() != before);
  };
  changes("submit", [](populated& o) { return o.s.submit(job_spec{}, start); });
  changes("cancel", [](populated& o) { return o.s.cancel(o.running, start); });
  changes("complete", [](populated& o) { return o.s.complete(o.pending, start); });
  changes("progress",
          [](populated& o) { return o.s.report(o.running, progress{duration{9}}, start); });
  changes("checkpoint", [](populated& o) { return o.s.report(o.running, checkpointed{}, start); });
  changes("started", [](populated& o) { return o.s.report(o.launching, started{}, start); });
  changes("stopped", [](populated& o) { return o.s.report(o.draining, stopped{}, start); });
  changes("add", [](populated& o) { return o.s.add_node({.gpus = 1}, start); });
  changes("lost", [](populated& o) { return o.s.set_lost_gpus(node_id{1, 0}, 8, start); });
  changes("drain", [](populated& o) {
    return o.s.set_node(node_id{1, 0}, node_health::draining, start);
  });
  changes("time", [](populated& o) {
    return o.s.set_node(node_id{1, 0}, node_health::up, start + duration{1});
  });
  CHECK(p.s.state_digest() == populated{}.s.state_digest());
}

}  // namespace bad_input_test
