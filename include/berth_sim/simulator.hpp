// SPDX-License-Identifier: BSL-1.0
// A discrete-event host: it plays a workload against a scheduler through the scheduler's public API
// alone, and takes as long to launch, save, stop and restart as the execution model says.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/digest.hpp>
#include <berth/core/random.hpp>
#include <berth/model/action.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/scheduler.hpp>

#include <berth_sim/event_queue.hpp>
#include <berth_sim/execution_model.hpp>
#include <berth_sim/gpu_blocks.hpp>
#include <berth_sim/live_job.hpp>
#include <berth_sim/metrics.hpp>
#include <berth_sim/nodes.hpp>
#include <berth_sim/sim_cluster.hpp>
#include <berth_sim/simulation_options.hpp>
#include <berth_sim/workload.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

template <class Scheduler>
class simulator {
 public:
  simulator(Scheduler& decider, workload const& trace, node_list const& nodes,
            simulation_options options)
      : scheduler_{decider},
        trace_{trace},
        nodes_{nodes},
        options_{std::move(options)},
        random_{options_.model.seed},
        jobs_(trace.jobs.size()) {
    result_.workload = trace.source;
    for (node_record const& node : nodes.nodes) {
      result_.node_gpus.push_back(node.gpus);
    }
    for (job const& each : trace.jobs) {
      result_.jobs.push_back(
          {.submit = each.submit, .waiting = duration{0}, .gpus = each.gpus, .lost = {}});
    }
  }

  /// Plays the whole workload. Throws simulation_error if the scheduler refuses a legal message,
  /// breaks an invariant, or lets feasible jobs wait for ever.
  run_result run() {
    for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
      at(trace_.jobs[j].submit, event_kind::submit, j);
    }
    schedule_failures();
    while (finished_ + impossible_ < jobs_.size()) {
      time_point const wakeup = scheduler_.next_wakeup();
      if (events_.empty() && wakeup == never) {
        throw simulation_error{"jobs wait, and nothing is left that could help them"};
      }
      now_ = std::min(events_.next_time(), std::max(wakeup, now_));
      while (events_.next_time() <= now_) {
        handle(events_.pop());
      }
      decide();
    }
    result_.digest = digest_.value();
    finish_samples();
    return std::move(result_);
  }

 private:
  void at(time_point when, event_kind kind, std::uint32_t subject, std::uint32_t version = 0) {
    events_.push(when, kind, subject, version);
  }

  // ---- what happens ----

  void handle(event const& next) {
    switch (next.kind) {
      case event_kind::submit: submit(next.subject); break;
      case event_kind::node_fails: fail_node(next.subject); break;
      case event_kind::node_repaired:
        must(scheduler_.set_node(node_id{next.subject, 0}, node_health::up, now_), "node up");
        break;
      default:
        if (jobs_[next.subject].version == next.version) {
          handle_run(next);
        }
    }
  }
  void handle_run(event const& next) {
    live_job& job = jobs_[next.subject];
    if (next.kind == event_kind::started) {
      must(scheduler_.report(job.id, started{}, now_), "started");
      execution_model const& model = options_.model;
      job.useful_since =
          now_ + (job.has_run ? model.restart_of(trace_.jobs[next.subject]) : model.first_start);
      job.has_run = true;
      at(finish_time(next.subject), event_kind::finished, next.subject, job.version);
    } else if (next.kind == event_kind::finished) {
      leave(next.subject, trace_.jobs[next.subject].work, segment_end::finished);
      must(scheduler_.complete(job.id, now_), "complete");
      job.version++;
      result_.jobs[next.subject].finish = now_;
      ++finished_;
      if (options_.on_progress) {
        options_.on_progress(static_cast<std::int64_t>(finished_ + impossible_));
      }
    } else {
      leave(next.subject, job.done, segment_end::preempted);
      must(scheduler_.report(job.id, stopped{.saved = job.done, .run = {}}, now_), "stopped");
      job.version++;
      job.waiting_since = now_;
    }
  }

  void submit(std::uint32_t j) {
    auto const id = scheduler_.submit(describe(trace_.jobs[j], nodes_, options_.model), now_);
    if (!id) {
      throw simulation_error{"job " + std::to_string(j) + " refused: " +
                             to_string(id.error().where) + " " + to_string(id.error().code)};
    }
    jobs_[j].id = *id;
    jobs_[j].waiting_since = now_;
    if (job_of_slot_.size() <= id->slot()) {
      job_of_slot_.resize(id->slot() + 1);
    }
    job_of_slot_[id->slot()] = j;
    ++submitted_;
  }

  void decide() {
    using clock = std::chrono::steady_clock;
    auto const before = clock::now();
    plan const decided = scheduler_.tick(now_);
    if (options_.measure_ticks) {
      result_.tick_nanoseconds.push_back(
          std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - before).count());
    }
    ++result_.ticks;
    for (action const& each : decided) {
      digest_.add(now_.time_since_epoch().count());
      each.add_to(digest_);
      std::uint32_t const j = job_of_slot_[each.job.slot()];
      switch (each.kind) {
        case action_kind::start: launch(j, each); break;
        case action_kind::stop: stop(j, each); break;
        case action_kind::carry_on: carry_on(j); break;
        case action_kind::resize: throw simulation_error{"a rigid job was told to change its size"};
      }
    }
    if (options_.check) {
      if (char const* const broken = scheduler_.check_invariants()) {
        throw simulation_error{std::string{"invariant broken: "} + broken};
      }
    }
    sample();
    give_up_impossible();
  }

  void launch(std::uint32_t j, action const& order) {
    live_job& job = jobs_[j];
    job.where.assign(order.gpus.begin(), order.gpus.end());
    job.lost_nodes.clear();
    job.held_since = now_;
    job.done_at_start = job.done;
    job.stopping = false;
    job.useful_since = never;
    ++job.version;
    result_.jobs[j].first_start = std::min(result_.jobs[j].first_start, now_);
    result_.jobs[j].waiting += now_ - job.waiting_since;
    job.waiting_since = never;
    busy_ += result_.jobs[j].gpus;
    job.speed = speed_on(j, order);
    at(now_ + options_.model.launch, event_kind::started, j, job.version);
  }

  // A gang on more nodes than it needs runs slower, if its trace says that it minds; so does one
  // among busy neighbours, if interference is on.
  [[nodiscard]] std::int64_t speed_on(std::uint32_t j, action const& order) const {
    std::int64_t widest = 1;
    std::int64_t others = 0;
    for (berth::gpu_range const& range : order.gpus) {
      node_book const& node = scheduler_.books().node(range.node.slot());
      widest = std::max<std::int64_t>(widest, node.spec.gpus);
      others += berth::gpu_count(node.in(gpu_state::held)) - berth::gpu_count(range.gpus);
    }
    std::int64_t const fewest = (result_.jobs[j].gpus + widest - 1) / widest;
    std::int64_t const extra = static_cast<std::int64_t>(order.gpus.size()) > fewest ? 1 : 0;
    std::int64_t const loss =
        extra * trace_.jobs[j].spread_loss + others * options_.model.interference;
    return std::max<std::int64_t>(1, unit_speed - loss);
  }

  void stop(std::uint32_t j, action const& order) {
    live_job& job = jobs_[j];
    if (job.stopping) {
      return;
    }
    job.stopping = true;
    job.saves_at = now_;
    if (order.reason == stop_reason::preempted) {
      ++result_.jobs[j].preemptions;
    }
    if (job.useful_since == never || job.useful_since >= now_) {
      ++job.version;  // nothing useful was done in this run: nothing to save
      at(now_ + options_.model.grace, event_kind::stopped, j, job.version);
      return;
    }
    duration const work = trace_.jobs[j].work;
    stop_mode const mode = options_.model.mode_of(order);
    if (mode == stop_mode::kill) {
      job.done = last_checkpoint(j);
      ++job.version;
      at(now_ + options_.model.grace, event_kind::stopped, j, job.version);
      return;
    }
    time_point leaves = now_;
    duration reached = work_done(j);
    if (mode == stop_mode::at_boundary) {
      duration const period = options_.model.boundary_period(trace_.jobs[j]);
      reached = duration{(reached.count() / period.count() + 1) * period.count()};
      leaves = job.time_at_work(reached);
    }
    job.saves_at = leaves;
    if (reached >= work) {
      return;  // it finishes before it could stop
    }
    job.done = reached;
    ++job.version;
    at(leaves + options_.model.save_of(trace_.jobs[j]), event_kind::stopped, j, job.version);
  }

  /// Not if it saves already, or leaves without saving.
  void carry_on(std::uint32_t j) {
    live_job& job = jobs_[j];
    if (!job.stopping || now_ >= job.saves_at) {
      return;
    }
    job.stopping = false;
    job.done = job.done_at_start;
    --result_.jobs[j].preemptions;
    ++job.version;
    at(finish_time(j), event_kind::finished, j, job.version);
  }

  void fail_node(std::uint32_t n) {
    for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
      live_job& job = jobs_[j];
      if (job.held_since == never || !job.is_on(n) || job.has_lost(n)) {
        continue;
      }
      if (job.lost_nodes.empty()) {
        bool const useful = job.useful_since != never && job.useful_since < now_;
        job.done = useful ? std::max(job.done_at_start, last_checkpoint(j)) : job.done;
        // Its processes are gone; what is left elsewhere leaves after the grace, or with the last
        // of its nodes.
        job.stopping = true;
        ++job.version;
        at(now_ + options_.model.grace, event_kind::stopped, j, job.version);
      }
      job.lost_nodes.push_back(n);
      if (job.lost_nodes.size() == job.where.size()) {
        leave(j, job.done, segment_end::failed);
        ++job.version;
        job.waiting_since = now_;
      }
    }
    must(scheduler_.set_node(node_id{n, 0}, node_health::down, now_), "node down");
    at(now_ + options_.model.node_repair, event_kind::node_repaired, n);
    at(now_ + options_.model.node_repair + draw_exponential(random_, options_.model.node_mtbf),
       event_kind::node_fails, n);
  }

  // ---- arithmetic of progress ----

  [[nodiscard]] duration work_done(std::uint32_t j) const {
    return jobs_[j].work_done(now_, trace_.jobs[j].work);
  }
  [[nodiscard]] time_point finish_time(std::uint32_t j) const {
    return jobs_[j].time_at_work(trace_.jobs[j].work);
  }
  [[nodiscard]] duration last_checkpoint(std::uint32_t j) const {
    duration const period = options_.model.save_period(trace_.jobs[j]);
    duration const boundary{work_done(j).count() / period.count() * period.count()};
    return std::max(jobs_[j].done_at_start, boundary);
  }

  /// The job's GPUs are empty; `kept` is the work that counts.
  void leave(std::uint32_t j, duration kept, segment_end reason) {
    live_job& job = jobs_[j];
    duration const held = now_ - job.held_since;
    duration const useful{(kept - job.done_at_start).count() * unit_speed / job.speed};
    duration const first = job.done_at_start == duration{0} && reason == segment_end::finished
                               ? options_.model.launch + options_.model.first_start
                               : duration{0};
    result_.jobs[j].lost +=
        gpu_time{result_.jobs[j].gpus, std::max(duration{0}, held - useful - first)};
    busy_ -= result_.jobs[j].gpus;
    if (options_.record_segments) {
      ranges_.clear();
      for (berth::gpu_range const& range : job.where) {
        append_blocks(ranges_, range);
      }
      result_.add_segment(j, job.held_since, now_, ranges_, reason);
    }
    job.where.clear();
    job.done = kept;
    job.held_since = never;
    job.useful_since = never;
  }

  // ---- the run as a whole ----

  void schedule_failures() {
    if (options_.model.node_mtbf == forever) {
      return;
    }
    for (std::uint32_t n = 0; n < result_.node_gpus.size(); ++n) {
      at(time_point{} + draw_exponential(random_, options_.model.node_mtbf), event_kind::node_fails,
         n);
    }
  }

  /// When every job has been submitted and nothing runs, what still waits can never run.
  void give_up_impossible() {
    if (submitted_ < jobs_.size() || busy_ > 0 || finished_ + impossible_ == jobs_.size()) {
      return;
    }
    scheduler_.for_each_job([&](job_view const& waiting) {
      auto const why = scheduler_.why_waiting(waiting.id());
      if (why && is_impossible(*why)) {
        never_fit_.push_back(waiting.id());
      }
    });
    for (job_id const id : never_fit_) {
      must(scheduler_.cancel(id, now_), "cancel");
      ++impossible_;
    }
    never_fit_.clear();
  }
  void sample() {
    auto const waiting = static_cast<std::int64_t>(submitted_ - finished_) - running_now();
    if (result_.load.empty() || result_.load.back().busy_gpus != busy_ ||
        result_.load.back().waiting_jobs != waiting) {
      if (!result_.load.empty() && result_.load.back().at == now_) {
        result_.load.back() = {now_, busy_, waiting};
      } else {
        result_.load.push_back({now_, busy_, waiting});
      }
    }
  }
  [[nodiscard]] std::int64_t running_now() const {
    return static_cast<std::int64_t>(scheduler_.holder_count());
  }
  void finish_samples() {
    if (!result_.load.empty() && result_.load.back().busy_gpus != 0) {
      result_.load.push_back({now_, 0, 0});
    }
  }
  static void must(result<void> const& answer, char const* what) {
    if (!answer) {
      throw simulation_error{std::string{what} + " refused: " + to_string(answer.error().where) +
                             " " + to_string(answer.error().code)};
    }
  }

  Scheduler& scheduler_;
  workload const& trace_;
  node_list const& nodes_;
  simulation_options options_;
  random_source random_;
  std::vector<live_job> jobs_;
  std::vector<std::uint32_t> job_of_slot_;
  std::vector<job_id> never_fit_;
  std::vector<gpu_block> ranges_;
  event_queue events_;
  time_point now_{};
  std::int64_t busy_ = 0;
  std::size_t submitted_ = 0;
  std::size_t finished_ = 0;
  std::size_t impossible_ = 0;
  digest digest_;
  run_result result_;
};

}  // namespace sim

BERTH_NAMESPACE_END
