// SPDX-License-Identifier: BSL-1.0
// A Slurm in memory: nodes of 8 GPUs, jobs that run for some seconds, and the habits of the real
// one that matter to an agent: it starts what is released and pinned at its next second, picks GPU
// numbers of its own, keeps a stopped job's GPUs for a moment, takes back what it cannot grant, and
// fails a job that starts again within a second of its last run (slurmd: credential revoked).
// Keeps a list of the requests that it got.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <examples/slurm_agent/admin_note.hpp>
#include <examples/slurm_agent/host.hpp>

class fake_slurm final : public slurm_agent::host {
 public:
  explicit fake_slurm(int nodes) {
    for (int i = 0; i < nodes; ++i) {
      seen_.nodes.push_back({"n" + std::to_string(i), 8, "h100", 64, berth::node_health::up, 0});
    }
  }

  slurm_agent::job_number submit(int nodes, int gpus, std::string comment = {},
                                 int seconds = 1000) {
    slurm_agent::job_record job;
    job.number = ++last_;
    job.held_by_owner = true;
    job.can_requeue = true;
    job.nodes_least = job.nodes_most = nodes;
    job.gpus_per_node = gpus;
    job.comment = std::move(comment);
    job.submitted = 1'000'000;
    seen_.jobs.push_back(job);
    left_[job.number] = seconds;
    return job.number;
  }
  slurm_agent::job_record& job(slurm_agent::job_number number) {
    return *std::find_if(seen_.jobs.begin(), seen_.jobs.end(),
                         [&](auto const& each) { return each.number == number; });
  }
  slurm_agent::node_record& node(std::size_t i) { return seen_.nodes[i]; }
  std::vector<slurm_agent::job_record> const& jobs() const { return seen_.jobs; }
  slurm_agent::admin_note note(slurm_agent::job_number number) {
    return slurm_agent::read_note(job(number).admin_comment);
  }

  /// A second passes.
  void pass() {
    ++seconds_;
    for (slurm_agent::job_record& each : seen_.jobs) {
      if (each.phase == slurm_agent::job_phase::completing) {
        each.gpus.clear();
        each.phase = left_[each.number] > 0 ? slurm_agent::job_phase::held
                                            : slurm_agent::job_phase::succeeded;
      } else if (each.phase == slurm_agent::job_phase::running && --left_[each.number] == 0) {
        each.phase = slurm_agent::job_phase::completing;
      }
    }
    for (slurm_agent::job_record& each : seen_.jobs) {
      if (each.phase == slurm_agent::job_phase::released) {
        start(each);
      }
    }
  }
  void cancel(slurm_agent::job_number number) {
    left_[number] = 0;
    slurm_agent::job_record& each = job(number);
    if (each.phase == slurm_agent::job_phase::running) {
      each.phase = slurm_agent::job_phase::completing;
    } else {
      each.phase = slurm_agent::job_phase::failed;
    }
  }

  slurm_agent::load_outcome load(slurm_agent::picture& into) override {
    if (is_away) {
      return slurm_agent::load_outcome::unreachable;
    }
    into = seen_;
    return slurm_agent::load_outcome::changed;
  }
  slurm_agent::answer update(slurm_agent::job_update const& change) override {
    slurm_agent::job_record& each = job(change.job);
    using enum slurm_agent::hold_order;
    if (change.hold == release && refuse_releases) {
      requests.push_back("refused release " + std::to_string(change.job));
      return {2018, "Invalid node name specified"};
    }
    bool const waits = each.phase == slurm_agent::job_phase::held ||
                       each.phase == slurm_agent::job_phase::released;
    if (change.hold == release && waits) {
      each.phase = slurm_agent::job_phase::released;
      requests.push_back("release " + std::to_string(change.job));
    } else if (change.hold == hold && waits) {
      each.phase = slurm_agent::job_phase::held;
      each.held_by_owner = false;
      requests.push_back("hold " + std::to_string(change.job));
    } else if (change.note) {
      bool const leaves = slurm_agent::read_note(*change.note).leaves > 0;
      requests.push_back((leaves ? "mark " : "note ") + std::to_string(change.job));
    }
    if (change.pin) {
      pinned_[change.job] = *change.pin;
    }
    if (change.nodes_most > 0) {
      each.nodes_least = change.nodes_least;
      each.nodes_most = change.nodes_most;
    }
    if (change.note) {
      each.admin_comment = *change.note;
    }
    return {};
  }
  slurm_agent::answer signal(slurm_agent::job_number number) override {
    requests.push_back("signal " + std::to_string(number));
    return {};
  }
  slurm_agent::answer requeue_held(slurm_agent::job_number number) override {
    requests.push_back("requeue " + std::to_string(number));
    slurm_agent::job_record& each = job(number);
    if (each.phase != slurm_agent::job_phase::running) {
      return {2024, "Job is pending execution"};
    }
    each.phase = slurm_agent::job_phase::completing;
    if (stops_at_once) {
      each.gpus.clear();
      each.phase = slurm_agent::job_phase::held;
    }
    requeued_at_[number] = seconds_;
    ++each.restarts;
    return {};
  }

  /// Requests that change what runs, in order; forgets them.
  std::vector<std::string> taken_requests() {
    std::vector<std::string> orders;
    for (std::string const& each : std::exchange(requests, {})) {
      if (!each.starts_with("note") && !each.starts_with("hold")) {
        orders.push_back(each);
      }
    }
    return orders;
  }

  bool is_away = false;
  bool refuse_releases = false;
  bool stops_at_once = false;  ///< a requeued job leaves its GPUs within the same second
  std::vector<std::string> requests;

 private:
  std::uint64_t used_on(std::string const& name) const {
    std::uint64_t used = 0;
    for (slurm_agent::job_record const& each : seen_.jobs) {
      for (slurm_agent::held_gpus const& part : each.gpus) {
        used |= part.node == name ? part.gpus : 0;
      }
    }
    return used;
  }

  void start(slurm_agent::job_record& each) {
    std::vector<slurm_agent::held_gpus> parts;
    for (slurm_agent::node_record const& node : seen_.nodes) {
      if (("," + pinned_[each.number] + ",").find("," + node.name + ",") == std::string::npos) {
        continue;
      }
      std::uint64_t const used = used_on(node.name) | node.foreign;
      std::uint64_t mask = 0;
      for (int i = 7; i >= 0 && berth::gpu_count(mask) < each.gpus_per_node; --i) {
        mask |= (used >> i & 1) == 0 ? std::uint64_t{1} << i : 0;
      }
      if (berth::gpu_count(mask) == each.gpus_per_node && node.health == berth::node_health::up) {
        parts.push_back({node.name, mask});
      }
    }
    if (each.gpus_per_node == 0 || std::cmp_equal(parts.size(), each.nodes_most)) {
      each.gpus = each.gpus_per_node == 0 ? std::vector<slurm_agent::held_gpus>{} : parts;
      each.phase = slurm_agent::job_phase::running;
      auto const last = requeued_at_.find(each.number);
      if (last != requeued_at_.end() && seconds_ - last->second <= 1) {
        cancel(each.number);
      }
    }
  }

  slurm_agent::picture seen_;
  std::map<slurm_agent::job_number, int> left_;
  std::map<slurm_agent::job_number, std::string> pinned_;
  std::map<slurm_agent::job_number, std::int64_t> requeued_at_;
  std::int64_t seconds_ = 0;
  slurm_agent::job_number last_ = 0;
};
