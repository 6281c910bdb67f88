// SPDX-License-Identifier: BSL-1.0
// Elastic training and inference tasks on one cluster, through the scheduler's public interface.
// From event to event: no time step.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/inference/lender.hpp>
#include <berth/model/action.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/elastic_options.hpp>
#include <berth_sim/elastic/elastic_outcome.hpp>
#include <berth_sim/elastic/elastic_training.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/inference_demand.hpp>
#include <berth_sim/elastic/placement_shape.hpp>
#include <berth_sim/elastic/replica_fleet.hpp>
#include <berth_sim/elastic/told_remaining.hpp>
#include <berth_sim/must.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// A host that is as fast as it can be: orders are obeyed at once, and what a restart takes is felt
/// in the job's progress alone. `board` is what the scheduler's told_remaining reads.
template <class Scheduler>
class elastic_simulator {
 public:
  elastic_simulator(Scheduler& scheduler, remaining_board& board,
                    std::span<application const> applications, elastic_workload const& work,
                    elastic_options const& options)
      : scheduler_{scheduler},
        board_{board},
        applications_{applications},
        work_{work},
        options_{options},
        lender_{options.lender_rules},
        fleet_{options.pods} {
    board_.assign(work.jobs.size(), options_.unknown);
    for (demand_point const& past : options_.history) {
      detail::must(lender_.observe(past.gpus, past.at));
    }
    node_gpus_.resize(scheduler.books().node_slots());
    for (std::uint32_t n = 0; n < scheduler.books().node_slots(); ++n) {
      node_spec const& spec = scheduler.books().node(n).spec;
      inference_gpus_ += spec.owner == pool::inference ? spec.gpus : 0;
      gpus_per_node_ = std::max(gpus_per_node_, spec.gpus);
    }
  }

  elastic_outcome run() {
    outcome_.training_s.resize(work_.jobs.size());
    outcome_.task_delay_s.resize(work_.tasks.size());
    while (left_training_ > 0 || next_job_ < work_.jobs.size()) {
      step_to(next_event());
      bool const looks = now_ >= next_look_;
      end_jobs();
      arrive();
      fleet_.for_each_due(now_, [&](std::uint32_t n) { pod_changes(n); });
      if (looks) {
        look();
      }
      decide();
    }
    outcome_.makespan_s = detail::seconds(now_.time_since_epoch());
    return std::move(outcome_);
  }

 private:
  struct live_training {
    std::size_t row = 0;
    job_id id;
    elastic_training state;
    resize_time restart{};
    placement_shape shape{};
    std::int32_t gang = 1;
    std::int32_t reach = 0;
    bool has_run = false;
  };

  // ---- time ----

  [[nodiscard]] time_point next_event() const {
    time_point next = std::min(next_look_, fleet_.next_change());
    next = std::min(next, std::max(now_, scheduler_.next_wakeup()));
    if (next_job_ < work_.jobs.size()) {
      next = std::min(next, work_.jobs[next_job_].submit);
    }
    if (next_task_ < work_.tasks.size()) {
      next = std::min(next, work_.tasks[next_task_].submit);
    }
    for (live_training const& each : training_) {
      if (duration const rest = each.state.until_next(); rest != forever) {
        next = std::min(next, now_ + rest);
      }
    }
    return next;
  }
  void step_to(time_point next) {
    duration const passed = next - now_;
    for (live_training& each : training_) {
      if (each.state.is_restarting()) {
        outcome_.gpu_s_restarting +=
            detail::seconds(std::min(passed, each.state.until_next())) * each.shape.gpus;
      }
      each.state.advance(passed);
    }
    outcome_.gpu_s_loaned += detail::seconds(passed) * static_cast<double>(loaned_);
    outcome_.gpu_s_serving += detail::seconds(passed) * fleet_.in_use();
    now_ = next;
  }

  // ---- training ----

  void arrive() {
    for (; next_job_ < work_.jobs.size() && work_.jobs[next_job_].submit <= now_; ++next_job_) {
      submit(next_job_);
    }
    for (; next_task_ < work_.tasks.size() && work_.tasks[next_task_].submit <= now_;
         ++next_task_) {
      take_task(static_cast<std::uint32_t>(next_task_));
    }
  }
  void submit(std::size_t row) {
    training_row const& asked = work_.jobs[row];
    application const& app = applications_[asked.application];
    bool const adaptive = options_.adaptive && app.facts.is_adaptive;
    std::int32_t const gang =
        options_.sized ? std::min(app.facts.max_gpus, app.facts.limits.max_gpus()) : asked.gpus;
    live_training made{
        row, {}, elastic_training{app, adaptive ? 0 : asked.batch, gang, options_.reach}};
    made.restart = restart_of(app.facts, options_.costs);
    made.gang = gang;
    job_spec spec;
    spec.gang = gang;
    spec.min_gang = options_.sized ? 1 : 0;
    spec.tag = row;
    spec.borrows = options_.lends == lending::none ? borrowing::none : borrowing::all;
    spec.checkpoints.startup = made.restart.first;
    spec.checkpoints.resize = made.restart.next;
    made.id = detail::must(scheduler_.submit(spec, now_));
    training_.push_back(std::move(made));
    ++left_training_;
    tell(training_.back());
  }
  /// Its ladder, and what is left of it.
  void tell(live_training& job) {
    if (!options_.sized) {
      return;
    }
    job.reach = job.state.table().reach();
    auto const ladder = job.state.ladder(rungs_, gpus_per_node_);
    std::size_t count = ladder.size();
    while (count > 1 && ladder[count - 1].size > job.gang) {
      --count;
    }
    board_[job.row] =
        job.state.is_profiled() ? std::max(duration{1}, job.state.remaining()) : options_.unknown;
    detail::must(scheduler_.set_ladder(job.id, ladder.first(count), now_));
  }
  void end_jobs() {
    for (std::size_t i = 0; i < training_.size();) {
      live_training& job = training_[i];
      if (!job.state.is_done()) {
        // What it learned about larger sizes is news at once; the rest waits for the next look.
        if (job.state.table().reach() != job.reach) {
          tell(job);
        }
        ++i;
        continue;
      }
      outcome_.training_s[job.row] = detail::seconds(now_ - work_.jobs[job.row].submit);
      detail::must(scheduler_.complete(job.id, now_));
      training_.erase(training_.begin() + static_cast<std::ptrdiff_t>(i));
      --left_training_;
    }
  }
  [[nodiscard]] live_training* training_of(job_id id) {
    auto const found = std::find_if(training_.begin(), training_.end(),
                                    [&](live_training const& each) { return each.id == id; });
    return found == training_.end() ? nullptr : &*found;
  }
  void place(live_training& job, std::span<gpu_range const> gpus, bool recalled) {
    std::fill(node_gpus_.begin(), node_gpus_.end(), 0);
    for (gpu_range const& range : gpus) {
      node_gpus_[range.node.slot()] += gpu_count(range.gpus);
    }
    placement_shape const shape = placement_shape::of(node_gpus_);
    duration const restart = job.restart.between(job.shape.gpus, shape.gpus);
    outcome_.restarts += job.has_run && shape.gpus > 0 ? 1 : 0;
    if (recalled) {
      ++outcome_.recalls;
      outcome_.gpu_s_lost_to_recalls += detail::seconds(restart) * shape.gpus;
    }
    job.has_run = job.has_run || shape.gpus > 0;
    job.state.place(shape, restart);
    job.shape = shape;
  }

  // ---- inference ----

  void take_task(std::uint32_t task) {
    task_row const& asked = work_.tasks[task];
    while (auto const n = fleet_.warm(asked.service)) {
      if (fleet_.at(*n).state != pod_state::asleep ||
          scheduler_.report(fleet_.at(*n).job, wakes{}, now_)) {
        serve(*n, task);
        return;
      }
      fleet_.leave(*n);  // it was told to stop a moment ago
    }
    job_spec spec;
    spec.where = pool::inference;
    spec.priority = 1;
    spec.tag = work_.jobs.size();
    fleet_.add(detail::must(scheduler_.submit(spec, now_)), asked.service, task);
  }
  void serve(std::uint32_t n, std::uint32_t task) {
    note_delay(task);
    fleet_.serve(n, task, work_.tasks[task].length, now_);
  }
  void note_delay(std::uint32_t task) {
    task_row const& asked = work_.tasks[task];
    duration const delay = now_ - asked.submit;
    duration const most =
        applications_[asked.application].facts.first_answer + std::chrono::seconds{1};
    outcome_.task_delay_s[task] = detail::seconds(delay);
    outcome_.slow_tasks += delay > most ? 1 : 0;
  }
  void pod_changes(std::uint32_t n) {
    pod& each = fleet_.at(n);
    switch (each.state) {
      case pod_state::starting:
        ++outcome_.cold_starts;
        serve(n, each.task);
        break;
      case pod_state::serving: {
        fleet_.protect(n, now_);
        std::string const service = fleet_.at(n).service;
        if (auto const other = fleet_.waiting(service)) {  // its task need not wait for a start
          std::uint32_t const task = std::exchange(fleet_.at(*other).task, no_task);
          detail::must(scheduler_.cancel(fleet_.at(*other).job, now_));
          fleet_.remove(*other);
          serve(n, task);
        }
        break;
      }
      case pod_state::protect:
        fleet_.sleep(n);
        detail::must(scheduler_.report(each.job, sleeps{}, now_));
        break;
      default: break;
    }
  }

  // ---- deciding ----

  /// Once an interval: what the host knows better than before.
  void look() {
    next_look_ = now_ + options_.interval;
    for (live_training& each : training_) {
      tell(each);
    }
    if (options_.lends != lending::none) {
      detail::must(lender_.observe(fleet_.in_use(), now_));
      detail::must(scheduler_.lend(to_lend(), now_));
    }
  }

  [[nodiscard]] loan to_lend() {
    if (options_.lends == lending::forecast) {
      return lender_.decide(inference_gpus_, now_);
    }
    std::int32_t needed = fleet_.in_use();
    if (options_.lends == lending::clairvoyant) {
      for (; seen_future_ < options_.future.size() && options_.future[seen_future_].at <= now_;
           ++seen_future_) {
      }
      for (std::size_t i = seen_future_;
           i < options_.future.size() && options_.future[i].at <= next_look_; ++i) {
        needed = std::max(needed, options_.future[i].gpus);
      }
    }
    return {std::max(0, inference_gpus_ - options_.headroom - needed)};
  }

  void decide() {
    for (int rounds = 0; rounds < 100; ++rounds) {
      auto const before = std::chrono::steady_clock::now();
      plan const decided = scheduler_.tick(now_);
      if (!decided.is_idle()) {
        outcome_.decision_us.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before)
                .count());
      }
      orders_.clear();
      ranges_.clear();
      for (action const& each : decided) {
        orders_.push_back(each);
        ranges_.emplace_back(each.gpus.begin(), each.gpus.end());
      }
      for (std::size_t i = 0; i < orders_.size(); ++i) {
        obey(orders_[i], ranges_[i]);
      }
      if (orders_.empty()) {
        break;
      }
    }
    loaned_ = scheduler_.gpus_on_loan();
  }
  void obey(action const& order, std::span<gpu_range const> gpus) {
    live_training* const job = training_of(order.job);
    bool const recalled = order.reason == stop_reason::recalled;
    switch (order.kind) {
      case action_kind::start:
        detail::must(scheduler_.report(order.job, started{order.run}, now_));
        if (job != nullptr) {
          place(*job, gpus, false);
        } else {
          std::uint32_t const n = fleet_.of_job(order.job);
          std::size_t const app = work_.tasks[fleet_.at(n).task].application;
          fleet_.start(n, applications_[app].facts.first_answer, now_);
        }
        break;
      case action_kind::resize:
        detail::must(scheduler_.report(order.job, resized{order.run, order.change}, now_));
        place(*job, gpus, recalled);
        break;
      case action_kind::stop:
        detail::must(scheduler_.report(order.job, stopped{.run = order.run}, now_));
        if (job != nullptr) {
          place(*job, {}, recalled);
        } else {
          detail::must(scheduler_.complete(order.job, now_));
          fleet_.remove(fleet_.of_job(order.job));
        }
        break;
      case action_kind::carry_on: break;
    }
  }

  Scheduler& scheduler_;
  remaining_board& board_;
  std::span<application const> applications_;
  elastic_workload const& work_;
  elastic_options options_;
  lender lender_;
  replica_fleet fleet_;
  std::vector<live_training> training_;
  std::vector<std::int32_t> node_gpus_;
  std::vector<rung> rungs_ = std::vector<rung>(64);
  std::vector<action> orders_;
  std::vector<std::vector<gpu_range>> ranges_;
  std::int32_t inference_gpus_ = 0;
  std::int32_t gpus_per_node_ = 1;
  std::int64_t loaned_ = 0;
  std::size_t next_job_ = 0;
  std::size_t next_task_ = 0;
  std::size_t seen_future_ = 0;
  std::size_t left_training_ = 0;
  time_point now_{};
  time_point next_look_{};
  elastic_outcome outcome_;
};

}  // namespace sim

BERTH_NAMESPACE_END
