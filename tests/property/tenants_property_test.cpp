// SPDX-License-Identifier: BSL-1.0
// Random trees of queues, random jobs: nobody goes beyond what the tree allows, the next to borrow
// is whoever has least for its weight, and everybody gets its turn. The sums are made from the
// host's own books, from the definitions, and compared as rational numbers.
#include <berth/admission/tenant_quota.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/random.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/presets/fair_share.hpp>
#include <berth/scheduler/config.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include <boost/rational.hpp>

#include <doctest/doctest.h>

namespace tenants_property_test {

namespace {

using namespace std::chrono_literals;
using berth::job_id;
using berth::tenant_id;
using berth::tenant_quota;
using berth::tenant_spec;
using rational = boost::rational<std::int64_t>;

constexpr int gpus = 16;

/// Up to six queues in up to three levels; each has a GPU of its own, so that nobody can starve.
std::vector<tenant_spec> random_tree(berth::random_source& random, bool flat) {
  auto const below = [&](std::uint64_t n) { return static_cast<std::int32_t>(random.next() % n); };
  std::vector<tenant_spec> queues;
  int const count = 2 + below(5);
  for (int i = 0; i < count; ++i) {
    tenant_spec queue{.nominal = 1 + below(2), .weight = below(4)};
    queue.borrowing = below(2) == 0 ? below(5) : berth::unlimited_gpus;
    queue.lending = below(2) == 0 ? below(3) : berth::unlimited_gpus;
    if (!flat && i > 0 && below(2) == 0) {
      queue.parent = static_cast<tenant_id>(below(static_cast<std::uint64_t>(std::min(i, 2))));
    }
    queues.push_back(queue);
  }
  return queues;
}

/// What a queue has to give, and what it uses of its parent's, straight from the definitions.
struct sums {
  std::vector<tenant_spec> const& queues;
  std::vector<std::int64_t> own;

  [[nodiscard]] bool is_child(std::size_t i, std::size_t of) const {
    return static_cast<std::size_t>(queues[i].parent) == of;
  }
  [[nodiscard]] std::int64_t quota(std::size_t at) const {
    std::int64_t sum = queues[at].nominal;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      sum += is_child(i, at) ? std::min<std::int64_t>(quota(i), queues[i].lending) : 0;
    }
    return sum;
  }
  [[nodiscard]] std::int64_t used(std::size_t at) const {
    std::int64_t sum = own[at];
    for (std::size_t i = 0; i < queues.size(); ++i) {
      std::int64_t const kept = quota(i) - std::min<std::int64_t>(quota(i), queues[i].lending);
      sum += is_child(i, at) ? std::max<std::int64_t>(0, used(i) - kept) : 0;
    }
    return sum;
  }
  [[nodiscard]] bool is_below(std::size_t i, std::size_t top) const {
    for (; i < queues.size(); i = static_cast<std::size_t>(queues[i].parent)) {
      if (i == top) {
        return true;
      }
    }
    return false;
  }
};

struct one_gpu_job {
  std::size_t tenant = 0;
  bool runs = false;
};

class world {
 public:
  world(berth::random_source& random, bool flat)
      : random_{random},
        queues_{random_tree(random, flat)},
        flat_{flat},
        s_{berth::presets::fair_share(berth::cluster::uniform(2, gpus / 2).value(), {},
                                      tenant_quota::of(queues_).value())
               .value()} {}

  void submit() {
    std::size_t const tenant = random_.next() % queues_.size();
    auto const id = s_.submit({.tenant = tenant_id{static_cast<std::uint32_t>(tenant)}}, now_);
    jobs_[id.value()] = {tenant, false};
  }
  void complete_one() {
    std::vector<job_id> running;
    for (auto const& [id, job] : jobs_) {
      if (job.runs) {
        running.push_back(id);
      }
    }
    if (!running.empty()) {
      job_id const ends = running[random_.next() % running.size()];
      REQUIRE(s_.complete(ends, now_));
      jobs_.erase(ends);
    }
  }
  void tick() {
    now_ += 1s;
    std::vector<std::int64_t> const before = own();
    std::vector<std::int64_t> gained(queues_.size(), 0);
    bool stops = false;
    std::vector<berth::action> told;
    for (berth::action const& each : s_.tick(now_)) {
      told.push_back(each);
    }
    for (berth::action const& each : told) {
      one_gpu_job& job = jobs_.at(each.job);
      if (each.kind == berth::action_kind::start) {
        job.runs = true;
        ++gained[job.tenant];
        REQUIRE(s_.report(each.job, berth::started{each.run}, now_));
      } else {
        job.runs = false;
        stops = true;
        REQUIRE(s_.report(each.job, berth::stopped{.run = each.run}, now_));
      }
    }
    REQUIRE(s_.check_invariants() == nullptr);
    check_limits(before, gained);
    if (!stops && flat_) {
      check_shares(gained);
    }
  }
  [[nodiscard]] std::size_t jobs() const { return jobs_.size(); }

  int limits_checked = 0;
  int shares_checked = 0;

 private:
  [[nodiscard]] std::vector<std::int64_t> own() const {
    std::vector<std::int64_t> sum(queues_.size(), 0);
    for (auto const& [id, job] : jobs_) {
      sum[job.tenant] += job.runs ? 1 : 0;
    }
    return sum;
  }

  /// Where a tick gave a branch nothing but loans, the branch is within its limit.
  void check_limits(std::vector<std::int64_t> const& before,
                    std::vector<std::int64_t> const& gained) {
    sums const now{queues_, own()};
    for (std::size_t top = 0; top < queues_.size(); ++top) {
      bool any = false;
      bool only_loans = true;
      for (std::size_t i = 0; i < queues_.size(); ++i) {
        if (gained[i] > 0 && now.is_below(i, top)) {
          any = true;
          only_loans = only_loans && before[i] >= queues_[i].nominal;
        }
      }
      if (any && only_loans && queues_[top].borrowing != berth::unlimited_gpus) {
        ++limits_checked;
        CHECK(now.used(top) <= now.quota(top) + queues_[top].borrowing);
      }
      if (queues_[top].borrowing != berth::unlimited_gpus && flat_) {
        CHECK(now.own[top] <= queues_[top].nominal + queues_[top].borrowing);
      }
    }
  }

  /// Whoever was lent a GPU had no more for its weight than those have who wait for one.
  void check_shares(std::vector<std::int64_t> const& gained) {
    std::vector<std::int64_t> const now = own();
    std::set<std::size_t> waits;
    for (auto const& [id, job] : jobs_) {
      if (!job.runs && s_.why_waiting(id).value() == berth::wait_reason::no_gpus) {
        waits.insert(job.tenant);
      }
    }
    for (std::size_t lucky = 0; lucky < queues_.size(); ++lucky) {
      if (gained[lucky] == 0 || now[lucky] <= queues_[lucky].nominal) {
        continue;
      }
      for (std::size_t const unlucky : waits) {
        if (unlucky == lucky || now[unlucky] < queues_[unlucky].nominal) {
          continue;
        }
        ++shares_checked;
        std::int32_t const weight = queues_[lucky].weight;
        std::int32_t const his = queues_[unlucky].weight;
        if (his != 0) {
          REQUIRE(weight != 0);
          CHECK(rational(now[lucky] - 1, weight) <= rational(now[unlucky], his));
        }
      }
    }
  }

  berth::random_source& random_;
  std::vector<tenant_spec> queues_;
  bool flat_;
  berth::scheduler_of<berth::priority_class, berth::easy_backfill, tenant_quota> s_;
  std::map<job_id, one_gpu_job> jobs_;
  berth::time_point now_{0s};
};

struct counts {
  int limits = 0;
  int shares = 0;
};

void live(std::uint64_t seed, bool flat, counts& seen) {
  CAPTURE(seed);
  CAPTURE(flat);
  berth::random_source random{seed};
  world w{random, flat};
  for (int step = 0; step < 150; ++step) {
    for (std::uint64_t n = random.next() % 6; n > 0; --n) {
      w.submit();
    }
    for (std::uint64_t n = random.next() % 4; n > 0; --n) {
      w.complete_one();
    }
    w.tick();
  }
  for (int rest = 0; rest < 2000 && w.jobs() > 0; ++rest) {
    w.complete_one();
    w.tick();
  }
  CHECK(w.jobs() == 0);
  seen.limits += w.limits_checked;
  seen.shares += w.shares_checked;
}

}  // namespace

TEST_CASE("tenants keep to their limits, borrow by fair shares, and all are served") {
  counts seen;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    live(seed, seed % 2 == 0, seen);
  }
  CHECK(seen.limits > 1000);
  CHECK(seen.shares > 1000);
}

}  // namespace tenants_property_test
