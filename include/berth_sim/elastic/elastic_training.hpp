// SPDX-License-Identifier: BSL-1.0
// A training job as it plays: it restarts when its GPUs change, learns at the pace that its
// application really has there, measures its steps, and chooses its batch size by what it measured.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/goodput_batch.hpp>
#include <berth/predictors/speedup_table.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/corrected_ladder.hpp>
#include <berth_sim/elastic/placement_shape.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// The pace is constant between two instants: while it restarts nothing happens, and within an
/// epoch noise, placement and batch size stay. So time passes in one stride to the next of them,
/// and the answer does not depend on how the host cuts its strides.
class elastic_training {
 public:
  /// `app` must outlive it. `fixed_batch`: the total batch size that it keeps, 0: it chooses. An
  /// application that is not adaptive needs one. At most `max_gpus` GPUs, ever.
  elastic_training(application const& app, std::int32_t fixed_batch, std::int32_t max_gpus,
                   profile_reach reach = {})
      : app_{&app},
        fixed_batch_{fixed_batch},
        table_{app.facts.limits, std::min(max_gpus, app.facts.max_gpus), profile_points, reach} {
    BERTH_ASSERT(app.facts.is_adaptive || fixed_batch > 0, "a batch size that somebody chose");
  }

  [[nodiscard]] application const& app() const noexcept { return *app_; }
  [[nodiscard]] bool is_done() const noexcept { return epoch_ == app_->curve.epochs(); }
  /// Iterations at the initial batch size.
  [[nodiscard]] double progress() const noexcept { return progress_; }
  [[nodiscard]] std::int32_t epoch() const noexcept { return epoch_; }
  [[nodiscard]] placement_shape const& shape() const noexcept { return shape_; }
  [[nodiscard]] batch_plan const& plan() const noexcept { return plan_; }
  [[nodiscard]] bool is_restarting() const noexcept { return restart_ > duration{0}; }
  [[nodiscard]] speedup_table const& table() const noexcept { return table_; }

  /// Other GPUs from now on, perhaps none; what was left of a restart is replaced.
  void place(placement_shape const& shape, duration restart) {
    shape_ = shape;
    restart_ = shape.is_empty() ? duration{0} : restart;
    if (!shape.is_empty() && !is_restarting() && !is_done()) {
      settle();
    }
  }

  /// Until the restart or the epoch ends, rounded up; `forever` without GPUs or at the end.
  [[nodiscard]] duration until_next() const {
    if (shape_.is_empty() || is_done()) {
      return forever;
    }
    if (is_restarting()) {
      return restart_;
    }
    double const seconds = (app_->curve.mark(epoch_) - progress_) / rate_;
    return duration{
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(seconds * 1000.0)))};
  }

  /// Time passes; it may end meanwhile. O(epochs that end).
  void advance(duration by) {
    if (shape_.is_empty() || is_done()) {
      return;
    }
    if (is_restarting()) {
      duration const waits = std::min(by, restart_);
      restart_ -= waits;
      by -= waits;
      if (is_restarting()) {
        return;
      }
      settle();
    }
    double left = static_cast<double>(by.count()) / 1000.0;
    while (!is_done()) {
      double const rest = (app_->curve.mark(epoch_) - progress_) / rate_;
      if (rest > left + 1e-9) {
        progress_ += rate_ * left;
        return;
      }
      progress_ = app_->curve.mark(epoch_);
      left -= rest;
      ++epoch_;
      if (!is_done()) {
        settle();
      }
    }
  }

  /// What an allocator is told: how fast on how many GPUs, on as few nodes as can be, over one
  /// GPU. One that keeps its batch size declares what it really does, one
  /// that chooses it tells what its profile says. Returns the part of `into` that it filled.
  [[nodiscard]] std::span<rung> ladder(std::span<rung> into, std::int32_t gpus_per_node) {
    if (keeps_batch()) {
      return declared_ladder(into, gpus_per_node);
    }
    auto const filled = table_.ladder(into, gpus_per_node);
    if (table_.is_profiled()) {
      correction_.apply(filled, table_.parameters());
    }
    return filled;
  }
  /// What is left, at the speed unit_rung_speed of the ladder and the noise of now; 0 before the
  /// first step of a job that measures.
  [[nodiscard]] duration remaining() {
    double const left = app_->curve.total() - progress_;
    double pace = 0;
    if (keeps_batch()) {
      pace = app_->rate(placement_shape::packed(1, 1),
                        divided_batch(app_->facts.limits, fixed_batch_, 1), epoch_);
    } else if (table_.is_profiled()) {
      pace = table_.best(1, 1).goodput / app_->facts.limits.initial_batch *
             correction_.factor(1, table_.parameters());
    }
    return pace > 0 ? std::min(duration{static_cast<std::int64_t>(std::ceil(left / pace * 1000.0))},
                               max_duration)
                    : duration{0};
  }
  [[nodiscard]] bool keeps_batch() const noexcept { return fixed_batch_ > 0; }
  /// True once something is known about its speed.
  [[nodiscard]] bool is_profiled() const noexcept { return keeps_batch() || table_.is_profiled(); }

 private:
  [[nodiscard]] std::span<rung> declared_ladder(std::span<rung> into,
                                                std::int32_t gpus_per_node) const {
    batch_limits const& limits = app_->facts.limits;
    std::int32_t const most = std::min(table_.max_gpus(), fixed_batch_ / limits.min_local);
    std::size_t filled = 0;
    double base = 0;
    for (std::int32_t gpus = 1; gpus <= most && filled < into.size(); ++gpus) {
      batch_plan const plan = divided_batch(limits, fixed_batch_, gpus);
      double const rate = app_->rate(placement_shape::packed(gpus, gpus_per_node), plan, epoch_);
      base = gpus == 1 ? rate : base;
      double const speed = rate / base * static_cast<double>(unit_rung_speed);
      into[filled++] = {gpus, static_cast<std::int64_t>(speed + 0.5)};
    }
    return into.first(filled);
  }

  /// Chooses the batch size for the epoch. A place where it has not been yet is measured, the noise
  /// is another at another batch size, and either may be a reason to choose again: all of it takes
  /// a job a few steps.
  void settle() {
    measure_noise(plan_.local_batch > 0 ? plan_.total(shape_.gpus)
                                        : app_->facts.limits.initial_batch);
    for (int turn = 0; turn < most_turns; ++turn) {
      batch_plan const before = std::exchange(plan_, chosen());
      measure_noise(plan_.total(shape_.gpus));
      if (keeps_batch() || (!measure_step() && plan_ == before)) {
        break;
      }
    }
    rate_ = app_->rate(shape_, plan_, epoch_);
  }
  [[nodiscard]] batch_plan chosen() {
    if (keeps_batch()) {
      return divided_batch(app_->facts.limits, fixed_batch_, shape_.gpus);
    }
    batch_choice const best =
        table_.is_profiled() ? table_.best(shape_.gpus, shape_.nodes) : batch_choice{};
    if (best.local_batch == 0) {
      return divided_batch(app_->facts.limits, app_->facts.limits.initial_batch, shape_.gpus);
    }
    return {best.local_batch, best.accumulation};
  }
  /// True if it taught the model something.
  bool measure_step() {
    step_timing const seen = app_->step(shape_, plan_.local_batch);
    correction_.add(shape_, plan_, seen);
    auto const nanoseconds = [](double seconds) {
      return std::chrono::nanoseconds{static_cast<std::int64_t>(seconds * 1e9 + 0.5)};
    };
    auto const added = table_.add({{shape_.gpus, shape_.nodes, plan_.local_batch},
                                   nanoseconds(seen.compute),
                                   nanoseconds(seen.step)});
    return added && *added;
  }
  void measure_noise(std::int32_t batch) {
    gradient_noise const noise = app_->curve.noise(batch, epoch_);
    [[maybe_unused]] auto const set = table_.set_noise(noise);
    BERTH_ASSERT(set.has_value(), "a noise that was measured");
  }

  static constexpr std::uint32_t profile_points = 64;
  static constexpr int most_turns = 8;  ///< two choices may alternate for ever

  application const* app_;
  std::int32_t fixed_batch_;
  speedup_table table_;
  corrected_ladder correction_;
  placement_shape shape_{};
  batch_plan plan_{};
  duration restart_{0};
  double progress_ = 0;
  double rate_ = 1;  ///< of progress, per second
  std::int32_t epoch_ = 0;
};

}  // namespace sim

BERTH_NAMESPACE_END
