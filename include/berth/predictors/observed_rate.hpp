// SPDX-License-Identifier: BSL-1.0
// Corrects the declared length by the progress that the host reports.
#pragma once

#include <berth/concepts/throughput_predictor.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/predictors/declared.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// Keeps an integer moving average of work done per run time, in thousandths, with weight 1/4 for
/// the newest report. Until two reports have come it answers as `declared` does.
struct observed_rate {
  using component_role = predictor_role;

  struct job_data {
    std::int64_t rate = 0;  ///< thousandths of declared speed; 0 = not measured
    duration last_done{0};
    duration last_executed{-1};  ///< -1 ms = no report yet
  };
  static_assert(std::has_unique_object_representations_v<job_data>,
                "equal job data are equal bytes, in a snapshot and in a digest");

  void observe(job_view const& job, job_data& data, progress const& report) const noexcept {
    duration const executed = job.executed();
    if (data.last_executed >= duration{0} && report.done >= data.last_done &&
        executed > data.last_executed) {
      std::int64_t const span = (executed - data.last_executed).count();
      std::int64_t const measured = std::clamp<std::int64_t>(
          gpu_time{unit_speed, report.done - data.last_done}.count() / span, 1, max_rate);
      data.rate = data.rate == 0 ? measured : (3 * data.rate + measured) / 4;
    }
    data.last_done = report.done;
    data.last_executed = executed;
  }

  [[nodiscard]] estimate remaining(job_view const& job, job_data const& data,
                                   tick_context const& tick) const noexcept {
    estimate answer = declared{}.remaining(job, tick);
    if (data.rate > 0 && job.spec().work != forever) {
      auto const rate = static_cast<std::int32_t>(std::clamp<std::int64_t>(data.rate, 1, max_rate));
      duration const left =
          std::max(duration{1}, detail::at_speed(job.spec().work - job.done(), rate));
      answer.p10 = std::min(answer.p10, left);
      answer.p50 = left;
      answer.p90 = std::max(answer.p90, left);
    }
    return answer;
  }

 private:
  static constexpr std::int64_t max_rate = 1'000'000;
};

BERTH_NAMESPACE_END
