// SPDX-License-Identifier: BSL-1.0
// Exchanges through the whole scheduler: who stops for whom, what of that can be asked afterwards,
// and why nobody stops. Prices by hand.
#include <berth/allocators/ordered_division.hpp>
#include <berth/concepts/exchange.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/exchange_note.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/config.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

namespace exchange_test {

namespace {

using namespace std::chrono_literals;
using namespace berth;
constexpr time_point now{1h};

/// Saving and restarting take 5 s each, unless a job says what saving takes.
struct ten_seconds {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = true;
  [[nodiscard]] suspension suspend(job_view const& job, tick_context const&) const noexcept {
    duration const said = job.spec().checkpoints.save;
    suspension how;
    how.mode = suspension_mode::checkpoint;
    how.save = said > 0s ? said : 5s;
    return how;
  }
  [[nodiscard]] duration resume(job_view const&, tick_context const&) const noexcept { return 5s; }
};

constexpr ordered_division without_extras{.prices_gpu_time = false, .prefer_long_permille = 0};

auto make(cluster const& nodes, ordered_division const& rule) {
  return make_scheduler(nodes, {}, shortest_remaining{}, ten_seconds{}, rule).value();
}
using scheduler_type = decltype(make(cluster{}, {}));

class world {
 public:
  explicit world(cluster const& nodes, ordered_division const& rule = without_extras)
      : scheduler{make(nodes, rule)} {}

  scheduler_type scheduler;

  job_id submit(std::int32_t members, std::int32_t gpus, duration work, duration save = 0s) {
    job_spec spec{.gang = members, .gpus_per_member = gpus, .work = work};
    spec.checkpoints.save = save;
    return scheduler.submit(spec, now).value();
  }
  /// Starts at once.
  job_id run(std::int32_t members, std::int32_t gpus, duration work, duration save = 0s) {
    job_id const job = submit(members, gpus, work, save);
    REQUIRE(scheduler.tick(now).size() == 1);
    REQUIRE(scheduler.report(job, started{}, now));
    return job;
  }
  /// Who is told to stop.
  std::vector<job_id> decide() {
    std::vector<job_id> stopped;
    for (action const& each : scheduler.tick(now)) {
      if (each.kind == action_kind::stop) {
        stopped.push_back(each.job);
      }
    }
    REQUIRE(scheduler.check_invariants() == nullptr);
    std::sort(stopped.begin(), stopped.end(),
              [](job_id a, job_id b) { return a.slot() < b.slot(); });
    return stopped;
  }
  [[nodiscard]] exchange_note note(job_id job) const {
    return scheduler.last_exchange(job).value();
  }
  [[nodiscard]] wait_reason why(job_id job) const { return scheduler.why_waiting(job).value(); }
};

using victims = std::vector<job_id>;

}  // namespace

TEST_CASE("an exchange can be asked of who gained and of each who stopped") {
  world w{cluster::uniform(1, 8).value()};
  job_id const first = w.run(1, 4, 10h);
  job_id const second = w.run(1, 4, 10h);
  job_id const small = w.submit(1, 8, 1h);
  CHECK(w.note(small).beneficiary.is_null());
  CHECK(w.decide() == victims{first, second});
  for (job_id const job : {small, first, second}) {
    exchange_note const said = w.note(job);
    CHECK(said.made);
    CHECK(said.beneficiary == small);
    CHECK(said.decided == now);
    CHECK(said.victims == 2);
    CHECK(said.lost == gpu_time{8, 10s});
    CHECK(said.wait == 10h);
    // Until both have left, and what each loses: an hour, saving and restarting.
    CHECK(said.cost == 5s + 2 * (1h + 10s));
    CHECK(said.next_best == forever);
  }
  CHECK(w.why(small) == wait_reason::draining_others);
}

TEST_CASE("GPU-time lost is part of the cost, by queue over GPUs") {
  world w{cluster::uniform(1, 8).value(), ordered_division{.prefer_long_permille = 0}};
  job_id const victim = w.run(1, 8, 10h);
  job_id const small = w.submit(1, 8, 1h);
  CHECK(w.decide() == victims{victim});
  // One waits for 8 GPUs, all of which are lost for 10 s: 10 s.
  CHECK(w.note(small).cost == 5s + 1h + 10s + 10s);
}

TEST_CASE("the next best place is told with the one that was taken") {
  world w{cluster::uniform(2, 8).value()};
  job_id const whole = w.run(1, 8, 10h);
  static_cast<void>(w.run(1, 4, 10h));
  static_cast<void>(w.run(1, 4, 10h));
  job_id const small = w.submit(1, 8, 1h);
  CHECK(w.decide() == victims{whole});  // one loses less than two
  CHECK(w.note(small).cost == 5s + 1h + 10s);
  CHECK(w.note(small).next_best == 5s + 2 * (1h + 10s));
}

TEST_CASE("where it does not pay nobody stops, and it says so") {
  world w{cluster::uniform(1, 8).value()};
  static_cast<void>(w.run(1, 4, 3h));
  static_cast<void>(w.run(1, 4, 3h));
  job_id const job = w.submit(1, 8, 2h);
  CHECK(w.decide().empty());
  CHECK(w.why(job) == wait_reason::stops_do_not_pay);
  exchange_note const said = w.note(job);
  CHECK_FALSE(said.made);
  CHECK(said.beneficiary == job);
  CHECK(said.victims == 2);
  CHECK(said.wait == 3h);
  CHECK(said.cost == 5s + 2 * (2h + 10s));
  CHECK(said.next_best == forever);
}

TEST_CASE("a refusal is told in the cheapest place that was looked at") {
  world w{cluster::uniform(2, 8).value()};
  static_cast<void>(w.run(1, 8, 3h));
  static_cast<void>(w.run(1, 4, 3h));
  static_cast<void>(w.run(1, 4, 3h));
  job_id const job = w.submit(1, 8, 3h - 12s);
  CHECK(w.decide().empty());
  CHECK(w.note(job).victims == 1);
  CHECK(w.note(job).cost == 5s + (3h - 12s) + 10s);
}

TEST_CASE("where even one victim could not pay, none is looked at, and that is told") {
  world w{cluster::uniform(1, 8).value()};
  static_cast<void>(w.run(1, 8, 3h));
  job_id const job = w.submit(1, 8, 3h - 1s);
  CHECK(w.decide().empty());
  CHECK(w.why(job) == wait_reason::stops_do_not_pay);
  CHECK_FALSE(w.note(job).made);
  CHECK(w.note(job).beneficiary == job);
  CHECK(w.note(job).victims == 0);
  CHECK(w.note(job).wait == 3h);
  CHECK(w.note(job).cost >= 3h - 1s);
}

TEST_CASE("who may displace nobody does not wait because of a price") {
  world w{cluster::uniform(1, 8).value()};
  static_cast<void>(w.run(1, 8, 3h));
  job_id const job = w.submit(1, 8, 4h);
  CHECK(w.decide().empty());
  CHECK(w.why(job) == wait_reason::no_gpus);
  CHECK(w.note(job).beneficiary.is_null());
}

TEST_CASE("who never runs otherwise is not asked to gain a number") {
  world w{cluster::uniform(1, 8).value()};
  job_id const endless = w.run(1, 8, forever);
  job_id const job = w.submit(1, 8, 100h);
  CHECK(w.decide() == victims{endless});
  CHECK(w.note(job).wait == forever);
}

TEST_CASE("of a job of unknown length nobody knows that it pays") {
  world w{cluster::uniform(1, 8).value()};
  static_cast<void>(w.run(1, 8, 10h));
  static_cast<void>(w.submit(1, 8, forever));
  CHECK(w.decide().empty());
}

TEST_CASE("a new job in the place of one that ended was never part of an exchange") {
  world w{cluster::uniform(1, 8).value()};
  job_id const victim = w.run(1, 8, 10h);
  job_id const small = w.submit(1, 8, 1h);
  REQUIRE(w.decide() == victims{victim});
  REQUIRE(w.scheduler.complete(victim, now));
  CHECK(w.scheduler.last_exchange(victim).error().code == errc::stale_job);
  job_id const next = w.submit(1, 8, 1h);
  REQUIRE(next.slot() == victim.slot());
  CHECK(w.note(next).beneficiary.is_null());
  CHECK(w.note(small).made);
}

TEST_CASE("a gang over several nodes is one exchange, with the victims of all of them") {
  world w{cluster::uniform(2, 8).value()};
  job_id const here = w.run(1, 8, 10h);
  job_id const there = w.run(1, 8, 10h);
  job_id const wide = w.submit(2, 8, 1h);
  CHECK(w.decide() == victims{here, there});
  for (job_id const job : {wide, here, there}) {
    CHECK(w.note(job).beneficiary == wide);
    CHECK(w.note(job).victims == 2);
    CHECK(w.note(job).lost == gpu_time{16, 10s});
    CHECK(w.note(job).cost == 5s + 2 * (1h + 10s));
  }
}

TEST_CASE("a gang over several nodes for which it does not pay in all stops nobody") {
  world w{cluster::uniform(2, 8).value()};
  static_cast<void>(w.run(1, 8, 10h));  // two lose more than 6 h each
  static_cast<void>(w.run(1, 8, 10h));
  job_id const wide = w.submit(2, 8, 6h);
  CHECK(w.decide().empty());
  CHECK(w.why(wide) == wait_reason::stops_do_not_pay);
  CHECK_FALSE(w.note(wide).made);
  CHECK(w.note(wide).victims == 2);
  CHECK(w.scheduler.books().total(gpu_state::draining) == 0);
}

TEST_CASE("a victim with GPUs on two nodes is counted once") {
  world w{cluster::uniform(2, 8).value()};
  job_id const victim = w.run(2, 8, 10h);
  job_id const wide = w.submit(2, 8, 6h);  // would not pay twice
  CHECK(w.decide() == victims{victim});
  CHECK(w.note(wide).victims == 1);
  CHECK(w.note(wide).lost == gpu_time{16, 10s});
  CHECK(w.note(wide).cost == 5s + 6h + 10s);
}

TEST_CASE("GPUs that a block leaves over start whoever gains more by them than its victims lose") {
  world w{cluster::uniform(1, 8).value()};
  job_id const victim = w.run(1, 8, 10h);
  job_id const first = w.submit(1, 4, 1h);
  job_id const second = w.submit(1, 4, 2h);
  CHECK(w.decide() == victims{victim});
  CHECK(w.note(victim).beneficiary == first);
  // The victim stays away for an hour more; the second would have waited for 10 h.
  CHECK(w.scheduler.view(second)->state() == job_state::reserving);
}

TEST_CASE("they start nobody who would keep the victims out for longer than it gains") {
  world w{cluster::uniform(1, 8).value()};
  job_id const victim = w.run(1, 8, 3h);
  static_cast<void>(w.submit(1, 4, 1h));
  // Behind the first it would start after 3 h, and keep the victim out for 5 h more than that does.
  job_id const second = w.submit(1, 4, 6h);
  CHECK(w.decide() == victims{victim});
  CHECK(w.scheduler.view(second)->state() == job_state::pending);
}

TEST_CASE("victims chosen by the set-aside rule suffice, and are never cheaper than the cheapest") {
  constexpr duration stay = 1min;
  int dearer = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::array<duration, 2> lost{};
    for (std::size_t way = 0; way < 2; ++way) {
      random_source random{seed};
      ordered_division rule = without_extras;
      rule.cover = way == 0 ? cover_rule::exact : cover_rule::set_aside;
      std::vector<std::int32_t> sizes;
      for (int v = 0; v < 6; ++v) {
        sizes.push_back(static_cast<std::int32_t>(random.between(1, 5)));
      }
      std::int32_t const all = std::accumulate(sizes.begin(), sizes.end(), 0);
      world w{cluster::uniform(1, all).value(), rule};
      for (std::int32_t const gpus : sizes) {
        static_cast<void>(w.run(1, gpus, 1000h, duration{random.between(1, 300'000)}));
      }
      std::int32_t const need = static_cast<std::int32_t>(random.between(1, all));
      static_cast<void>(w.submit(1, need, stay));
      std::int32_t freed = 0;
      for (job_id const victim : w.decide()) {
        job_view const view = w.scheduler.view(victim).value();
        freed += view.gpus_held();
        lost[way] += stay + view.spec().checkpoints.save + 5s;
      }
      CHECK(freed >= need);
    }
    CHECK(lost[0] <= lost[1]);
    dearer += lost[0] < lost[1] ? 1 : 0;
  }
  CHECK(dearer > 0);
}

}  // namespace exchange_test
