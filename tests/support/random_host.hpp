// SPDX-License-Identifier: BSL-1.0
// A host that does what bytes tell it: submits jobs of all shapes, ticks, reports in right and
// wrong states, breaks and mends nodes. It knows of every call whether it must be accepted, judges
// every plan by its own books, and asks the scheduler for broken invariants after every call.
#pragma once

#include <berth/core/ids.hpp>
#include <berth/core/random.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/any_scheduler.hpp>
#include <tests/support/byte_source.hpp>
#include <tests/support/forall.hpp>
#include <tests/support/host_books.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tests {

struct host_habits {
  bool breaks_contract = false;  ///< also calls that must be refused
  bool node_events = true;
  bool one_node_gangs = false;  ///< plain jobs: one member, no CPU, no groups
  bool impossible_jobs = true;
  bool speeds = true;   ///< jobs that run at another speed on another type
  bool epochs = false;  ///< jobs have epochs, state and data, and the host says what they read
  int gpu_types = 2;
};

/// Two GPU types, nodes of several sizes, one of them for inference.
[[nodiscard]] inline berth::cluster small_cluster(host_habits const& habits = {}) {
  if (habits.gpu_types == 1) {
    return berth::cluster::uniform(3, 4).value();
  }
  berth::cluster made{{"old", "new"}};
  auto const add = [&](int gpus, int type, int rack, std::int64_t cpu) {
    berth::node_spec node;
    node.gpus = gpus;
    node.type = static_cast<berth::gpu_type>(type);
    node.rack = static_cast<berth::rack_id>(rack);
    node.cpu_milli = cpu;
    node.memory_mib = 1000 * gpus;
    node.tag = made.nodes().size() + 1;
    static_cast<void>(made.add(node).value());
  };
  add(4, 0, 0, 4000);
  add(8, 0, 0, 8000);
  add(4, 0, 1, 2000);
  add(8, 1, 1, 8000);
  return made;
}

[[nodiscard]] inline berth::scheduler_config small_config(berth::acknowledgement how) {
  berth::scheduler_config config;
  config.max_jobs = 24;
  config.max_nodes = 6;
  config.max_gpus = 40;
  config.max_tenants = 3;
  config.look_ahead = 4;
  config.acknowledge = how;
  config.earmark_expiry = std::chrono::minutes{10};
  return config;
}

class random_host {
 public:
  random_host(any_scheduler& scheduler, berth::cluster const& nodes, host_habits habits)
      : scheduler_{scheduler},
        habits_{habits},
        implicit_{scheduler.config().acknowledge == berth::acknowledgement::implicit} {
    for (std::size_t n = 0; n < nodes.nodes().size(); ++n) {
      books.nodes.push_back(
          {berth::node_id{static_cast<std::uint32_t>(n), 0}, nodes.nodes()[n], true, 0});
    }
  }

  host_books books;
  std::uint64_t accepted = 0;
  std::uint64_t started = 0;
  std::uint64_t stopped = 0;

  /// Steps until the bytes are used up.
  void live(byte_source& in) {
    while (!in.dry()) {
      step(in);
    }
  }

  void step(byte_source& in) {
    std::uint32_t const what = in.below(32);
    if (what < 8) {
      submit(in);
    } else if (what < 16) {
      tick(in.one_of({0, 0, 1, 1000, 30'000, 400'000, 4'000'000}));
    } else if (what < 28) {
      report(in);
    } else if (habits_.node_events) {
      change_node(in);
    } else {
      tick(in.below(256) * 1000);
    }
  }

  void tick(std::int64_t later_ms = 0) {
    now_ += berth::duration{later_ms};
    auto const plan = scheduler_.tick(now_);
    expect(!plan.is_refused(), "a tick is refused");
    expect(plan.begin() != plan.end() || scheduler_.next_wakeup() > now_,
           "a tick that decides nothing wants another at once");
    for (berth::action const& a : plan) {
      ++(a.kind == berth::action_kind::start ? started : stopped);
    }
    books.apply(plan, now_, implicit_);
    check();
    check_nobody_stops_in_vain();
  }

  /// After this the scheduler has nothing left to say at this instant.
  void tick_until_quiet() {
    for (int round = 0; round < 200; ++round) {
      auto const before = started + stopped;
      tick();
      if (started + stopped == before) {
        return;
      }
    }
    throw broken{"plans at one instant never end"};
  }

  /// The host becomes good and load stops: every job that can run must end within bounded time.
  void run_out() {
    for (std::size_t n = 0; n < books.nodes.size(); ++n) {
      if (books.nodes[n].exists) {
        set_health(n, berth::node_health::up);
        set_lost(n, 0);
      }
    }
    berth::random_source dice{1};
    for (int round = 0; round < 400; ++round) {
      now_ += std::chrono::minutes{11};
      tick();
      cancel_incomplete_groups();
      bool any = false;
      for (std::size_t j = 0; j < books.jobs.size(); ++j) {
        known_job& job = books.jobs[j];
        any = any || (job.now != phase::ended && !is_hopeless(job));
        if (job.now == phase::launching) {
          say_started(job, job.run);
        } else if (job.now == phase::draining || job.now == phase::cancelling) {
          say_stopped(job, job.run, berth::not_said);
        }
        // Not in step with the ticks, so that no pattern of preemptions keeps a job from its end.
        if (job.now == phase::running && dice.below(2) == 0) {
          say_complete(job, berth::outcome::finished);
        }
      }
      if (!any) {
        return;
      }
    }
    for (known_job const& job : books.jobs) {
      if (job.now != phase::ended && !is_hopeless(job)) {
        throw broken{"job " + std::to_string(job.spec.tag) + " never ends; it waits because " +
                     berth::to_string(scheduler_.why_waiting(job.id).value())};
      }
    }
  }

  /// Every job that was submitted is alive or has ended once.
  void check_nobody_lost() const {
    std::size_t alive = 0;
    for (known_job const& job : books.jobs) {
      alive += job.now != phase::ended ? 1 : 0;
      expect(job.endings == (job.now == phase::ended ? 1 : 0), "a job ends twice");
    }
    expect(alive == scheduler_.job_count(), "the scheduler knows other jobs than the host");
  }

  void submit_spec(berth::job_spec const& spec) {
    std::size_t alive = 0;
    for (known_job const& job : books.jobs) {
      alive += job.now != phase::ended ? 1 : 0;
    }
    bool const room = alive < scheduler_.config().max_jobs;
    auto const before = room ? 0 : scheduler_.state_digest();
    auto const id = scheduler_.submit(spec, now_);
    expect(id.has_value() == room, "submit is refused although there is room, or accepted without");
    if (!id) {
      expect(scheduler_.state_digest() == before, "a refused submit changes the state");
      return;
    }
    ++accepted;
    known_job made;
    made.id = *id;
    made.spec = spec;
    if (spec.roles[0].members > 0) {
      made.roles = spec.roles;
    } else {
      made.roles[0] = {spec.gang, spec.gpus_per_member};
    }
    books.jobs.push_back(made);
    check();
  }

  [[nodiscard]] berth::time_point now() const { return now_; }
  void pass(berth::duration time) { now_ += time; }

  void say_started(known_job& job, std::uint32_t run) {
    // Also when the order to stop has crossed it; it stops all the same.
    bool const right = matches(job, run) && !job.ran &&
                       (job.now == phase::launching || job.now == phase::draining);
    if (tell(right, job, berth::started{static_cast<berth::run_number>(run)})) {
      job.now = job.now == phase::draining ? phase::draining : phase::running;
      job.ran = true;
    }
    check();
  }
  void say_stopped(known_job& job, std::uint32_t run, berth::duration saved) {
    // Also when the withdrawal of the order has crossed it.
    bool const stopping = job.now == phase::draining || job.now == phase::cancelling;
    bool const right = matches(job, run) && (stopping || (job.on_gpus() && job.stop_withdrawn));
    if (tell(right, job, berth::stopped{saved, static_cast<berth::run_number>(run)})) {
      job.preemptions += stopping ? 0u : 1u;
      host_books::leave(job, job.now == phase::cancelling ? phase::ended : phase::waiting);
    }
    check();
  }
  void say_launch_failed(known_job& job, std::uint32_t run) {
    // Also when the order to stop has crossed it, as long as the run was never confirmed.
    bool const stopping = job.now == phase::draining || job.now == phase::cancelling;
    bool const right = matches(job, run) && !job.ran && (job.now == phase::launching || stopping);
    if (tell(right, job, berth::launch_failed{static_cast<berth::run_number>(run)})) {
      host_books::leave(job, job.now == phase::cancelling ? phase::ended : phase::waiting);
    }
    check();
  }
  void say_run_failed(known_job& job, std::uint32_t run) {
    bool const right = matches(job, run) && job.on_gpus();
    if (tell(right, job, berth::run_failed{static_cast<berth::run_number>(run)})) {
      bool const over = ++job.failures >= scheduler_.config().failure_limit;
      host_books::leave(job, job.now == phase::cancelling || over ? phase::ended : phase::waiting);
    }
    check();
  }
  void say_progress(known_job& job, std::uint32_t run, berth::duration done) {
    tell(matches(job, run) && job.ran, job,
         berth::progress{done, static_cast<berth::run_number>(run)});
    check();
    if (habits_.epochs) {
      tell(matches(job, run) && job.ran, job,
           berth::bytes_read{done.count() * 10'000, static_cast<berth::run_number>(run)});
      check();
    }
  }
  void say_checkpointed(known_job& job, std::uint32_t run, berth::duration done) {
    tell(matches(job, run) && job.ran, job,
         berth::checkpointed{done, static_cast<berth::run_number>(run)});
    check();
  }
  void say_complete(known_job& job, berth::outcome how) {
    bool const right = job.now != phase::ended;
    if (attempt(right, [&] { return scheduler_.complete(job.id, now_, how).has_value(); })) {
      host_books::leave(job, phase::ended);
    }
    check();
  }
  void say_cancel(known_job& job) {
    bool const right = job.now != phase::ended && job.now != phase::cancelling;
    if (attempt(right, [&] { return scheduler_.cancel(job.id, now_).has_value(); })) {
      if (job.on_gpus()) {
        job.now = phase::cancelling;
      } else {
        host_books::leave(job, phase::ended);
      }
    }
    check();
  }
  /// Whoever was told to stop and could go on yet makes way for somebody.
  void check_nobody_stops_in_vain() const {
    for (known_job const& job : books.jobs) {
      if (job.now != phase::draining || job.saves_at <= now_ || job.held() < job.gang()) {
        continue;
      }
      bool awaited = false;
      for (auto const& [n, mask] : job.gpus) {
        berth::node_book const& node = scheduler_.books().node(books.nodes[n].id.slot());
        awaited = awaited || (node.in(berth::gpu_state::promised)&mask) != 0 ||
                  node.cpu_booked > node.spec.cpu_milli ||
                  node.memory_booked > node.spec.memory_mib;
      }
      expect(awaited, "a job stops although nobody waits for that");
    }
  }
  /// A whole member on one node; only gangs of equal members.
  void say_member_finished(known_job& job, std::uint32_t run, std::size_t n, berth::gpu_mask mask) {
    if (job.roles[1].members > 0) {
      return;
    }
    auto const at = job.gpus.find(n);
    berth::gpu_mask const held = at != job.gpus.end() ? at->second : 0;
    int const left = berth::gpu_count(mask);
    berth::role& r = job.roles[0];
    bool const whole = r.gpus > 0 && left % r.gpus == 0 && left / r.gpus <= r.members;
    bool const all = left == job.held();
    bool const right =
        matches(job, run) && job.on_gpus() && mask != 0 && (mask & ~held) == 0 && whole;
    berth::member_finished const said{books.nodes[n].id, mask, static_cast<berth::run_number>(run)};
    if (tell(right, job, said)) {
      r.members -= left / r.gpus;
      if (r.members == 0) {
        host_books::leave(job, phase::ended);
      } else if (all) {  // the rest of the gang went down with its nodes
        host_books::leave(job, job.now == phase::cancelling ? phase::ended : phase::waiting);
      } else if ((at->second &= ~mask) == 0) {
        job.gpus.erase(n);
      }
    }
    check();
  }

  void set_health(std::size_t n, berth::node_health health) {
    known_node& node = books.nodes[n];
    auto const done = scheduler_.set_node(node.id, health, now_);
    expect(done.has_value() == node.exists, "set_node is refused, or a removed node accepted");
    if (!done) {
      return;
    }
    node.spec.health = health;
    if (health != berth::node_health::down) {
      check();
      return;
    }
    for (known_job& job : books.jobs) {
      if (job.gpus.erase(n) == 0) {
        continue;
      }
      if (job.gpus.empty()) {
        host_books::leave(job, job.now == phase::cancelling ? phase::ended : phase::waiting);
      } else if (job.now != phase::cancelling) {
        job.now = phase::draining;
      }
    }
    check();
  }
  void set_lost(std::size_t n, berth::gpu_mask mask) {
    known_node& node = books.nodes[n];
    bool const right = node.exists && (mask & ~berth::first_gpus(node.spec.gpus)) == 0;
    if (attempt(right, [&] { return scheduler_.set_lost_gpus(node.id, mask, now_).has_value(); })) {
      node.lost = mask;
    }
    check();
  }

  /// Does an empty cluster host it? Independent of the scheduler for gangs of equal members.
  [[nodiscard]] bool is_hopeless(known_job const& job) const {
    bool const said = berth::is_impossible(scheduler_.why_waiting(job.id).value());
    if (job.roles[1].members > 0 || job.spec.group != berth::group_id{}) {
      return said;
    }
    bool const possible = fits_empty_cluster(job);
    expect(!said || !possible, "a gang that fits the empty cluster is called impossible");
    return !possible;
  }

  void check() {
    if (char const* const wrong = scheduler_.check_invariants()) {
      throw broken{std::string{"invariant: "} + wrong};
    }
    for (known_job& job : books.jobs) {
      compare(job);
    }
    check_nobody_lost();
  }

 private:
  static bool matches(known_job const& job, std::uint32_t run) {
    return job.now != phase::ended && (run == 0 || run == job.run);
  }

  template <class Call>
  bool attempt(bool right, Call&& call) {
    auto const before = scheduler_.state_digest();
    bool const done = call();
    expect(done == right, done ? "a wrong call is accepted" : "a right call is refused");
    expect(done || scheduler_.state_digest() == before, "a refused call changes the state");
    accepted += done ? 1 : 0;
    return done;
  }
  bool tell(bool right, known_job const& job, run_report const& said) {
    return attempt(right, [&] { return scheduler_.report(job.id, said, now_).has_value(); });
  }

  void compare(known_job& job) {
    auto const view = scheduler_.view(job.id);
    if (job.now == phase::ended) {
      expect(!view.has_value(), "an ended job is still known");
      return;
    }
    expect(view.has_value(), "a living job is not known");
    expect(fits_phase(view->state(), job.now), "scheduler and host disagree on a job's state");
    std::map<std::size_t, berth::gpu_mask> held;
    auto const listed = scheduler_.for_each_gpu(job.id, [&](berth::gpu_range const& range) {
      held[books.index_of(range.node)] |= range.gpus;
    });
    expect(listed.has_value() && held == job.gpus, "scheduler and host disagree on a job's GPUs");
    std::int64_t const served = view->attained_service().count();
    expect(served >= job.served, "attained service falls");
    expect(view->preemptions() == job.preemptions, "another number of preemptions");
    job.served = served;
  }
  static bool fits_phase(berth::job_state state, phase now) {
    using berth::job_state;
    switch (now) {
      case phase::waiting:
        return state == job_state::submitted || state == job_state::pending ||
               state == job_state::reserving;
      case phase::launching: return state == job_state::launching;
      case phase::running: return state == job_state::running;
      case phase::draining: return state == job_state::draining;
      case phase::cancelling: return state == job_state::cancelling;
      case phase::ended: return false;
    }
    return false;
  }

  [[nodiscard]] bool fits_empty_cluster(known_job const& job) const {
    for (int type = 0; type < 2; ++type) {
      int members = 0;
      bool whole = false;
      for (known_node const& node : books.nodes) {
        if (!node.exists || node.spec.owner != job.spec.where ||
            static_cast<int>(node.spec.type) != type ||
            !berth::contains(job.spec.allowed_types, node.spec.type)) {
          continue;
        }
        std::int64_t usable = node.spec.gpus;
        if (job.spec.cpu_milli_per_gpu > 0) {
          usable = std::min(usable, node.spec.cpu_milli / job.spec.cpu_milli_per_gpu);
        }
        if (job.spec.memory_mib_per_gpu > 0) {
          usable = std::min(usable, node.spec.memory_mib / job.spec.memory_mib_per_gpu);
        }
        int const here = static_cast<int>(usable) / job.roles[0].gpus;
        whole = whole || here >= job.roles[0].members;
        members += job.spec.layout == berth::spread::one_per_node ? std::min(here, 1) : here;
      }
      if (job.spec.layout == berth::spread::same_node ? whole : members >= job.roles[0].members) {
        return true;
      }
    }
    return false;
  }

  void submit(byte_source& in) {
    berth::job_spec spec;
    spec.tag = ++tags_;
    spec.gpus_per_member = in.one_of({1, 1, 2, 4, 3, 8});
    spec.gang = habits_.one_node_gangs ? 1 : in.one_of({1, 1, 1, 2, 3, 4});
    spec.priority = in.one_of({0, 0, 1, 2});
    spec.tenant = static_cast<berth::tenant_id>(in.below(3));
    spec.preemptible = !in.chance(32);
    std::int64_t const minutes = in.one_of({1, 5, 30, 200});
    spec.work = std::chrono::minutes{minutes};
    spec.estimate = in.chance(64) ? berth::forever : std::chrono::minutes{2 * minutes};
    if (in.chance(64)) {
      spec.work = berth::forever;
    }
    std::uint32_t const special = in.below(habits_.one_node_gangs ? 1 : 16);
    switch (special) {
      case 1: spec.layout = berth::spread::same_node; break;
      case 2: spec.layout = berth::spread::one_per_node; break;
      case 3: spec.allowed_types = static_cast<berth::type_mask>(1u << in.below(2)); break;
      case 4: spec.cpu_milli_per_gpu = in.one_of({500, 1000, 2000, 3000}); break;
      case 5: spec.memory_mib_per_gpu = in.one_of({500, 1000, 3000}); break;
      case 6:
      case 7:
        spec.roles[0] = {1, in.one_of({1, 2, 4})};
        spec.roles[1] = {in.one_of({1, 2}), in.one_of({1, 2, 3})};
        spec.layout = in.one_of({berth::spread::prefer_together, berth::spread::prefer_together,
                                 berth::spread::one_per_node, berth::spread::same_node});
        break;
      case 8:
      case 9:
        spec.group = static_cast<berth::group_id>(1 + in.below(3));
        spec.group_size = in.one_of({2, 2, 3});
        break;
      case 10: spec.checkpoints.period = std::chrono::minutes{2}; break;
      case 11:
        if (habits_.impossible_jobs) {
          spec.gang = 40;
        }
        break;
      case 12:
        if (habits_.speeds) {
          spec.speed = {0.5, 2.0};
        }
        break;
      default: break;
    }
    if (habits_.epochs) {
      give_epochs(spec);
    }
    submit_spec(spec);
  }
  /// By its number, so that nothing else becomes another.
  static void give_epochs(berth::job_spec& spec) {
    auto const number = static_cast<std::int64_t>(spec.tag);
    spec.epochs = static_cast<std::int32_t>(number % 7);
    spec.checkpoints.epoch_period = std::chrono::minutes{number % 3 * 4};
    spec.checkpoints.iteration = std::chrono::seconds{number % 5};
    spec.checkpoints.checkpoint_bytes = number % 4 * 1'000'000'000;
    spec.checkpoints.dataset_bytes = number % 2 * 20'000'000'000;
    spec.checkpoints.cached_bytes = number % 6 * 4'000'000'000;
    spec.checkpoints.modes = static_cast<berth::mode_mask>(number % 8);
  }

  void report(byte_source& in) {
    if (books.jobs.empty()) {
      return;
    }
    // Late jobs are more interesting than early ones.
    std::size_t const back = in.below(static_cast<std::uint32_t>(
        std::min<std::size_t>(books.jobs.size(), scheduler_.config().max_jobs)));
    known_job& job = books.jobs[books.jobs.size() - 1 - back];
    std::uint32_t const what = in.below(16);
    if (habits_.breaks_contract && in.chance(96)) {
      std::uint32_t const run =
          in.one_of({0u, job.run, job.run + 1, job.run == 0 ? 0 : job.run - 1});
      wrong_or_right(in, job, what, run);
    } else {
      fitting(in, job, what);
    }
  }

  void wrong_or_right(byte_source& in, known_job& job, std::uint32_t what, std::uint32_t run) {
    switch (what) {
      case 0: say_started(job, run); break;
      case 1: say_launch_failed(job, run); break;
      case 2: say_stopped(job, run, berth::not_said); break;
      case 3: say_run_failed(job, run); break;
      case 4: say_progress(job, run, std::chrono::minutes{in.below(256)}); break;
      case 5: say_checkpointed(job, run, berth::not_said); break;
      case 6: say_complete(job, berth::outcome::finished); break;
      case 7: say_cancel(job); break;
      case 8:
      case 9:
        say_member_finished(job, run, in.below(static_cast<std::uint32_t>(books.nodes.size())),
                            in.byte());
        break;
      case 10: {
        auto const before = scheduler_.state_digest();
        auto const plan = scheduler_.tick(now_ - berth::duration{1});
        expect(plan.is_refused() == ever_, "time goes back");
        expect(!ever_ || scheduler_.state_digest() == before, "a refused tick changes the state");
        if (!ever_) {
          books.apply(plan, now_, implicit_);
        }
        break;
      }
      case 11: {
        auto const before = scheduler_.state_digest();
        berth::job_spec bad;
        bad.gang = -1;
        expect(!scheduler_.submit(bad, now_) && scheduler_.state_digest() == before,
               "a bad job is accepted, or its refusal changes the state");
        break;
      }
      default: fitting(in, job, what);
    }
  }

  /// What a host that keeps the contract may say of this job now.
  void fitting(byte_source& in, known_job& job, std::uint32_t what) {
    switch (job.now) {
      case phase::waiting:
        if (what == 0) {
          say_cancel(job);
        }
        break;
      case phase::launching:
        what == 15 && job.stop_withdrawn ? say_stopped(job, job.run, berth::not_said)
        : what < 11                      ? say_started(job, job.run)
        : what < 14                      ? say_launch_failed(job, job.run)
                                         : say_cancel(job);
        break;
      case phase::running: running_job(in, job, what); break;
      case phase::draining:
      case phase::cancelling:
        if (what < 2) {
          say_complete(job, berth::outcome::finished);
        } else if (what < 4) {
          finish_member(in, job);
        } else if (what < 5) {
          say_run_failed(job, job.run);
        } else if (what < 6 && job.now == phase::draining) {
          say_cancel(job);
        } else if (what > 13 && job.now == phase::draining && !job.ran) {
          say_started(job, job.run);
        } else if (job.told_to_stop && (what < 11 || job.saves_at <= now_)) {
          say_stopped(job, job.run, what < 8 ? berth::duration{1000} : berth::not_said);
        }
        break;
      case phase::ended: break;
    }
  }
  void running_job(byte_source& in, known_job& job, std::uint32_t what) {
    if (what < 5) {
      say_complete(job, what == 0 ? berth::outcome::failed : berth::outcome::finished);
    } else if (what < 7) {
      say_progress(job, job.run, std::chrono::minutes{in.below(256)});
    } else if (what < 9) {
      say_checkpointed(job, job.run, berth::not_said);
    } else if (what < 10) {
      say_cancel(job);
    } else if (what < 12) {
      say_run_failed(job, job.run);
    } else if (what == 12 && job.stop_withdrawn) {
      say_stopped(job, job.run, berth::not_said);
    } else {
      finish_member(in, job);
    }
  }
  void finish_member(byte_source& in, known_job& job) {
    if (job.gpus.empty() || job.roles[1].members > 0) {
      return;
    }
    auto at = job.gpus.begin();
    std::advance(at, in.below(static_cast<std::uint32_t>(job.gpus.size())));
    berth::gpu_mask member = 0;
    for (berth::gpu_mask rest = at->second;
         rest != 0 && berth::gpu_count(member) < job.roles[0].gpus; rest &= rest - 1) {
      member |= rest & (0 - rest);
    }
    say_member_finished(job, job.run, at->first, member);
  }

  void change_node(byte_source& in) {
    std::size_t const n = in.below(static_cast<std::uint32_t>(books.nodes.size()));
    known_node& node = books.nodes[n];
    if (!node.exists && !habits_.breaks_contract) {
      return;
    }
    switch (in.below(8)) {
      case 0:
      case 1: set_health(n, berth::node_health::down); break;
      case 2: set_health(n, berth::node_health::draining); break;
      case 3:
      case 4: set_health(n, berth::node_health::up); break;
      case 5: {
        bool const any = habits_.breaks_contract;
        set_lost(n, in.byte() & (any ? 0xffu : berth::first_gpus(node.spec.gpus)));
        break;
      }
      case 6: set_capacity(n, static_cast<int>(in.below(10)) - 1); break;
      case 7: in.chance(128) ? remove_node(n) : add_node(in); break;
      default: break;
    }
  }
  void set_capacity(std::size_t n, int gpus) {
    known_node& node = books.nodes[n];
    bool const right = node.exists && gpus >= 0 && gpus <= node.spec.gpus;
    if (attempt(right, [&] { return scheduler_.set_capacity(node.id, gpus, now_).has_value(); })) {
      node.lost = scheduler_.books().node(node.id.slot()).lost;
      expect(berth::gpu_count(node.lost) == node.spec.gpus - gpus, "the capacity is another");
    }
    check();
  }
  void remove_node(std::size_t n) {
    known_node& node = books.nodes[n];
    if (!node.exists || books.taken(n) == 0) {
      auto const before = scheduler_.state_digest();
      auto const gone = scheduler_.remove_node(node.id, now_);
      bool const earmarked = !gone && gone.error().code == berth::errc::node_in_use;
      expect(gone.has_value() == node.exists || earmarked, "remove_node errs");
      expect(gone.has_value() || scheduler_.state_digest() == before,
             "a refused call changes the state");
      node.exists = node.exists && !gone;
    } else {
      attempt(false, [&] { return scheduler_.remove_node(node.id, now_).has_value(); });
    }
    check();
  }
  void add_node(byte_source& in) {
    std::size_t existing = 0;
    int gpus = 0;
    for (known_node const& node : books.nodes) {
      existing += node.exists ? 1 : 0;
      gpus += node.exists ? node.spec.gpus : 0;
    }
    berth::node_spec spec;
    spec.gpus = in.one_of({0, 1, 4, 8});
    spec.type =
        static_cast<berth::gpu_type>(in.below(static_cast<std::uint32_t>(habits_.gpu_types)));
    spec.rack = static_cast<berth::rack_id>(in.below(3));
    spec.cpu_milli = 8000;
    spec.memory_mib = 8000;
    spec.health = in.one_of({berth::node_health::up, berth::node_health::up,
                             berth::node_health::draining, berth::node_health::down});
    bool const room = existing < scheduler_.config().max_nodes &&
                      gpus + spec.gpus <= static_cast<int>(scheduler_.config().max_gpus);
    berth::node_id made;
    if (attempt(room, [&] {
          auto const id = scheduler_.add_node(spec, now_);
          made = id ? *id : berth::node_id{};
          return id.has_value();
        })) {
      books.nodes.push_back({made, spec, true, 0});
    }
    check();
  }

  void cancel_incomplete_groups() {
    for (std::size_t j = 0; j < books.jobs.size(); ++j) {
      known_job& job = books.jobs[j];
      if (job.now != phase::ended &&
          scheduler_.why_waiting(job.id).value() == berth::wait_reason::group_incomplete) {
        say_cancel(job);
      }
    }
  }

  any_scheduler& scheduler_;
  host_habits habits_;
  bool implicit_;
  bool ever_ = true;
  berth::time_point now_{berth::duration{1000}};
  std::uint64_t tags_ = 0;
};

}  // namespace tests
