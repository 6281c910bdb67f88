// SPDX-License-Identifier: BSL-1.0
// The door of the sizing rules: is a job, is a problem well formed?
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

inline constexpr std::int32_t max_rung_size = std::int32_t{1} << 20;  ///< GPUs
inline constexpr std::int64_t max_rung_speed = std::int64_t{1}
                                               << 36;  ///< a million times unit_rung_speed
inline constexpr std::uint32_t max_job_weight = std::uint32_t{1} << 16;
inline constexpr std::size_t max_rungs = 65'000;  ///< of one ladder

/// The first field that is not as elastic_job says: `bad_number` beyond the maxima above or, of
/// times, max_duration; `zero_or_negative` of a size, a weight, or a ladder without rungs;
/// `inconsistent` if sizes do not ascend or resize.next > resize.first. O(rungs).
[[nodiscard]] constexpr result<void> check_elastic_job(elastic_job const& job) noexcept {
  auto const is_time = [](duration span) { return span >= duration{0} && span <= max_duration; };
  if (job.ladder.empty()) {
    return error{errc::zero_or_negative, field::ladder};
  }
  if (job.ladder.size() > max_rungs) {
    return error{errc::bad_number, field::ladder};
  }
  std::int32_t below = 0;
  for (rung const& each : job.ladder) {
    if (each.size <= 0) {
      return error{errc::zero_or_negative, field::ladder};
    }
    if (each.size <= below) {
      return error{errc::inconsistent, field::ladder};
    }
    if (each.size > max_rung_size) {
      return error{errc::bad_number, field::ladder};
    }
    if (each.speed < 0 || each.speed > max_rung_speed) {
      return error{errc::bad_number, field::speed};
    }
    below = each.size;
  }
  if (!is_time(job.remaining)) {
    return error{errc::bad_number, field::remaining};
  }
  if (job.current < 0 || job.current > max_rung_size) {
    return error{errc::bad_number, field::current};
  }
  if (!is_time(job.resize.first) || !is_time(job.resize.next)) {
    return error{errc::bad_number, field::resize};
  }
  if (job.resize.next > job.resize.first) {
    return error{errc::inconsistent, field::resize};
  }
  if (job.weight == 0) {
    return error{errc::zero_or_negative, field::weight};
  }
  if (job.weight > max_job_weight) {
    return error{errc::bad_number, field::weight};
  }
  if (!is_time(job.age)) {
    return error{errc::bad_number, field::age};
  }
  return {};
}

/// The same of all jobs, and `bad_number` of a negative capacity. That ids are distinct is for the
/// workspace to see. O(rungs of all).
[[nodiscard]] constexpr result<void> check_sizing(sizing_problem const& problem) noexcept {
  if (problem.capacity < 0) {
    return error{errc::bad_number, field::capacity};
  }
  for (elastic_job const& job : problem.jobs) {
    if (result<void> const checked = check_elastic_job(job); !checked) {
      return checked;
    }
  }
  return {};
}

BERTH_NAMESPACE_END
