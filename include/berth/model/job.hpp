// SPDX-License-Identifier: BSL-1.0
// A job as the scheduler keeps it, and the read-only view of it that components get.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/core/time.hpp>
#include <berth/model/counted_down.hpp>
#include <berth/model/estimate.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/rung.hpp>
#include <berth/model/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Plain data, owned by the scheduler. Times are the host's; durations of work are at speed 1.
struct job_record {
  job_spec spec;
  shape form;  ///< what is left of the gang: finished members are gone
  job_id id;
  job_state state = job_state::submitted;
  run_number run{};            ///< of the present or last run
  std::uint64_t sequence = 0;  ///< submit order; never changes
  time_point submitted = never;
  time_point waiting_since = never;  ///< start of the present wait; never while it holds GPUs
  time_point first_start = never;
  time_point run_since = never;      ///< the host's `started` of this run; never while not running
  time_point counted_since = never;  ///< `executed` and `served` are counted up to here
  time_point not_before = time_point::min();  ///< back-off after a refused launch or a failed run
  time_point earmark_until = never;           ///< when its earmark expires
  time_point saves_at = never;  ///< while draining: when it leaves its last useful step, or left it
  bool stop_withdrawn = false;  ///< an order to stop this run was withdrawn, and may be obeyed yet
  duration waited{0};           ///< over earlier waits
  duration executed{0};         ///< over earlier runs
  duration destroyed{0};        ///< of `executed`, what stops threw away
  gpu_time served;              ///< attained service of earlier runs
  duration done{0};             ///< work done at `done_at`
  time_point done_at = never;   ///< never while it makes no progress
  duration safe{0};             ///< work that survives a stop, as reported last
  time_point safe_at = never;   ///< when that checkpoint was taken; never: not in this run
  duration measured_epoch{0};   ///< time between ends of epochs, by the predictor; 0 = not measured
  time_point epoch_began = never;  ///< the last end of one, by the predictor
  node_id last_node;               ///< lowest node of the run that started last
  estimate remaining;              ///< the predictor's answer at `estimated_at`
  time_point estimated_at = never;
  priority_key key;                           ///< as ranked last
  gpu_type type{};                            ///< type of the GPUs it holds
  std::int64_t rung_speed = unit_rung_speed;  ///< on so many as it holds, of its own speed
  std::int32_t target = -1;  ///< GPUs that the allocator gave it last; -1: it has not been asked
  time_point asleep_since = never;  ///< it is a replica that has nothing to do
  std::uint32_t change = 0;         ///< number of its last resize, over all runs
  std::int32_t gpus_held = 0;
  std::int32_t nodes_held = 0;
  std::uint64_t launched_in_tick = 0;  ///< number of the tick that started it last
  std::uint32_t preemptions = 0;
  std::uint32_t node_losses = 0;
  std::uint32_t launch_failures = 0;  ///< in a row
  std::uint32_t failures = 0;         ///< of the job itself
};

/// Read-only and cheap to copy. Valid inside the call that received it.
class job_view {
 public:
  job_view(job_record const& record, time_point now) noexcept : record_{&record}, now_{now} {}

  [[nodiscard]] job_id id() const noexcept { return record_->id; }
  [[nodiscard]] job_spec const& spec() const noexcept { return record_->spec; }
  [[nodiscard]] shape const& form() const noexcept { return record_->form; }
  [[nodiscard]] job_state state() const noexcept { return record_->state; }
  [[nodiscard]] bool is_running() const noexcept { return record_->run_since != never; }
  [[nodiscard]] std::uint64_t sequence() const noexcept { return record_->sequence; }
  /// GPUs of the whole gang.
  [[nodiscard]] std::int32_t gang_gpus() const noexcept { return record_->form.gpus(); }
  [[nodiscard]] std::int32_t gpus_held() const noexcept { return record_->gpus_held; }
  [[nodiscard]] std::int32_t nodes_held() const noexcept { return record_->nodes_held; }
  [[nodiscard]] gpu_type type_held() const noexcept { return record_->type; }
  /// While it drains: when it leaves its last useful step, or left it. Else `never`.
  [[nodiscard]] time_point saves_at() const noexcept { return record_->saves_at; }
  [[nodiscard]] std::uint32_t preemptions() const noexcept { return record_->preemptions; }
  /// Runs that failed by the job's own fault; preemptions, node losses and refused launches are
  /// none.
  [[nodiscard]] std::uint32_t failures() const noexcept { return record_->failures; }

  [[nodiscard]] time_point now() const noexcept { return now_; }
  [[nodiscard]] time_point submitted() const noexcept { return record_->submitted; }
  /// `never` before the first start.
  [[nodiscard]] time_point first_start() const noexcept { return record_->first_start; }
  [[nodiscard]] time_point run_since() const noexcept { return record_->run_since; }

  /// Time of this run so far; 0 while not running.
  [[nodiscard]] duration run_time() const noexcept {
    return is_running() ? std::max(duration{0}, saturating_sub(now_, record_->run_since))
                        : duration{0};
  }
  /// Run time over all runs.
  [[nodiscard]] duration executed() const noexcept { return record_->executed + uncounted(); }
  /// Run time over all runs, less what stops destroyed as far as is known: what the job took.
  [[nodiscard]] duration useful_run_time() const noexcept {
    return std::max(duration{0}, executed() - record_->destroyed);
  }
  /// Time without GPUs, this wait included.
  [[nodiscard]] duration waited() const noexcept {
    return record_->waiting_since == never
               ? record_->waited
               : record_->waited +
                     std::max(duration{0}, saturating_sub(now_, record_->waiting_since));
  }
  /// Time of the present wait; 0 while it holds GPUs.
  [[nodiscard]] duration waiting() const noexcept {
    return record_->waiting_since == never
               ? duration{0}
               : std::max(duration{0}, saturating_sub(now_, record_->waiting_since));
  }
  /// GPU-time received, over all runs (the 2D service of Tiresias, NSDI'19 §3.2).
  [[nodiscard]] gpu_time attained_service() const noexcept {
    return record_->served + gpu_time{record_->gpus_held, uncounted()};
  }
  /// Thousandths of the reference speed on the fastest type that it allows.
  [[nodiscard]] std::int32_t best_speed() const noexcept { return record_->form.best_speed(); }
  /// GPUs that the allocator gave it last, where it sizes jobs; 0: none, it waits; -1: not asked.
  [[nodiscard]] std::int32_t target() const noexcept { return record_->target; }
  /// Thousandths of the reference speed on the GPUs it holds, of an elastic job as its ladder says;
  /// while waiting at unit_rung_speed on the fastest type that it allows.
  [[nodiscard]] std::int32_t speed() const noexcept {
    bool const on_gpus = is_running() || record_->gpus_held > 0;
    if (!on_gpus) {
      return best_speed();
    }
    std::int64_t const of_type = record_->form.speed[static_cast<std::size_t>(record_->type)];
    std::int64_t const speed = of_type * record_->rung_speed / unit_rung_speed;
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(speed, 1, fastest));
  }
  /// Work done, extrapolated from the last report. Never above spec().work.
  [[nodiscard]] duration done() const noexcept {
    duration sum = record_->done;
    if (record_->done_at != never) {
      auto const passed = std::max(duration{0}, saturating_sub(now_, record_->done_at));
      sum += duration{gpu_time{speed(), passed}.count() / unit_speed};
    }
    return std::min(sum, record_->spec.work);
  }
  /// When the state that a stop would fall back to was saved: the last checkpoint that was
  /// reported, or that its declared period implies; the start of the run if there was none.
  [[nodiscard]] time_point safe_since() const noexcept {
    if (!is_running()) {
      return now_;
    }
    time_point const reported = record_->safe_at == never ? record_->run_since : record_->safe_at;
    checkpointing const& saving = record_->spec.checkpoints;
    auto const is_known = [](duration span) { return span > duration{0} && span != forever; };
    duration const period = is_known(saving.period) ? saving.period : saving.epoch_period;
    if (!is_known(period)) {
      return reported;
    }
    duration const phase = is_known(saving.phase) ? saving.phase % period : duration{0};
    duration const since_last = (run_time() + phase) % period;
    return std::max(reported, now_ - std::min(since_last, run_time()));
  }
  /// Work that a stop now would not lose, by what is known of its checkpoints.
  [[nodiscard]] duration safe() const noexcept {
    if (!is_running()) {
      return record_->safe;
    }
    duration const age = std::max(duration{0}, saturating_sub(now_, safe_since()));
    duration const lost{gpu_time{speed(), age}.count() / unit_speed};
    return std::max(record_->safe, done() - lost);
  }

  /// Time between the ends of epochs: as measured by the predictor, else as declared; 0 = unknown.
  [[nodiscard]] duration epoch_period() const noexcept {
    duration const declared = record_->spec.checkpoints.epoch_period;
    return record_->measured_epoch > duration{0} ? record_->measured_epoch
           : declared == forever                 ? duration{0}
                                                 : declared;
  }
  /// Time since the last end of an epoch, below epoch_period(): counted from the end that the
  /// predictor saw, else from the checkpoint reported last, if checkpoints are written at these
  /// ends alone (no `period` declared), else from the start of the run and the declared phase. 0
  /// while not running.
  [[nodiscard]] duration epoch_age() const noexcept {
    duration const period = epoch_period();
    if (!is_running() || period <= duration{0}) {
      return duration{0};
    }
    checkpointing const& saving = record_->spec.checkpoints;
    bool const saves_at_ends = saving.period == duration{0} || saving.period == forever;
    duration age = run_time();
    if (record_->measured_epoch > duration{0} && record_->epoch_began != never) {
      age = std::max(duration{0}, saturating_sub(now_, record_->epoch_began));
    } else if (saves_at_ends && record_->safe_at != never) {
      age = std::max(duration{0}, saturating_sub(now_, record_->safe_at));
    } else if (saving.phase != forever) {
      age += saving.phase % period;
    }
    return age % period;
  }
  /// Lowest node of its present run, or of the last one while it waits: where its data may still be
  /// cached. A default node_id before the first.
  [[nodiscard]] node_id last_node() const noexcept { return record_->last_node; }

  /// The predictor's estimate, counted down since it was made while the job runs
  /// (model/counted_down.hpp): a job that outlives an uncertain estimate is expected to go on for a
  /// while, one that outlives an exact estimate ends "soon" (1 ms), never "already".
  [[nodiscard]] estimate remaining() const noexcept {
    if (!is_running()) {
      return record_->remaining;
    }
    auto const since = std::max(record_->estimated_at, record_->run_since);
    return counted_down(record_->remaining, saturating_sub(now_, since));
  }
  /// The median of what remains as if it ran on the fastest type it allows: a measure that does not
  /// depend on where the job happens to sit. `forever` if unknown.
  [[nodiscard]] duration remaining_at_best_speed() const noexcept {
    duration const left = remaining().p50;
    return left == forever ? forever : duration{gpu_time{speed(), left}.count() / best_speed()};
  }
  /// When its GPUs are expected back: now + the p90 of what remains; `never` if unknown.
  [[nodiscard]] time_point forecast_end() const noexcept {
    return saturating_add(now_, remaining().p90);
  }
  [[nodiscard]] priority_key const& key() const noexcept { return record_->key; }

  /// A million times the reference speed.
  static constexpr std::int64_t fastest = 1'000'000'000;

 private:
  [[nodiscard]] duration uncounted() const noexcept {
    return record_->counted_since == never
               ? duration{0}
               : std::max(duration{0}, saturating_sub(now_, record_->counted_since));
  }
  job_record const* record_;
  time_point now_;
};

BERTH_NAMESPACE_END
