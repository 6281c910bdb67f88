// SPDX-License-Identifier: BSL-1.0
// The host of a case: it submits, reports and confirms what the case says and drives a real
// scheduler through its public members only. After every call the scheduler's invariants are
// checked.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job_state.hpp>

#include <berth_sim/scenario/actor.hpp>
#include <berth_sim/scenario/cast.hpp>
#include <berth_sim/scenario/composition.hpp>
#include <berth_sim/scenario/journal.hpp>
#include <berth_sim/scenario/members.hpp>
#include <berth_sim/scenario/metrics_of_run.hpp>
#include <berth_sim/scenario/order.hpp>
#include <berth_sim/scenario/quotas.hpp>
#include <berth_sim/scenario/read_event.hpp>
#include <berth_sim/scenario/restart.hpp>
#include <berth_sim/scenario/situation.hpp>
#include <berth_sim/scenario/timeline.hpp>
#include <berth_sim/scenario/translate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

class host {
 public:
  /// `about` outlives the host. Precondition: scheduler and types were made from it.
  host(situation const& about, type_table types, scheduler_type made)
      : about_{&about},
        types_{std::move(types)},
        scheduler_{std::move(made)},
        jobs_{about},
        steps_{known_steps(about, jobs_)} {}

  /// The next instant at which something happens; `never` if nothing does.
  [[nodiscard]] time_point next_instant() const noexcept {
    time_point const regular =
        about_->config.tick_every ? next_multiple(now_, *about_->config.tick_every) : never;
    return std::min({steps_.next(), regular, retry_at_});
  }
  /// A launch was refused, and its next try is to be waited for.
  [[nodiscard]] bool waits_for_a_retry() const noexcept { return retry_at_ != never; }

  /// All that happens at `now`, the ticks included.
  void run_instant(time_point now) {
    now_ = now;
    bool const regular = is_regular(now);
    bool tick_due = regular || now >= retry_at_ || !about_->config.tick_every;
    for (int round = 0; round < most_rounds; ++round) {
      bool any = false;
      while (auto const due = steps_.pop(now)) {
        bool const looks = due->kind == step_kind::look;
        any = any || !looks;
        tick_due = tick_due || looks;
        ticked_last_ = ticked_last_ && looks;
        perform(*due);
      }
      tick_due = tick_due || launch_refused_;
      if (tick_due && !ticked_last_ && (any || round == 0 || launch_refused_)) {
        tick();
      }
      ticked_last_ = false;
      if (steps_.next() > now && !launch_refused_) {
        return;
      }
    }
    complain("does not come to rest");
  }

  [[nodiscard]] situation const& about() const noexcept { return *about_; }
  [[nodiscard]] scheduler_type const& scheduler() const noexcept { return scheduler_; }
  [[nodiscard]] time_point now() const noexcept { return now_; }
  [[nodiscard]] cast const& jobs() const noexcept { return jobs_; }
  [[nodiscard]] run_metrics const& metrics() const noexcept { return metrics_; }
  [[nodiscard]] journal const& written() const noexcept { return journal_; }

 private:
  static constexpr int most_rounds = 1000;  // of one instant

  void say(std::string const& what) { journal_.say(now_, what); }
  void complain(std::string const& what) { journal_.complain(now_, what); }
  [[nodiscard]] bool is_regular(time_point now) const noexcept {
    return about_->config.tick_every &&
           now.time_since_epoch() % *about_->config.tick_every == duration{0};
  }

  void perform(timeline_step const& due) {
    switch (due.kind) {
      case step_kind::event: perform(about_->events[due.index]); break;
      case step_kind::submit: submit(due.index); break;
      case step_kind::checkpoint: {
        actor const& job = jobs_[due.index];
        if (job.is_submitted) {  // one that does not run has nothing to save
          tell("checkpoint of " + job.name, scheduler_.report(job.id, checkpointed{}, now_));
        }
        break;
      }
      case step_kind::stop_ack:
        if (int& withdrawn = jobs_[due.index].stops_withdrawn; withdrawn > 0) {
          --withdrawn;
        } else {
          confirm_stop(due.index, due.run);
        }
        break;
      case step_kind::run_end:
        if (jobs_[due.index].run == due.run) {
          complete(due.index);
        }
        break;
      case step_kind::look: break;
    }
  }

  void perform(event_line const& event) {
    if (event.what == verb::submit) {
      submit_line(event.job);
      return;
    }
    std::size_t const index = event.job.empty() ? 0 : jobs_.index_of(event.job);
    if (!event.job.empty() && !jobs_[index].is_submitted && event.what != verb::refuse_launches) {
      complain(fmt::format("{} of {}, which has not been submitted",
                           detail::verb_words[static_cast<std::size_t>(event.what)], event.job));
      return;
    }
    switch (event.what) {
      case verb::complete: complete(index); break;
      case verb::cancel: cancel(index); break;
      case verb::task_done: finish_members(index, event); break;
      case verb::ack_stop:
        confirm_stop(index, static_cast<run_number>(event.number.value_or(0)));
        break;
      case verb::ack_all: confirm_all_stops(); break;
      case verb::launch_failed: fail_launch(index); break;
      case verb::refuse_launches: jobs_[index].refusals_left = *event.number; break;
      case verb::node_down: set_node(event.node, node_health::down); break;
      case verb::node_up: set_node(event.node, node_health::up); break;
      case verb::capacity:
        tell(fmt::format("capacity of {}: {}", event.node, *event.number),
             scheduler_.set_capacity(jobs_.node(event.node), *event.number, now_));
        break;
      case verb::quota:
        tell(fmt::format("quota of {}: {}", event.queue, *event.number),
             set_quota(scheduler_, *about_, event, now_));
        break;
      case verb::save_restore:
        tell("save and restore", restart(scheduler_, *about_, types_));
        break;
      case verb::tick: tick(); break;
      default: break;  // note; the rest is unsupported and never comes here
    }
  }

  /// Logs an answer and checks the scheduler. A message that comes too late is recognised by berth
  /// and has no effect; that is legal. Any other refusal is a difference. True if it had an effect.
  bool tell(std::string const& what, result<void> const& answer) {
    if (answer) {
      say(what);
    } else {
      errc const code = answer.error().code;
      bool const late = code == errc::stale_job || code == errc::stale_run ||
                        code == errc::wrong_state || code == errc::not_held;
      std::string const text = fmt::format("{}: refused: {} ({})", what, to_string(code),
                                           to_string(answer.error().where));
      late ? say(text) : complain(text);
    }
    audit(what);
    return answer.has_value();
  }
  void audit(std::string const& what) {
    if (char const* const broken = scheduler_.check_invariants(); broken != nullptr) {
      complain(fmt::format("after {}: invariant broken: {}", what, broken));
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (actor& job = jobs_[i]; job.is_submitted) {
        if (auto const seen = scheduler_.view(job.id)) {
          job.failures = seen->failures();
        }
      }
    }
  }

  void submit_line(std::string const& name) {
    auto const line = std::find_if(about_->jobs.begin(), about_->jobs.end(),
                                   [&](job_line const& job) { return job.id == name; });
    auto const wanted = static_cast<std::size_t>(line - about_->jobs.begin());
    std::int32_t left = line->count.value_or(1);
    for (std::size_t i = 0; i < jobs_.size() && left > 0; ++i) {
      if (jobs_[i].line == wanted && !jobs_[i].is_submitted) {
        submit(i);
        --left;
      }
    }
  }
  void submit(std::size_t index) {
    actor& job = jobs_[index];
    auto const answer = scheduler_.submit(spec_of(*about_, types_, index), now_);
    if (answer) {
      job.id = *answer;
      job.is_submitted = true;
      ++metrics_.submitted;
    }
    tell("submit " + job.name, answer ? result<void>{} : result<void>{answer.error()});
  }
  void complete(std::size_t index) {
    actor& job = jobs_[index];
    bool const fails = jobs_.line_of(job).fails;
    auto const answer =
        scheduler_.complete(job.id, now_, fails ? outcome::failed : outcome::finished);
    if (tell((fails ? "failed: " : "complete: ") + job.name, answer)) {
      job.failures += fails ? 1 : 0;
      ++(fails ? metrics_.failed : metrics_.finished);
      job.refused_at = never;
    }
  }
  void cancel(std::size_t index) {
    actor& job = jobs_[index];
    if (tell("cancel " + job.name, scheduler_.cancel(job.id, now_))) {
      ++metrics_.cancelled;
      job.refused_at = never;
    }
  }
  void finish_members(std::size_t index, event_line const& event) {
    actor& job = jobs_[index];
    bool any = false;
    for (std::size_t m = 0; m < job.members.size(); ++m) {
      member& one = job.members[m];
      bool const meant = event.number ? m == static_cast<std::size_t>(*event.number)
                                      : one.mask != 0 && one.node == jobs_.node(event.node);
      if (!meant || one.has_finished) {
        continue;
      }
      any = true;
      auto const answer =
          scheduler_.report(job.id, member_finished{one.node, one.mask, job.run}, now_);
      if (tell(fmt::format("task {} of {} is done", m, job.name), answer)) {
        one.has_finished = true;
        one.mask = 0;
        metrics_.finished += scheduler_.view(job.id) ? 0 : 1;
      }
    }
    if (!any) {
      complain(fmt::format("task_done of {}, which has no such task on GPUs", job.name));
    }
  }
  void confirm_stop(std::size_t index, run_number run) {
    actor& job = jobs_[index];
    stopped said;
    said.run = run;
    tell(fmt::format("stopped: {}", job.name), scheduler_.report(job.id, said, now_));
  }
  void confirm_all_stops() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      auto const seen = scheduler_.view(jobs_[i].id);
      bool const leaves =
          jobs_[i].is_submitted && seen &&
          (seen->state() == job_state::draining || seen->state() == job_state::cancelling);
      if (leaves) {
        confirm_stop(i, jobs_[i].run);
      }
    }
  }
  void fail_launch(std::size_t index) {
    actor& job = jobs_[index];
    --job.failures_ahead;
    if (tell("launch failed: " + job.name,
             scheduler_.report(job.id, launch_failed{job.run}, now_))) {
      ++metrics_.refusals;
    }
  }
  void set_node(std::string const& name, node_health health) {
    tell(fmt::format("node {} {}", name, health == node_health::up ? "up" : "down"),
         scheduler_.set_node(jobs_.node(name), health, now_));
  }

  void tick() {
    launch_refused_ = false;
    plan const decided = scheduler_.tick(now_);
    if (decided.is_refused()) {
      complain(fmt::format("tick refused: {}", to_string(decided.error().code)));
    }
    std::vector<order> const orders = copy_of(decided);
    ++metrics_.ticks;
    ticked_last_ = true;
    audit("tick");
    for (order const& each : orders) {
      switch (each.what.kind) {
        case action_kind::start: obey_start(each); break;
        case action_kind::stop: obey_stop(each); break;
        case action_kind::carry_on: let_carry_on(each); break;
        case action_kind::resize: complain("a rigid job was told to change its size"); break;
      }
    }
    wait_for_retries();
  }

  void obey_stop(order const& given) {
    auto const index = static_cast<std::size_t>(given.what.tag);
    actor& job = jobs_[index];
    ++job.stops;
    job.last_stop = now_;
    metrics_.preemptions += given.what.reason == stop_reason::preempted ? 1 : 0;
    say(fmt::format("  stop {} (run {}, {})", job.name, static_cast<unsigned>(given.what.run),
                    word_of(given.what.reason)));
    if (!job.acks_by_event) {
      steps_.add(std::max(now_, given.what.saves_at) + about_->config.ack_stop_after,
                 {step_kind::stop_ack, index, given.what.run});
    }
  }

  void let_carry_on(order const& given) {
    actor& job = jobs_[static_cast<std::size_t>(given.what.tag)];
    --metrics_.preemptions;
    job.stops_withdrawn += job.acks_by_event ? 0 : 1;
    say(fmt::format("  carry on {} (run {})", job.name, static_cast<unsigned>(given.what.run)));
  }

  void obey_start(order const& given) {
    auto const index = static_cast<std::size_t>(given.what.tag);
    actor& job = jobs_[index];
    job.run = given.what.run;
    if (!seat(job.members, given.gpus)) {
      complain(fmt::format("start {}: the GPUs do not fit its members", job.name));
    }
    ++metrics_.starts;
    std::string places;
    for (gpu_range const& range : given.gpus) {
      places += fmt::format(" {}x{}", jobs_.node_name(range.node), gpu_count(range.gpus));
    }
    for (member const& one : job.members) {
      job.starts += one.mask != 0 ? 1 : 0;
    }
    say(fmt::format("  start {} (run {}) on{}", job.name, static_cast<unsigned>(job.run), places));
    answer_launch(index);
  }

  void answer_launch(std::size_t index) {
    actor& job = jobs_[index];
    if (job.refused_at != never) {
      job.delays.push_back(now_ - job.refused_at);
      job.refused_at = never;
    }
    if (job.refusals_left > 0) {
      --job.refusals_left;
      job.refused_at = now_;
      launch_refused_ = true;
      ++metrics_.refusals;
      tell("launch refused: " + job.name, scheduler_.report(job.id, launch_failed{job.run}, now_));
    } else if (job.failures_ahead == 0) {
      tell("started: " + job.name, scheduler_.report(job.id, started{job.run}, now_));
      if (jobs_.line_of(job).dur) {
        steps_.add(now_ + *jobs_.line_of(job).dur, {step_kind::run_end, index, job.run});
      }
    }
  }

  /// After a refusal, time goes on until the job is launched again.
  void wait_for_retries() {
    bool const waits = std::any_of(jobs_.actors().begin(), jobs_.actors().end(),
                                   [](actor const& job) { return job.refused_at != never; });
    time_point const wakeup = scheduler_.next_wakeup();
    retry_at_ = waits && wakeup > now_ ? wakeup : never;
  }

  situation const* about_;
  type_table types_;
  scheduler_type scheduler_;
  cast jobs_;
  timeline steps_;
  time_point now_ = time_point{duration{-1}};
  time_point retry_at_ = never;
  bool ticked_last_ = false;     ///< nothing has happened since the last tick of this instant
  bool launch_refused_ = false;  ///< since the last tick, which must hear of it
  run_metrics metrics_;
  journal journal_;
};

}  // namespace sim::scenario

BERTH_NAMESPACE_END
