// SPDX-License-Identifier: BSL-1.0
// Elastic jobs under a host that obeys early, late or not at all, loses nodes and is restarted from
// snapshots. The host keeps books of its own, GPU by GPU: no plan may give a GPU to two jobs, take
// one that a job has not left, or lose one; and every job ends when the host lets it.
#include <berth/allocators/elastic.hpp>
#include <berth/core/random.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>
#include <berth/preemption/auto_fast_elastic.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/sizing/marginal_gain.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace elastic_property_test {

namespace {

using namespace std::chrono_literals;
using berth::action_kind;
using berth::job_id;
using berth::rung;
using gpu_place = std::pair<std::uint32_t, int>;  // node, GPU

std::set<gpu_place> places(std::span<berth::gpu_range const> ranges) {
  std::set<gpu_place> all;
  for (berth::gpu_range const& range : ranges) {
    for (int g = 0; g < berth::max_gpus_per_node; ++g) {
      if ((range.gpus >> g & 1u) != 0) {
        all.emplace(range.node.slot(), g);
      }
    }
  }
  return all;
}

struct known {
  std::set<gpu_place> gpus;    // has, or may have, processes on them
  std::set<gpu_place> target;  // while it changes
  berth::action what{};        // the order that it has not obeyed yet
  bool ordered = false;
  bool vacated = false;
  bool runs = false;
};

template <class Scheduler>
class elastic_host {
 public:
  elastic_host(Scheduler& scheduler, std::uint64_t seed) : s_{scheduler}, random_{seed} {}

  void live(int steps) {
    for (int i = 0; i < steps; ++i) {
      now_ += berth::duration{draw(40'000)};
      one_step();
      check();
    }
    run_out();
  }
  std::uint64_t resizes = 0;
  std::uint64_t starts = 0;

 private:
  [[nodiscard]] std::int64_t draw(std::int64_t below) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(below)));
  }

  void one_step() {
    switch (draw(15)) {
      case 12: lend(); break;
      case 13: put_to_sleep(); break;
      case 14: put_to_sleep(); break;
      case 0: submit(); break;
      case 1: submit(); break;
      case 2: finish_one(); break;
      case 3: break_one(); break;
      case 4: flip_node(); break;
      case 5: save_and_load(); break;
      case 6: new_ladder(); break;
      case 7:
      case 8: tick(); break;
      default: obey_some(); break;
    }
  }

  void submit() {
    berth::job_spec spec;
    spec.gpus_per_member = draw(4) == 0 ? 2 : 1;
    spec.gang = static_cast<std::int32_t>(1 + draw(8));
    spec.min_gang = draw(3) == 0 ? 0 : static_cast<std::int32_t>(1 + draw(spec.gang));
    spec.layout = static_cast<berth::spread>(draw(3));
    spec.work = draw(5) == 0 ? berth::forever : berth::duration{1 + draw(7'200'000)};
    spec.preemptible = draw(6) != 0;
    if (draw(4) == 0) {
      spec.where = berth::pool::inference;
      spec.gang = 1;
      spec.min_gang = 0;
    } else {
      spec.borrows = static_cast<berth::borrowing>(draw(3));
    }
    if (auto const id = s_.submit(spec, now_)) {
      jobs_[id->value()] = {};
    }
  }
  [[nodiscard]] std::map<std::uint64_t, known>::iterator any_job() {
    return std::next(jobs_.begin(), draw(static_cast<std::int64_t>(jobs_.size())));
  }
  void finish_one() {
    if (!jobs_.empty()) {
      auto const it = any_job();
      if (it->second.runs) {
        REQUIRE(s_.complete(id_of(it->first), now_));
        jobs_.erase(it);
      }
    }
  }
  void break_one() {
    if (jobs_.empty()) {
      return;
    }
    auto const it = any_job();
    if (it->second.runs && draw(2) == 0) {
      bool const again = s_.view(id_of(it->first))->failures() + 1 < s_.config().failure_limit;
      REQUIRE(s_.report(id_of(it->first), berth::run_failed{}, now_));
      it->second = {};
      if (!again) {
        jobs_.erase(it);
      }
    } else if (it->second.gpus.empty() && draw(4) == 0) {
      REQUIRE(s_.cancel(id_of(it->first), now_));
      jobs_.erase(it);
    }
  }
  void flip_node() {
    auto const n = static_cast<std::uint32_t>(draw(5));
    bool const goes_down = down_.count(n) == 0 && draw(3) == 0;
    REQUIRE(s_.set_node(s_.books().id_of(n),
                        goes_down ? berth::node_health::down : berth::node_health::up, now_));
    if (!goes_down) {
      down_.erase(n);
      return;
    }
    down_.insert(n);
    for (auto& [id, job] : jobs_) {
      auto const on_node = [&](gpu_place const& at) { return at.first == n; };
      bool const hit = std::any_of(job.gpus.begin(), job.gpus.end(), on_node);
      std::erase_if(job.gpus, on_node);
      std::erase_if(job.target, on_node);
      if (hit && job.gpus.empty()) {
        job = {};
      }
    }
  }
  void save_and_load() {
    std::vector<std::byte> bytes(s_.snapshot_size());
    REQUIRE(s_.snapshot(bytes));
    std::uint64_t const before = s_.state_digest();
    auto const restored = s_.restore(bytes);
    std::string const why =
        restored ? std::string{} : std::string{to_string(restored.error().where)};
    REQUIRE_MESSAGE(restored, why);
    REQUIRE(s_.state_digest() == before);
  }
  void new_ladder() {
    if (jobs_.empty()) {
      return;
    }
    job_id const id = id_of(any_job()->first);
    berth::job_spec const& spec = s_.view(id)->spec();
    std::vector<rung> ladder;
    std::int64_t speed = berth::unit_rung_speed;
    std::int32_t const least = spec.min_gang > 0 ? spec.min_gang : spec.gang;
    for (std::int32_t k = least; k <= spec.gang; ++k) {
      ladder.push_back({k * spec.gpus_per_member, speed});
      speed += draw(berth::unit_rung_speed);
    }
    REQUIRE(s_.set_ladder(id, ladder, now_));
  }

  void lend() {
    berth::time_point const until =
        draw(3) == 0 ? now_ + berth::duration{draw(600'000)} : berth::never;
    REQUIRE(s_.lend({static_cast<std::int32_t>(draw(10)), until}, now_));
  }
  void put_to_sleep() {
    if (jobs_.empty()) {
      return;
    }
    auto const it = any_job();
    job_id const id = id_of(it->first);
    bool const may = s_.view(id)->spec().where == berth::pool::inference &&
                     s_.view(id)->state() == berth::job_state::running;
    if (draw(3) == 0) {
      REQUIRE(s_.report(id, berth::wakes{}, now_).has_value() == may);
    } else {
      REQUIRE(s_.report(id, berth::sleeps{}, now_).has_value() == may);
    }
  }
  /// Who does not borrow is at home, and so is what others need.
  void check_loans() {
    for (auto const& [value, job] : jobs_) {
      auto const seen = s_.view(id_of(value));
      berth::job_spec const& spec = seen->spec();
      if (spec.where != berth::pool::training) {
        continue;
      }
      std::int32_t own = 0;
      std::int32_t lent = 0;
      for (gpu_place const& at : job.gpus) {
        bool const at_home = s_.books().node(at.first).spec.owner == berth::pool::training;
        (at_home ? own : lent) += 1;
      }
      std::int32_t const least =
          (spec.min_gang > 0 ? spec.min_gang : spec.gang) * spec.gpus_per_member;
      REQUIRE((spec.borrows != berth::borrowing::none || lent == 0));
      bool const settled = seen->state() == berth::job_state::running;
      REQUIRE((spec.borrows != berth::borrowing::extra || !settled || own >= least));
    }
  }

  void tick() {
    auto const plan = s_.tick(now_);
    std::vector<berth::action> const actions(plan.begin(), plan.end());
    // A host that does nothing but follow next_wakeup() must not spin.
    REQUIRE((!actions.empty() || s_.next_wakeup() > now_));
    for (berth::action const& each : actions) {
      auto const it = jobs_.find(each.job.value());
      REQUIRE(it != jobs_.end());
      judge(it->second, each);
    }
    for (auto const& [id, job] : jobs_) {
      for (gpu_place const& at : job.gpus) {
        for (auto const& [other_id, other] : jobs_) {
          REQUIRE_FALSE((other_id != id && other.gpus.count(at) != 0));
        }
      }
    }
  }
  void judge(known& job, berth::action const& order) {
    std::set<gpu_place> const gpus = places(order.gpus);
    if (order.kind == action_kind::start) {
      REQUIRE(job.gpus.empty());
      job.gpus = gpus;
      ++starts;
    } else if (order.kind == action_kind::resize) {
      REQUIRE(job.runs);
      REQUIRE_FALSE(job.ordered);
      REQUIRE_FALSE(gpus.empty());
      REQUIRE(gpus != job.gpus);
      job.target = gpus;
      job.gpus.insert(gpus.begin(), gpus.end());
      job.vacated = false;
      ++resizes;
    } else {
      REQUIRE(gpus == job.gpus);
    }
    job.what = order;
    job.what.gpus = {};
    job.ordered = true;
  }

  void obey_some() {
    for (auto& [value, job] : jobs_) {
      if (job.ordered && draw(3) != 0) {
        obey(id_of(value), job);
      }
    }
  }
  void obey(job_id id, known& job) {
    berth::action const what = job.what;
    switch (what.kind) {
      case action_kind::start:
        // An order to stop because a node went down may have replaced it.
        if (draw(8) == 0) {
          REQUIRE(s_.report(id, berth::launch_failed{what.run}, now_));
          job = {};
          return;
        }
        REQUIRE(s_.report(id, berth::started{what.run}, now_));
        job.runs = true;
        break;
      case action_kind::resize:
        if (s_.view(id)->state() != berth::job_state::resizing) {
          return;  // a node took part of it: an order to stop is on its way
        }
        if (!job.vacated && draw(2) == 0) {
          REQUIRE(s_.report(id, berth::vacated{what.run, what.change}, now_));
          job.gpus = job.target;
          job.vacated = true;
          return;
        }
        if (draw(10) == 0) {
          REQUIRE(s_.report(id, berth::stopped{.run = what.run}, now_));
          job = {};
          return;
        }
        REQUIRE(s_.report(id, berth::resized{what.run, what.change}, now_));
        REQUIRE_FALSE(s_.report(id, berth::resized{what.run, what.change}, now_));
        job.gpus = job.target;
        break;
      case action_kind::stop:
        REQUIRE(s_.report(id, berth::stopped{.run = what.run}, now_));
        job = {};
        return;
      case action_kind::carry_on: break;
    }
    job.ordered = false;
  }

  /// The host behaves: everybody gets to the end.
  void run_out() {
    for (std::uint32_t const n : std::set<std::uint32_t>{down_}) {
      REQUIRE(s_.set_node(s_.books().id_of(n), berth::node_health::up, now_));
    }
    down_.clear();
    for (int rounds = 0; rounds < 2000 && !jobs_.empty(); ++rounds) {
      now_ += 60s;
      tick();
      for (auto& [value, job] : jobs_) {
        if (job.ordered) {
          obey(id_of(value), job);
        }
      }
      check();
      finish_one();
    }
    for (auto it = jobs_.begin(); it != jobs_.end();) {
      // What this cluster cannot host may be left, nothing else.
      auto const why = s_.why_waiting(id_of(it->first));
      REQUIRE(why);
      std::string const reason = to_string(*why);
      CAPTURE(reason);
      REQUIRE(berth::is_impossible(*why));
      REQUIRE(s_.cancel(id_of(it->first), now_));
      it = jobs_.erase(it);
    }
    tick();
    check();
    REQUIRE(s_.books().total(berth::gpu_state::free) == s_.books().gpu_total());
  }

  void check() {
    check_loans();
    char const* const broken = s_.check_invariants();
    REQUIRE_MESSAGE(broken == nullptr, broken);
  }
  [[nodiscard]] static job_id id_of(std::uint64_t value) {
    return job_id{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  }

  Scheduler& s_;
  berth::random_source random_;
  berth::time_point now_{};
  std::map<std::uint64_t, known> jobs_;
  std::set<std::uint32_t> down_;
};

template <class Rule>
void live_many(std::uint64_t first_seed) {
  std::uint64_t resizes = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 60; ++seed) {
    CAPTURE(seed);
    berth::scheduler_config config;
    config.max_jobs = 24;
    config.max_nodes = 6;
    config.max_gpus = 40;
    berth::cluster nodes;
    for (int i = 0; i < 5; ++i) {
      bool const serves = i >= 3;
      REQUIRE(
          nodes.add({.gpus = 4, .owner = serves ? berth::pool::inference : berth::pool::training}));
    }
    auto made =
        berth::make_scheduler(nodes, config, berth::elastic<Rule>{}, berth::auto_fast_elastic{});
    REQUIRE(made);
    elastic_host host{*made, seed};
    host.live(400);
    resizes += host.resizes;
  }
  CHECK(resizes > 150);
}

}  // namespace

TEST_CASE("elastic jobs: no GPU is given twice, and every job gets to its end (knapsack)") {
  live_many<berth::choice_knapsack_sizing>(7000);
}
TEST_CASE("elastic jobs: no GPU is given twice, and every job gets to its end (marginal gain)") {
  live_many<berth::marginal_gain>(8000);
}

}  // namespace elastic_property_test
