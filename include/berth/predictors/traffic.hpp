// SPDX-License-Identifier: BSL-1.0
// How long a training job still runs and where it is in its epoch, by what it reads from storage
// (after the published ideas of PickyMan, Chen et al., IPCCC 2022; how it is done is ours).
#pragma once

#include <berth/concepts/throughput_predictor.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/shape.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/predictors/traffic_meter.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// What remains is (epochs - epochs done - phase) × period, for jobs that say how many epochs they
/// train (job_spec::epochs) and of which the host reports bytes_read; for others, and until a
/// period is known, as `declared` does. The size of the data set is checkpointing::dataset_bytes:
/// all that an epoch reads, validation included.
struct traffic {
  using component_role = predictor_role;
  /// p10 and p90 lie so many thousandths below and above. Most of PickyMan's errors are below 10 %.
  std::int64_t margin = 100;

  struct job_data {
    traffic_meter meter;
    time_point run = never;   ///< start of the run that the meter knows
    std::int64_t speed = 0;   ///< at which its periods were measured; 0 = not yet
    std::int64_t is_met = 0;  ///< 1: there was a sample
  };
  static_assert(std::has_unique_object_representations_v<job_data>,
                "equal job data are equal bytes, in a snapshot and in a digest");

  void observe(job_view const& job, job_data& data, bytes_read const& report) const noexcept {
    if (data.is_met == 0 || data.run != job.run_since()) {
      data.meter.begin_run(job.run_since());
      if (data.speed > 0 && data.speed != job.speed()) {
        data.meter.rescale(data.speed, job.speed());
      }
      data.run = job.run_since();
      data.speed = job.speed();
      data.is_met = 1;
    }
    data.meter.sample(job.now(), report.total, job.spec().checkpoints.dataset_bytes);
  }

  [[nodiscard]] epoch_clock epochs(job_view const& job, job_data const& data,
                                   tick_context const&) const noexcept {
    if (data.is_met == 0) {
      return {};
    }
    epoch_clock answer = data.meter.clock(job.now());
    if (!job.is_running() || data.run != job.run_since()) {  // no sample of this run yet
      answer.period = at_present_speed(job, data, answer.period);
      answer.began = job.run_since();
    }
    return answer;
  }

  [[nodiscard]] estimate remaining(job_view const& job, job_data const& data,
                                   tick_context const& tick) const noexcept {
    duration const left = left_of(job, data);
    if (left == forever) {
      return declared{}.remaining(job, tick);
    }
    duration const spread{gpu_time{margin, left}.count() / 1000};
    return {std::max(duration{1}, left - spread), left, left + spread};
  }

 private:
  [[nodiscard]] static duration at_present_speed(job_view const& job, job_data const& data,
                                                 duration period) noexcept {
    return data.speed > 0 ? duration{gpu_time{data.speed, period}.count() / job.speed()} : period;
  }
  [[nodiscard]] static duration left_of(job_view const& job, job_data const& data) noexcept {
    if (job.spec().epochs <= 0 || data.is_met == 0) {
      return forever;
    }
    bool const goes_on = job.is_running() && data.run == job.run_since();
    time_point const now = goes_on ? job.now() : data.meter.sampled;
    epoch_clock const clock = data.meter.clock(now);
    if (clock.period <= duration{0}) {
      return forever;
    }
    std::int64_t const whole =
        std::max<std::int64_t>(0, job.spec().epochs - data.meter.epochs_done(now));
    duration const period = at_present_speed(job, data, clock.period);
    bool const dated = goes_on && clock.began != never;
    duration const age = dated ? std::min(period, now - clock.began) : duration{0};
    duration const left{gpu_time{whole, period}.count() - age.count()};
    return std::clamp(left, duration{1}, max_duration);
  }
};
static_assert(reading_predictor<traffic> && epoch_predictor<traffic>);

BERTH_NAMESPACE_END
