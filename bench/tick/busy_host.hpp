// SPDX-License-Identifier: BSL-1.0
// A host that keeps a cluster busy: jobs end at random, others arrive, every order is carried out
// and acknowledged at once. Draws nothing from the clock: equal seeds give equal calls.
#pragma once

#include <berth/berth.hpp>

#include <bench/support/instructions.hpp>
#include <bench/tick/gang_mix.hpp>
#include <bench/tick/row.hpp>
#include <tests/support/counting_new.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

inline constexpr std::int32_t gpus_per_node = 8;
inline constexpr std::int32_t nodes_per_rack = 40;

/// Nodes of 8 GPUs in racks of 40; the types take turns, rack by rack.
[[nodiscard]] inline berth::cluster make_cluster(setting const& what) {
  std::vector<std::string> names;
  for (int t = 0; t < what.types; ++t) {
    names.push_back("type" + std::to_string(t));
  }
  berth::cluster made{names};
  for (std::int64_t n = 0; n < what.gpus / gpus_per_node; ++n) {
    std::int64_t const rack = n / nodes_per_rack;
    static_cast<void>(
        made.add({.gpus = gpus_per_node,
                  .type = berth::gpu_type{static_cast<std::uint8_t>(rack % what.types)},
                  .rack = berth::rack_id{static_cast<std::uint32_t>(rack)}}));
  }
  return made;
}

[[nodiscard]] inline berth::scheduler_config make_limits(setting const& what) {
  berth::scheduler_config config;
  auto const jobs = what.running + what.pending + what.gpus / 4 + 4096;
  config.max_jobs = static_cast<std::uint32_t>(jobs);
  config.max_nodes = static_cast<std::uint32_t>(what.gpus / gpus_per_node);
  config.max_gpus = static_cast<std::uint32_t>(what.gpus);
  return config;
}

template <class Scheduler>
class busy_host {
 public:
  busy_host(Scheduler& scheduler, setting const& what)
      : scheduler_{scheduler},
        what_{what},
        mix_{0.95 * static_cast<double>(what.gpus) / static_cast<double>(what.running)},
        tick_{static_cast<std::size_t>(what.ticks)},
        submit_{max_samples},
        complete_{max_samples},
        report_{max_samples} {
    std::size_t const most = scheduler.config().max_jobs;
    running_.reserve(most);
    orders_.reserve(3 * most);
    place_.assign(most, nowhere);
    free_.assign(static_cast<std::size_t>(what.gpus / gpus_per_node), gpus_per_node);
    fill();
  }

  void run() {
    is_measuring_ = true;
    instruction_marks::begin();
    std::uint64_t const before = tests::allocations();
    double running = 0;
    for (int i = 0; i < what_.ticks; ++i) {
      now_ += std::chrono::seconds{1};
      change(what_.churn, what_.pending);
      berth::plan const decided = timed(tick_, [&] { return scheduler_.tick(now_); });
      dump("tick");
      actions_ += decided.size();
      apply(decided);
      dump("report");
      running += static_cast<double>(running_.size());
    }
    instruction_marks::end();
    is_measuring_ = false;
    result_.allocations = tests::allocations() - before;
    result_.running = static_cast<std::int64_t>(running / std::max(1, what_.ticks));
  }

  [[nodiscard]] std::uint64_t decisions() const { return decisions_.value(); }
  [[nodiscard]] row result() const {
    row r = result_;
    r.what = what_;
    r.nodes = what_.gpus / gpus_per_node;
    r.tick = tick_.summary();
    r.submit = submit_.summary();
    r.complete = complete_.summary();
    r.report = report_.summary();
    double const seconds = tick_.sum() / 1e6;
    r.decisions_per_second = seconds > 0 ? static_cast<double>(actions_) / seconds : 0;
    r.actions_per_tick = static_cast<double>(actions_) / std::max(1, what_.ticks);
    r.extra_nodes_per_gang =
        gangs_ > 0 ? static_cast<double>(extra_nodes_) / static_cast<double>(gangs_) : 0;
    r.broken_nodes_per_gang =
        gangs_ > 0 ? static_cast<double>(broken_nodes_) / static_cast<double>(gangs_) : 0;
    r.digest = decisions_.value();
    return r;
  }

 private:
  static constexpr std::size_t max_samples = 1u << 20;
  static constexpr std::uint32_t nowhere = 0xffffffffu;

  /// 95 % of the GPUs get work, then the queue its length.
  void fill() {
    std::int64_t load = 0;
    while (load < what_.gpus * 95 / 100) {
      std::int32_t const gang = mix_.draw(random_);
      load += gang;
      submit(gang);
    }
    for (int i = 0; i < 8; ++i) {
      now_ += std::chrono::seconds{1};
      apply(scheduler_.tick(now_));
    }
    // Two hours pass until jobs of all ages run: else all would sink to a lower queue in one tick.
    for (int i = 0; i < 60; ++i) {
      now_ += std::chrono::minutes{2};
      change(0.03, 0);
      apply(scheduler_.tick(now_));
    }
    if (what_.blocked == queue_kind::blocked_at_head ||
        what_.blocked == queue_kind::shapes_at_head) {
      for (std::int64_t i = 0; i < blocked_ahead; ++i) {
        submit(static_cast<std::int32_t>(what_.gpus), static_cast<std::int32_t>(i));
      }
    }
    while (pending() < what_.pending) {
      submit(next_gang());
    }
    for (int i = 0; i < 30; ++i) {
      now_ += std::chrono::seconds{1};
      change(what_.churn, what_.pending);
      apply(scheduler_.tick(now_));
    }
    submit_ = samples{max_samples};
    complete_ = samples{max_samples};
    report_ = samples{max_samples};
    actions_ = 0;
    gangs_ = 0;
    extra_nodes_ = 0;
    broken_nodes_ = 0;
  }
  /// A share of the running jobs ends; as many arrive, or more if fewer than `waiting` wait.
  void change(double churn, std::int64_t waiting) {
    auto const changes = static_cast<std::int64_t>(churn * static_cast<double>(running_.size()) +
                                                   (churn > 0 ? 0.999 : 0.0));
    for (std::int64_t i = 0; i < changes && !running_.empty(); ++i) {
      end(running_[static_cast<std::size_t>(random_.below(running_.size()))]);
    }
    dump("complete");
    std::int64_t const most = waiting + changes;
    for (std::int64_t i = 0;
         changes > 0 && (i < changes || pending() < waiting) && pending() < most; ++i) {
      submit(waiting == 0 ? mix_.draw(random_) : next_gang());
    }
    dump("submit");
  }
  /// One call into the scheduler, measured.
  template <class Call>
  auto timed(samples& into, Call&& call) {
    bool const counts =
        what_.counted == calls::all || (what_.counted == calls::ticks && &into == &tick_);
    if (counts) {
      instruction_marks::toggle();
    }
    stopwatch const watch;
    auto answer = call();
    double const microseconds = watch.microseconds();
    if (counts) {
      instruction_marks::toggle();
    }
    into.add(microseconds);
    return answer;
  }
  /// What was counted since the last dump were calls of this kind.
  void dump(char const* kind) {
    if (what_.counted == calls::all && is_measuring_) {
      instruction_marks::dump(kind);
    }
  }
  [[nodiscard]] std::int64_t pending() const {
    return static_cast<std::int64_t>(scheduler_.job_count()) -
           static_cast<std::int64_t>(running_.size());
  }
  /// A job that cannot run beside the others wants the whole cluster.
  [[nodiscard]] std::int32_t next_gang() {
    return what_.blocked == queue_kind::blocked ? static_cast<std::int32_t>(what_.gpus)
                                                : mix_.draw(random_);
  }
  /// `number` >= 0: the number of a job that cannot run, and goes ahead of others where a policy
  /// looks at lengths or priorities at all.
  void submit(std::int32_t gang, std::int32_t number = -1) {
    berth::job_spec job;
    job.gang = gang;
    job.work = berth::duration{random_.between(600'000, 36'000'000)};
    job.checkpoints.period = std::chrono::minutes{10};
    if (number >= 0 && what_.blocked == queue_kind::shapes_at_head) {
      job.speed[0] = 1.0 + 0.001 * number;  // another shape each
    }
    if (what_.types > 1 && random_.below(2) == 0) {
      job.allowed_types = static_cast<berth::type_mask>(
          1u << random_.below(static_cast<std::uint64_t>(what_.types)));
    }
    if (!timed(submit_, [&] { return scheduler_.submit(job, now_); })) {
      result_.wrong = "submit was refused";
    }
  }
  void end(berth::job_id job) {
    give_back(job);
    auto const done = timed(complete_, [&] { return scheduler_.complete(job, now_); });
    forget(job);
    if (!done) {
      result_.wrong = "complete was refused";
    }
  }
  void apply(berth::plan const& decided) {
    // Acknowledging invalidates the plan: what it says is copied first.
    orders_.clear();
    for (berth::action const& each : decided) {
      each.add_to(decisions_);
      if (each.kind == berth::action_kind::carry_on) {
        continue;  // it has stopped already
      }
      orders_.push_back({each.kind, each.job, each.run});
      if (each.kind == berth::action_kind::start) {
        note_placement(each);
      }
    }
    for (order const& each : orders_) {
      bool fine = true;
      if (each.kind == berth::action_kind::start) {
        fine = report(each.job, berth::started{each.run});
        place_[each.job.slot()] = static_cast<std::uint32_t>(running_.size());
        running_.push_back(each.job);
      } else {
        give_back(each.job);
        fine = report(each.job, berth::stopped{berth::not_said, each.run});
        forget(each.job);
      }
      if (!fine) {
        result_.wrong = "a report was refused";
      }
    }
  }
  template <class Report>
  [[nodiscard]] bool report(berth::job_id job, Report const& said) {
    return timed(report_, [&] { return bool{scheduler_.report(job, said, now_)}; });
  }
  void note_placement(berth::action const& start) {
    std::int64_t gpus = 0;
    for (berth::gpu_range const& range : start.gpus) {
      std::int32_t const here = berth::gpu_count(range.gpus);
      std::int32_t& left = free_[range.node.slot()];
      broken_nodes_ += left == gpus_per_node && here < gpus_per_node ? 1 : 0;
      left -= here;
      gpus += here;
    }
    auto const nodes = static_cast<std::int64_t>(start.gpus.size());
    extra_nodes_ += nodes - (gpus + gpus_per_node - 1) / gpus_per_node;
    ++gangs_;
  }
  void give_back(berth::job_id job) {
    static_cast<void>(scheduler_.for_each_gpu(job, [&](berth::gpu_range const& range) {
      free_[range.node.slot()] += berth::gpu_count(range.gpus);
    }));
  }
  void forget(berth::job_id job) {
    std::uint32_t const at = place_[job.slot()];
    place_[job.slot()] = nowhere;
    running_[at] = running_.back();
    place_[running_[at].slot()] = at == running_.size() - 1 ? nowhere : at;
    running_.pop_back();
  }

  struct order {
    berth::action_kind kind;
    berth::job_id job;
    berth::run_number run;
  };
  Scheduler& scheduler_;
  setting what_;
  gang_mix mix_;
  berth::random_source random_{7};
  berth::time_point now_{};
  std::vector<berth::job_id> running_;
  std::vector<std::uint32_t> place_;  ///< per job slot, in running_
  std::vector<std::int32_t> free_;    ///< per node, as the plans say
  std::vector<order> orders_;
  berth::digest decisions_;
  samples tick_;
  samples submit_;
  samples complete_;
  samples report_;
  bool is_measuring_ = false;  ///< no more the set-up
  std::uint64_t actions_ = 0;
  std::int64_t gangs_ = 0;
  std::int64_t extra_nodes_ = 0;
  std::int64_t broken_nodes_ = 0;
  row result_;
};

}  // namespace berth_bench
