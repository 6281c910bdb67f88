// SPDX-License-Identifier: BSL-1.0
// The real scheduler beside the obvious one, call by call: who runs, who waits, who drains, how
// many GPUs are free. Gangs on one node, one GPU type, with and without acknowledgements that take
// their time.
#include <berth/allocators/rigid.hpp>
#include <berth/core/random.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/preemption/free_of_charge.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <tests/support/byte_source.hpp>
#include <tests/support/forall.hpp>
#include <tests/support/naive_scheduler.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace tests;
using berth::job_state;

template <class Scheduler>
class twin {
 public:
  twin(Scheduler& real, naive_order order, std::vector<int> const& sizes, bool preempts)
      : real_{real}, naive_{order, sizes}, preempts_{preempts} {}

  void step(byte_source& in) {
    switch (in.below(8)) {
      case 0:
      case 1:
      case 2: submit(in); break;
      case 3: finish(in); break;
      case 4: cancel(in); break;
      case 5: say_stopped(in); break;
      default: tick(in.below(3)); break;
    }
    compare();
  }
  [[nodiscard]] int displaced() const { return displaced_; }

 private:
  void submit(byte_source& in) {
    naive_job job;
    job.number = static_cast<int>(naive_.jobs.size());
    job.gpus = in.one_of({1, 1, 2, 3, 4});
    job.priority = in.one_of({0, 0, 1, 2});
    ids_.push_back(real_
                       .submit({.gpus_per_member = job.gpus,
                                .priority = job.priority,
                                .tag = static_cast<std::uint64_t>(job.number)},
                               now_)
                       .value());
    naive_.jobs.push_back(job);
  }

  template <class Wanted>
  int pick(byte_source& in, Wanted&& wanted) {
    std::vector<int> found;
    for (naive_job const& job : naive_.jobs) {
      if (!job.ended && wanted(job)) {
        found.push_back(job.number);
      }
    }
    return found.empty() ? -1 : found[in.below(static_cast<std::uint32_t>(found.size()))];
  }
  void finish(byte_source& in) {
    int const chosen = pick(in, [](naive_job const& job) { return job.node >= 0; });
    if (chosen >= 0) {
      expect(real_.complete(id(chosen), now_).has_value(), "complete is refused");
      end(chosen);
    }
  }
  void cancel(byte_source& in) {
    int const chosen = pick(in, [](naive_job const& job) { return !job.cancelled; });
    if (chosen < 0) {
      return;
    }
    expect(real_.cancel(id(chosen), now_).has_value(), "cancel is refused");
    naive_job& job = naive_.at(chosen);
    if (job.node < 0) {
      end(chosen);
    } else {
      job.cancelled = true;
      job.draining = true;
    }
  }
  void say_stopped(byte_source& in) {
    int const chosen = pick(in, [](naive_job const& job) { return job.draining; });
    if (chosen < 0) {
      return;
    }
    expect(real_.report(id(chosen), berth::stopped{}, now_).has_value(), "stopped is refused");
    naive_job& job = naive_.at(chosen);
    job.node = -1;
    job.draining = false;
    job.ended = job.cancelled;
  }
  void end(int number) {
    naive_job& job = naive_.at(number);
    job = {number, job.gpus, job.priority, -1, false, false, true, -1};
  }

  void tick(std::int64_t later) {
    now_ += berth::duration{later};
    // First, reservations whose GPUs are all empty by now.
    std::vector<int> starts;
    for (naive_job& job : naive_.jobs) {
      if (!job.ended && job.reserved_on >= 0 && is_empty_for(job)) {
        starts.push_back(job.number);
      }
    }
    bool const late = !starts.empty();
    std::vector<naive_job> const before = naive_.jobs;
    std::vector<int> const front = naive_.front();
    std::vector<int> stops;
    std::vector<int> started;
    for (berth::action const& a : real_.tick(now_)) {
      auto const number = static_cast<int>(a.tag);
      if (a.kind == berth::action_kind::start) {
        started.push_back(number);
        place(number, static_cast<int>(a.gpus[0].node.slot()));
      } else if (a.reason == berth::stop_reason::preempted) {
        stops.push_back(number);
        judge_stop(number, a.beneficiary);
      }
    }
    if (!preempts_) {
      expect(stops.empty(), "somebody is displaced without preemption");
      for (int const number : front) {
        expect(has(started, number), "one of the front that can be packed does not start");
      }
      if (naive_.is_strict()) {
        expect(started.size() == front.size(), "one starts behind the first that does not fit");
      } else {
        expect(!naive_.could_start_another(), "one waits although a node is free for it");
      }
      return;
    }
    for (int const number : starts) {
      expect(has(started, number), "a complete reservation does not start");
    }
    note_reservations();
    judge_plan(before, started, late);
  }

  /// May it be told to stop for that one?
  void judge_stop(int victim, berth::job_id beneficiary) {
    naive_job& job = naive_.at(victim);
    int const winner = number_of(beneficiary);
    expect(job.node >= 0 && !job.draining, "one that does not run is told to stop");
    expect(naive_.at(winner).priority > job.priority, "a class displaces its equal or better");
    job.draining = true;
    ++displaced_;
  }
  /// Where the real one keeps GPUs for whom, as it says itself; and that it keeps enough.
  void note_reservations() {
    for (naive_job& job : naive_.jobs) {
      if (job.ended || job.node >= 0) {
        continue;
      }
      bool const reserving = real_.view(id(job.number))->state() == job_state::reserving;
      if (reserving && job.reserved_on < 0) {
        real_.books().for_each_earmark(id(job.number).slot(), [&](berth::booking const& line) {
          job.reserved_on = static_cast<int>(line.node);
        });
        expect(job.reserved_on >= 0, "a reservation without GPUs");
      }
      expect(reserving == (job.reserved_on >= 0), "a reservation is lost");
    }
    for (int n = 0; n < naive_.nodes(); ++n) {
      expect(naive_.unclaimed(n) >= 0, "more is reserved than will be empty");
    }
  }
  /// In rank order nobody is left out who could have been served: by free GPUs, by what drains, or
  /// by displacing a lower class. Those who started in this very plan may not be displaced by it.
  void judge_plan(std::vector<naive_job> const& before, std::vector<int> const& started,
                  bool late) {
    for (naive_job const& job : naive_.jobs) {
      if (!job.waits()) {
        continue;
      }
      for (int n = 0; n < naive_.nodes() && !late; ++n) {
        int reach = naive_.unclaimed(n);
        for (naive_job const& other : naive_.jobs) {
          bool const yields = !other.ended && other.node == n && !other.draining &&
                              other.priority < job.priority && !has(started, other.number) &&
                              before[static_cast<std::size_t>(other.number)].node == n;
          reach += yields ? other.gpus : 0;
        }
        expect(reach < job.gpus, "job " + std::to_string(job.number) + " waits, although node " +
                                     std::to_string(n) + " could be its");
      }
    }
  }

  [[nodiscard]] bool is_empty_for(naive_job const& job) const {
    return real_.books().job(id(job.number).slot()).gpus_promised == 0;
  }
  void place(int number, int node) {
    naive_job& job = naive_.at(number);
    expect(job.node < 0 && !job.ended, "one that does not wait starts");
    job.reserved_on = -1;
    job.node = node;
  }
  void compare() {
    if (char const* const wrong = real_.check_invariants()) {
      throw broken{wrong};
    }
    int free_gpus = 0;
    for (int n = 0; n < naive_.nodes(); ++n) {
      free_gpus += preempts_ ? 0 : naive_.offered(n);
    }
    expect(preempts_ || free_gpus == real_.books().offered(), "another number of free GPUs");
    for (naive_job const& job : naive_.jobs) {
      auto const seen = real_.view(id(job.number));
      expect(seen.has_value() != job.ended, "one knows a job that the other does not");
      if (job.ended) {
        continue;
      }
      job_state const state = seen->state();
      bool const drains = state == job_state::draining || state == job_state::cancelling;
      expect(drains == job.draining, "they disagree on who drains");
      expect((seen->gpus_held() > 0) == (job.node >= 0), "they disagree on who runs");
      expect((state == job_state::reserving) == (job.reserved_on >= 0),
             "they disagree on who has GPUs kept");
      expect(seen->gpus_held() == 0 || seen->gpus_held() == job.gpus, "a part of a gang runs");
    }
  }

  static bool has(std::vector<int> const& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  }
  [[nodiscard]] berth::job_id id(int number) const {
    return ids_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] int number_of(berth::job_id wanted) const {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] == wanted) {
        return static_cast<int>(i);
      }
    }
    throw broken{"an unknown beneficiary"};
  }

  Scheduler& real_;
  naive_scheduler naive_;
  bool preempts_;
  std::vector<berth::job_id> ids_;
  berth::time_point now_{std::chrono::hours{1}};
  int displaced_ = 0;
};

template <class... Parts>
auto beside(naive_order order, bool preempts, Parts... parts) {
  return [=](byte_source& in) {
    std::vector<int> const sizes{4, 2, 4};
    berth::cluster nodes;
    for (int const gpus : sizes) {
      expect(nodes.add({.gpus = gpus}).has_value(), "a node is refused");
    }
    berth::scheduler_config config;
    config.max_jobs = 64;
    config.max_nodes = 3;
    config.max_gpus = 16;
    config.earmark_expiry = berth::forever;
    auto made = berth::make_scheduler(nodes, config, parts...);
    twin both{made.value(), order, sizes, preempts};
    for (int calls = 0; calls < 60 && !in.dry(); ++calls) {
      both.step(in);
    }
  };
}

TEST_CASE("strict fifo starts exactly the front of the queue that can be packed") {
  BERTH_FORALL(10'000, 1500, 160,
               beside(naive_order::strict, false, berth::fifo{},
                      berth::rigid{berth::queue_order::strict}, berth::never_preempt{}));
}

TEST_CASE("fifo that skips starts the front that can be packed, and whoever still fits") {
  BERTH_FORALL(20'000, 1500, 160,
               beside(naive_order::skip, false, berth::fifo{}, berth::never_preempt{}));
}

TEST_CASE(
    "priority classes without preemption start the front of the rank order, and whoever still "
    "fits") {
  BERTH_FORALL(
      30'000, 1500, 160,
      beside(naive_order::classes, false, berth::priority_class{}, berth::never_preempt{}));
}

TEST_CASE(
    "priority classes displace lower classes only, and leave nobody out whom a node could host") {
  BERTH_FORALL(
      40'000, 1500, 160,
      beside(naive_order::classes, true, berth::priority_class{}, berth::free_of_charge{}));
}

TEST_CASE("the sequences do reach displacement") {
  int displaced = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    berth::random_source random{seed};
    std::vector<std::uint8_t> bytes(160);
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.next() >> 56);
    }
    byte_source in{bytes};
    berth::cluster nodes;
    std::vector<int> const sizes{4, 2, 4};
    for (int const gpus : sizes) {
      REQUIRE(nodes.add({.gpus = gpus}));
    }
    auto made = berth::make_scheduler(nodes, {}, berth::priority_class{}, berth::free_of_charge{});
    twin both{made.value(), naive_order::classes, sizes, true};
    for (int calls = 0; calls < 60 && !in.dry(); ++calls) {
      both.step(in);
    }
    displaced += both.displaced();
  }
  CHECK(displaced > 20);
}

}  // namespace
