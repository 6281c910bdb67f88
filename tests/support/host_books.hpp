// SPDX-License-Identifier: BSL-1.0
// What a careful host knows: who is on which GPU, what each job's gang is, which orders are open.
// Kept from plans and reports alone, without a look into the scheduler, and used to judge its
// plans.
#pragma once

#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/node.hpp>

#include <tests/support/forall.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tests {

enum class phase : std::uint8_t { waiting, launching, running, draining, cancelling, ended };

struct known_job {
  berth::job_id id;
  berth::job_spec spec;
  std::array<berth::role, berth::max_roles> roles{};  ///< what is left of the gang
  phase now = phase::waiting;
  std::uint32_t run = 0;
  bool ran = false;                           ///< this run was confirmed
  bool told_to_stop = false;                  ///< in this run
  berth::time_point saves_at = berth::never;  ///< what the order to stop said
  bool stop_withdrawn = false;  ///< an order to stop this run was, and may have been obeyed
  std::uint32_t preemptions = 0;
  std::uint32_t failures = 0;
  std::int64_t served = 0;
  int endings = 0;
  int starts = 0;
  std::map<std::size_t, berth::gpu_mask> gpus;  ///< by index of the node

  [[nodiscard]] bool on_gpus() const { return now != phase::waiting && now != phase::ended; }
  [[nodiscard]] int gang() const {
    int sum = 0;
    for (berth::role const& r : roles) {
      sum += r.members * r.gpus;
    }
    return sum;
  }
  [[nodiscard]] int held() const {
    int sum = 0;
    for (auto const& [node, mask] : gpus) {
      sum += berth::gpu_count(mask);
    }
    return sum;
  }
};

struct known_node {
  berth::node_id id;
  berth::node_spec spec;
  bool exists = true;
  berth::gpu_mask lost = 0;
};

class host_books {
 public:
  std::vector<known_job> jobs;
  std::vector<known_node> nodes;
  std::uint64_t withdrawals = 0;
  std::uint64_t moves = 0;  ///< starts in a plan that also withdraws an order

  [[nodiscard]] known_job* find(berth::job_id id) {
    for (known_job& job : jobs) {
      if (job.id == id) {
        return &job;
      }
    }
    return nullptr;
  }
  [[nodiscard]] std::size_t index_of(berth::node_id id) const {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].exists && nodes[n].id == id) {
        return n;
      }
    }
    throw broken{"the plan names a node that does not exist"};
  }
  [[nodiscard]] berth::gpu_mask taken(std::size_t node) const {
    berth::gpu_mask sum = 0;
    for (known_job const& job : jobs) {
      if (auto const at = job.gpus.find(node); at != job.gpus.end()) {
        sum |= at->second;
      }
    }
    return sum;
  }

  static void leave(known_job& job, phase to) {
    job.gpus.clear();
    job.now = to;
    job.ran = false;
    job.told_to_stop = false;
    job.stop_withdrawn = false;
    job.saves_at = berth::never;
    job.endings += to == phase::ended ? 1 : 0;
  }

  /// Judges one plan and carries it out. `implicit`: stopped and started at once.
  void apply(berth::plan const& plan, berth::time_point now, bool implicit) {
    bool started_any = false;
    bool stopped_any = false;
    std::uint64_t const withdrawals_before = withdrawals;
    for (berth::action const& a : plan) {
      known_job* const job = find(a.job);
      expect(job != nullptr && job->now != phase::ended, "the plan names a job that has ended");
      expect(a.tag == job->spec.tag, "the plan gives back another tag");
      if (a.kind == berth::action_kind::start) {
        started_any = true;
        moves += withdrawals > withdrawals_before ? 1 : 0;
        start(*job, a, implicit);
      } else if (a.kind == berth::action_kind::carry_on) {
        expect(!started_any && !stopped_any, "a withdrawal comes after a stop or a start");
        carry_on(*job, a, now);
      } else {
        stopped_any = true;
        expect(!started_any, "a stop comes after a start");
        stop(*job, a, now, implicit);
      }
    }
    for (known_job const& job : jobs) {
      bool const stopping = job.now == phase::draining || job.now == phase::cancelling;
      expect(!stopping || job.told_to_stop, "a job that has to stop was not told");
    }
  }

 private:
  void carry_on(known_job& job, berth::action const& a, berth::time_point now) {
    expect(job.now == phase::draining && job.told_to_stop,
           "an order is withdrawn that is not there");
    expect(static_cast<std::uint32_t>(a.run) == job.run, "a withdrawal names another run");
    expect(now < job.saves_at, "a job that saves already is told to go on");
    expect(job.held() == job.gang(), "a gang that is not whole is told to go on");
    expect(same_gpus(job, a), "a withdrawal names other GPUs than the job holds");
    expect(a.reason == berth::stop_reason::none && a.beneficiary.is_null() &&
               a.saves_at == berth::never,
           "a withdrawal says what only a stop says");
    job.now = job.ran ? phase::running : phase::launching;
    job.told_to_stop = false;
    job.stop_withdrawn = true;
    job.saves_at = berth::never;
    --job.preemptions;
    ++withdrawals;
  }

  void stop(known_job& job, berth::action const& a, berth::time_point now, bool implicit) {
    expect(job.on_gpus(), "a job without GPUs is told to stop");
    expect(static_cast<std::uint32_t>(a.run) == job.run, "an order to stop names another run");
    bool const sooner = a.reason == berth::stop_reason::cancelled && a.saves_at < job.saves_at;
    expect(!job.told_to_stop || sooner, "a run is told to stop twice");
    expect(a.saves_at != berth::never, "a stop does not say when");
    expect(same_gpus(job, a), "an order to stop names other GPUs than the job holds");
    if (a.reason == berth::stop_reason::preempted) {
      known_job const* const heir = find(a.beneficiary);
      expect(heir != nullptr && heir->now == phase::waiting, "a victim yields to nobody who waits");
      expect(job.spec.preemptible, "a job that must not be stopped is preempted");
      expect(job.now != phase::draining, "a draining job is preempted");
      expect(a.saves_at >= now, "a job is to have stopped already");
      ++job.preemptions;
    } else {
      expect(a.beneficiary.is_null(), "a stop that is no preemption has a beneficiary");
      expect(job.now == phase::draining || job.now == phase::cancelling, "a stop without a cause");
    }
    job.told_to_stop = true;
    job.saves_at = a.saves_at;
    if (job.now != phase::cancelling) {
      job.now = phase::draining;
    }
    if (implicit) {
      leave(job, job.now == phase::cancelling ? phase::ended : phase::waiting);
    }
  }

  void start(known_job& job, berth::action const& a, bool implicit) {
    expect(job.now == phase::waiting, "a job is started that does not wait");
    expect(static_cast<std::uint32_t>(a.run) == job.run + 1, "a start has no new run number");
    for (berth::gpu_range const& range : a.gpus) {
      std::size_t const n = index_of(range.node);
      known_node const& node = nodes[n];
      expect(range.gpus != 0, "a start names no GPU of a node");
      expect((range.gpus & ~berth::first_gpus(node.spec.gpus)) == 0, "a start names no such GPU");
      expect(node.spec.health == berth::node_health::up, "a start on a node that is not up");
      expect((range.gpus & node.lost) == 0, "a start names a withdrawn GPU");
      expect((range.gpus & taken(n)) == 0, "a GPU is given twice");
      expect(job.gpus.count(n) == 0, "a start names a node twice");
      expect(berth::contains(job.spec.allowed_types, node.spec.type), "a type that is not allowed");
      expect(node.spec.owner == job.spec.where, "another pool's node");
      job.gpus[n] = range.gpus;
    }
    expect(job.held() == job.gang(), "a gang is started in part");
    check_layout(job);
    for (auto const& [n, mask] : job.gpus) {
      check_cpu_and_memory(n);
    }
    ++job.run;
    ++job.starts;
    job.now = implicit ? phase::running : phase::launching;
    job.ran = implicit;
  }

  [[nodiscard]] bool same_gpus(known_job const& job, berth::action const& a) const {
    std::map<std::size_t, berth::gpu_mask> named;
    for (berth::gpu_range const& range : a.gpus) {
      named[index_of(range.node)] |= range.gpus;
    }
    return named == job.gpus;
  }

  void check_layout(known_job const& job) const {
    if (job.spec.layout == berth::spread::same_node) {
      expect(job.gpus.size() == 1, "a gang for one node is on several");
      return;
    }
    std::vector<std::pair<int, berth::gpu_type>> counts;
    for (auto const& [n, mask] : job.gpus) {
      counts.emplace_back(berth::gpu_count(mask), nodes[n].spec.type);
    }
    bool const apart = job.spec.layout == berth::spread::one_per_node;
    std::array<int, berth::max_roles> type_of_role{};
    type_of_role.fill(-1);
    expect(splits(job.roles, counts, 0, apart, type_of_role), "members do not fit their nodes");
  }

  // Can the GPUs on nodes `at` and later be divided into whole members, each role on one type?
  static bool splits(std::array<berth::role, berth::max_roles> roles,
                     std::vector<std::pair<int, berth::gpu_type>> const& counts, std::size_t at,
                     bool apart, std::array<int, berth::max_roles> type_of_role) {
    if (at == counts.size()) {
      for (berth::role const& r : roles) {
        if (r.members != 0) {
          return false;
        }
      }
      return true;
    }
    return splits_node(roles, counts, at, counts[at].first, 0, 0, apart, type_of_role);
  }
  static bool splits_node(std::array<berth::role, berth::max_roles> roles,
                          std::vector<std::pair<int, berth::gpu_type>> const& counts,
                          std::size_t at, int left, std::size_t role, int members, bool apart,
                          std::array<int, berth::max_roles> type_of_role) {
    if (left == 0) {
      return (!apart || members == 1) && splits(roles, counts, at + 1, apart, type_of_role);
    }
    for (std::size_t r = role; r < roles.size(); ++r) {
      int const type = static_cast<int>(counts[at].second);
      if (roles[r].members > 0 && roles[r].gpus <= left &&
          (type_of_role[r] < 0 || type_of_role[r] == type)) {
        auto fewer = roles;
        auto types = type_of_role;
        --fewer[r].members;
        types[r] = type;
        if (splits_node(fewer, counts, at, left - fewer[r].gpus, r, members + 1, apart, types)) {
          return true;
        }
      }
    }
    return false;
  }

  void check_cpu_and_memory(std::size_t n) const {
    std::int64_t cpu = 0;
    std::int64_t memory = 0;
    for (known_job const& job : jobs) {
      if (auto const at = job.gpus.find(n); at != job.gpus.end()) {
        cpu += berth::gpu_count(at->second) * job.spec.cpu_milli_per_gpu;
        memory += berth::gpu_count(at->second) * job.spec.memory_mib_per_gpu;
      }
    }
    expect(cpu == 0 || cpu <= nodes[n].spec.cpu_milli, "CPU is given twice");
    expect(memory == 0 || memory <= nodes[n].spec.memory_mib, "memory is given twice");
  }
};

}  // namespace tests
