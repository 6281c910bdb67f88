// SPDX-License-Identifier: BSL-1.0
// Tenants in a scheduler: what is lent, reclaimed, refused, changed and saved.
#include <berth/admission/tenant_quota.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/presets/fair_share.hpp>
#include <berth/scheduler/config.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

namespace tenant_quota_test {

namespace {

using namespace std::chrono_literals;
using berth::errc;
using berth::job_id;
using berth::job_state;
using berth::tenant_id;
using berth::tenant_quota;
using berth::tenant_rules;
using berth::tenant_spec;
using berth::time_point;
using berth::wait_reason;

constexpr tenant_id a{0};
constexpr tenant_id b{1};

/// A scheduler with a host that obeys at once.
struct lab {
  lab(int gpus, std::vector<tenant_spec> const& queues, tenant_rules const& rules = {})
      : s{berth::presets::fair_share(berth::cluster::uniform(1, gpus).value(), {},
                                     tenant_quota::of(queues, rules).value())
              .value()} {}

  job_id submit(tenant_id of, int gpus, int priority = 0) {
    return s.submit({.gpus_per_member = gpus, .priority = priority, .tenant = of}, now).value();
  }
  /// Ticks until nothing is ordered any more; counts the stops.
  void settle() {
    for (bool any = true; any;) {
      std::vector<berth::action> told;
      for (berth::action const& each : s.tick(now)) {
        told.push_back(each);
      }
      any = !told.empty();
      for (berth::action const& each : told) {
        if (each.kind == berth::action_kind::start) {
          REQUIRE(s.report(each.job, berth::started{each.run}, now));
        } else {
          ++stops;
          REQUIRE(s.report(each.job, berth::stopped{.run = each.run}, now));
        }
      }
      REQUIRE(s.check_invariants() == nullptr);
    }
  }
  void pass(berth::duration time) {
    now += time;
    settle();
  }
  [[nodiscard]] bool runs(job_id job) const {
    return s.view(job).value().state() == job_state::running;
  }
  [[nodiscard]] wait_reason why(job_id job) const { return s.why_waiting(job).value(); }
  void set(tenant_id queue, tenant_spec const& spec) {
    REQUIRE(
        s.reconfigure([&](tenant_quota& tenants) { return tenants.set_queue(queue, spec); }, now));
  }

  time_point now{0s};
  int stops = 0;
  berth::scheduler_of<berth::priority_class, berth::easy_backfill, tenant_quota> s;
};

}  // namespace

TEST_CASE("tenant quota: what others leave is lent, and comes back when they want it") {
  lab host{8, {{.nominal = 4}, {.nominal = 4}}};
  job_id const own = host.submit(a, 4);
  job_id const borrowed = host.submit(a, 4);
  host.settle();
  CHECK(host.runs(own));
  CHECK(host.runs(borrowed));
  host.now += 1s;
  job_id const wants = host.submit(b, 4);
  host.settle();
  CHECK(host.runs(wants));
  CHECK(host.runs(own));
  CHECK_FALSE(host.runs(borrowed));
  CHECK(host.stops == 1);
}

TEST_CASE("tenant quota: a reclaim takes no more than what is borrowed") {
  lab host{8, {{.nominal = 5}, {.nominal = 3}}};
  job_id const first = host.submit(a, 4);
  job_id const second = host.submit(a, 4, 5);
  host.settle();
  host.now += 1s;
  job_id const wants = host.submit(b, 3);
  job_id const more = host.submit(b, 1);
  host.settle();
  CHECK(host.runs(wants));
  CHECK(host.runs(second));  // the first in rank order is its own
  CHECK_FALSE(host.runs(first));
  CHECK(host.runs(more));  // there is one left to borrow
  CHECK(host.stops == 1);
}

TEST_CASE("tenant quota: who may not borrow waits although GPUs are free, and says why") {
  lab host{8, {{.nominal = 2, .borrowing = 1}, {.nominal = 4}}};
  job_id const within = host.submit(a, 3);
  host.settle();
  job_id const beyond = host.submit(a, 1);
  host.settle();
  CHECK(host.runs(within));
  CHECK(host.why(beyond) == wait_reason::over_quota);
  job_id const other = host.submit(b, 2);
  host.settle();
  CHECK(host.runs(other));
  REQUIRE(host.s.complete(within, host.now));
  host.settle();
  CHECK(host.runs(beyond));  // it is woken by its own tenant's jobs
}

TEST_CASE("tenant quota: what is over quota is promised nothing and keeps nobody out") {
  lab host{4, {{.nominal = 2, .borrowing = 0}, {.nominal = 2}}};
  job_id const wide = host.submit(a, 3, 100);
  job_id const small = host.submit(b, 1);
  host.settle();
  CHECK(host.why(wide) == wait_reason::over_quota);
  CHECK(host.runs(small));
}

TEST_CASE("tenant quota: a quota lowered below its use stops new work and nothing else") {
  lab host{8, {{.nominal = 4, .borrowing = 0}, {.nominal = 4}}};
  job_id const runs = host.submit(a, 4);
  host.settle();
  host.set(a, {.nominal = 2, .borrowing = 0});
  job_id const later = host.submit(a, 1);
  host.pass(1h);
  CHECK(host.runs(runs));
  CHECK(host.why(later) == wait_reason::over_quota);
  CHECK(host.stops == 0);
  host.set(a, {.nominal = 5, .borrowing = 0});
  host.settle();
  CHECK(host.runs(later));
}

TEST_CASE("tenant quota: GPUs that a job was told to leave are no longer its tenant's") {
  lab host{8, {{.nominal = 4, .borrowing = 0}}};
  job_id const leaves = host.submit(a, 4);
  host.settle();
  REQUIRE(host.s.cancel(leaves, host.now));
  job_id const next = host.submit(a, 4);
  static_cast<void>(host.s.tick(host.now));  // nobody has confirmed the stop
  CHECK(host.s.view(next).value().state() == job_state::launching);
  CHECK(host.s.admission().tree().used_by(a) == 4);
}

TEST_CASE("tenant quota: a queue is changed as a whole or not at all") {
  lab host{8, {{.nominal = 4}}};
  auto const change = [&](tenant_id queue, tenant_spec const& spec) {
    auto const answer = host.s.reconfigure(
        [&](tenant_quota& tenants) { return tenants.set_queue(queue, spec); }, host.now);
    return answer.error().code;
  };
  CHECK(change(b, {}) == errc::unknown_tenant);
  CHECK(change(a, {.nominal = -1}) == errc::bad_number);
  CHECK(change(a, {.parent = b}) == errc::inconsistent);
  CHECK(host.s.admission().tree().spec(a).nominal == 4);
  host.pass(1s);
  host.now -= 1s;
  CHECK(change(a, {}) == errc::time_went_back);
}

TEST_CASE("tenant quota: priority decides within a tenant, whether its GPUs are borrowed or not") {
  lab host{4, {{.nominal = 4}, {.nominal = 0}}};
  job_id const low = host.submit(a, 4);
  host.settle();
  host.now += 1s;
  job_id const high = host.submit(a, 4, 1);
  host.settle();
  CHECK(host.runs(high));
  CHECK_FALSE(host.runs(low));
}

TEST_CASE("tenant quota: a borrower of high priority displaces nobody within quota") {
  lab host{4, {{.nominal = 4}, {.nominal = 0}}};
  job_id const own = host.submit(a, 4);
  host.settle();
  host.now += 1s;
  job_id const greedy = host.submit(b, 4, 100);
  host.settle();
  CHECK(host.runs(own));
  CHECK_FALSE(host.runs(greedy));
  CHECK(host.stops == 0);
}

TEST_CASE("tenant quota: after a recall its tenant waits to borrow, but not for its own") {
  lab host{4, {{.nominal = 1}, {.nominal = 3}}, {.after_recall = {60s, 2, 1h}}};
  job_id const borrower = host.submit(a, 2);
  host.settle();
  host.now += 10s;
  job_id const owner = host.submit(b, 3);
  host.settle();
  REQUIRE(host.runs(owner));
  REQUIRE(host.s.complete(owner, host.now));
  job_id const own = host.submit(a, 1);
  host.settle();
  CHECK(host.runs(own));
  CHECK(host.why(borrower) == wait_reason::loan_recalled);
  CHECK(host.s.next_wakeup() == time_point{70s});
  host.pass(60s - 1ms);
  CHECK_FALSE(host.runs(borrower));
  host.pass(1ms);
  CHECK(host.runs(borrower));
}

TEST_CASE("tenant quota: at most so many jobs a minute are told to stop for others") {
  lab host{4, {{.nominal = 0}, {.nominal = 4}}, {.stops_per_minute = 1}};
  for (int i = 0; i < 4; ++i) {
    host.submit(a, 1);
  }
  host.settle();
  host.now += 1s;
  std::vector<job_id> owners;
  for (int i = 0; i < 3; ++i) {
    owners.push_back(host.submit(b, 1));
  }
  host.settle();
  CHECK(host.stops == 1);
  CHECK(host.s.next_wakeup() == time_point{61s});
  host.pass(59s);
  CHECK(host.stops == 1);
  host.pass(1s);
  CHECK(host.stops == 2);
  host.pass(60s);
  CHECK(host.stops == 3);
  CHECK(host.runs(owners[2]));
}

TEST_CASE("tenant quota: jobs of tenants that the tree does not have stay outside") {
  lab host{4, {{.nominal = 4}}};
  job_id const stranger = host.submit(tenant_id{7}, 1);
  host.settle();
  CHECK(host.why(stranger) == wait_reason::not_admitted);
}

TEST_CASE("tenant quota: a restored scheduler knows the quotas and recalls of the old one") {
  std::vector<tenant_spec> const queues{{.nominal = 1}, {.nominal = 3}};
  tenant_rules const rules{.after_recall = {60s, 2, 1h}, .stops_per_minute = 2};
  lab host{4, queues, rules};
  job_id const borrower = host.submit(a, 2);
  host.settle();
  host.now += 10s;
  job_id const owner = host.submit(b, 3);
  host.settle();
  host.set(b, {.nominal = 2, .weight = 5});
  REQUIRE(host.s.complete(owner, host.now));
  std::vector<std::byte> bytes(host.s.snapshot_size());
  REQUIRE(host.s.snapshot(bytes));

  lab twin{4, queues, rules};
  REQUIRE(twin.s.restore(bytes));
  CHECK(twin.s.state_digest() == host.s.state_digest());
  CHECK(twin.s.admission().tree().spec(b).weight == 5);
  twin.now = host.now;
  twin.settle();
  CHECK(twin.why(borrower) == wait_reason::loan_recalled);
  host.settle();
  CHECK(twin.s.state_digest() == host.s.state_digest());

  lab fewer{4, {{.nominal = 1}}, rules};
  CHECK(fewer.s.restore(bytes).error().code == errc::bad_data);
  lab other_limit{4, queues, {.stops_per_minute = 3}};
  CHECK(other_limit.s.restore(bytes).error().where == berth::field::tenant);
}

}  // namespace tenant_quota_test
