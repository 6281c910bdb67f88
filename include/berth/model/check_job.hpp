// SPDX-License-Identifier: BSL-1.0
// The door: is what a host submits well formed, and which shape is it?
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/shape.hpp>
#include <berth/model/suspension.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Largest gang, in GPUs, that a job may ask for.
inline constexpr std::int32_t max_gang_gpus = 1 << 20;
/// Fastest type relative to the reference.
inline constexpr double max_speed = 1000.0;

/// Largest batch per GPU, number of epochs, and samples of an epoch.
inline constexpr std::int32_t max_batch_size = 1 << 24;
inline constexpr std::int32_t max_epochs = 1 << 20;
inline constexpr std::int64_t max_samples = std::int64_t{1} << 40;

namespace detail {
inline constexpr std::int64_t max_bytes = std::int64_t{1} << 60;

[[nodiscard]] constexpr bool in_range(duration value) noexcept {
  return value >= duration{0} && (value <= max_duration || value == forever);
}

[[nodiscard]] constexpr result<void> check_gang(job_spec const& job) noexcept {
  if (job.roles[0].members > 0) {
    std::int64_t sum = 0;
    bool ended = false;
    for (role const& r : job.roles) {
      ended = ended || r.members == 0;
      if (r.members < 0 || r.gpus < 0 || (r.members == 0) != (r.gpus == 0) ||
          (ended && r.members != 0)) {
        return error{errc::zero_or_negative, field::roles};
      }
      sum += std::int64_t{r.members} * r.gpus;
      if (r.gpus > max_gpus_per_node || sum > max_gang_gpus) {
        return error{errc::bad_number, field::roles};
      }
    }
    return {};
  }
  for (role const& r : job.roles) {
    if (r != role{}) {
      return error{errc::inconsistent, field::roles};
    }
  }
  if (job.gang <= 0) {
    return error{errc::zero_or_negative, field::gang};
  }
  if (job.gpus_per_member <= 0) {
    return error{errc::zero_or_negative, field::gpus_per_member};
  }
  if (job.gpus_per_member > max_gpus_per_node) {
    return error{errc::bad_number, field::gpus_per_member};
  }
  if (std::int64_t{job.gang} * job.gpus_per_member > max_gang_gpus) {
    return error{errc::bad_number, field::gang};
  }
  return {};
}

[[nodiscard]] constexpr result<void> check_training(job_spec const& job) noexcept {
  if (job.batch_size < 0 || job.batch_size > max_batch_size) {
    return error{errc::bad_number, field::batch_size};
  }
  if (job.epochs < 0 || job.epochs > max_epochs) {
    return error{errc::bad_number, field::epochs};
  }
  if (job.samples < 0 || job.samples > max_samples) {
    return error{errc::bad_number, field::samples};
  }
  return {};
}

[[nodiscard]] constexpr result<void> check_durations(job_spec const& job) noexcept {
  if (!in_range(job.work) || job.work == duration{0}) {
    return error{errc::bad_number, field::work};
  }
  if (!in_range(job.estimate) || job.estimate == duration{0}) {
    return error{errc::bad_number, field::estimate};
  }
  if (job.deadline != never && (job.deadline.time_since_epoch() > max_instant ||
                                job.deadline.time_since_epoch() < -max_instant)) {
    return error{errc::bad_number, field::deadline};
  }
  if (!in_range(job.checkpoints.epoch_period)) {
    return error{errc::bad_number, field::epoch};
  }
  if (!in_range(job.checkpoints.period) || !in_range(job.checkpoints.phase)) {
    return error{errc::bad_number, field::checkpoint};
  }
  if (!in_range(job.checkpoints.startup) || job.checkpoints.startup == forever) {
    return error{errc::bad_number, field::startup};
  }
  if (!in_range(job.checkpoints.resize) || job.checkpoints.resize == forever) {
    return error{errc::bad_number, field::resize};
  }
  if (job.checkpoints.checkpoint_bytes < 0 || job.checkpoints.checkpoint_bytes > max_bytes) {
    return error{errc::bad_number, field::checkpoint_bytes};
  }
  if (job.checkpoints.dataset_bytes < 0 || job.checkpoints.dataset_bytes > max_bytes) {
    return error{errc::bad_number, field::dataset_bytes};
  }
  if (!in_range(job.checkpoints.iteration)) {
    return error{errc::bad_number, field::iteration};
  }
  if (!in_range(job.checkpoints.save) || job.checkpoints.save == forever) {
    return error{errc::bad_number, field::save};
  }
  if (job.checkpoints.cached_bytes < 0 || job.checkpoints.cached_bytes > max_bytes) {
    return error{errc::bad_number, field::cached_bytes};
  }
  if (job.checkpoints.modes >> suspension_mode_count != 0) {
    return error{errc::bad_number, field::modes};
  }
  return {};
}
}  // namespace detail

/// The shape of `job` on a cluster with `type_count` GPU types, or what is wrong with it: the first
/// bad member in the order of job_spec. Doubles are quantised here and nowhere else. O(types).
[[nodiscard]] constexpr result<shape> check(job_spec const& job, int type_count) noexcept {
  if (auto const gang = detail::check_gang(job); !gang) {
    return gang.error();
  }
  bool const has_roles = job.roles[0].members > 0;
  if (job.min_gang < 0 || (job.min_gang > 0 && (has_roles || job.min_gang > job.gang))) {
    return error{errc::inconsistent, field::min_gang};
  }
  if (job.group_size < 0) {
    return error{errc::zero_or_negative, field::group_size};
  }
  if ((job.group == group_id{}) != (job.group_size == 0)) {
    return error{errc::inconsistent, field::group_size};
  }
  constexpr std::int64_t per_gpu_limit = std::int64_t{1} << 32;
  if (job.cpu_milli_per_gpu < 0 || job.cpu_milli_per_gpu > per_gpu_limit) {
    return error{errc::bad_number, field::cpu_milli_per_gpu};
  }
  if (job.memory_mib_per_gpu < 0 || job.memory_mib_per_gpu > per_gpu_limit) {
    return error{errc::bad_number, field::memory_mib_per_gpu};
  }
  auto const known = static_cast<type_mask>((1u << static_cast<unsigned>(type_count)) - 1u);
  if (job.allowed_types == 0 ||
      (job.allowed_types != any_type && (job.allowed_types & ~known) != 0)) {
    return error{errc::unknown_gpu_type, field::allowed_types};
  }
  shape made;
  if (has_roles) {
    made.roles = job.roles;
  } else {
    made.roles[0] = role{job.gang, job.gpus_per_member};
  }
  for (std::size_t t = 0; t < max_gpu_types; ++t) {
    double const speed = job.speed[t];
    if (!(speed >= 0.0 && speed <= max_speed)) {  // also refuses NaN
      return error{errc::bad_number, field::speed};
    }
    made.speed[t] = speed == 0.0 ? unit_speed : static_cast<std::int32_t>(speed * unit_speed + 0.5);
    if (made.speed[t] == 0) {
      return error{errc::bad_number, field::speed};
    }
  }
  if (job.layout > spread::one_per_node) {
    return error{errc::bad_number, field::layout};
  }
  if (static_cast<int>(job.where) >= pool_count) {
    return error{errc::bad_number, field::pool};
  }
  if (job.borrows > borrowing::all ||
      (job.borrows != borrowing::none && job.where != pool::training)) {
    return error{errc::bad_number, field::pool};
  }
  if (job.spread_loss < -1 || job.spread_loss > 1000) {
    return error{errc::bad_number, field::spread_loss};
  }
  if (auto const times = detail::check_durations(job); !times) {
    return times.error();
  }
  if (auto const training = detail::check_training(job); !training) {
    return training.error();
  }
  made.cpu_milli_per_gpu = job.cpu_milli_per_gpu;
  made.memory_mib_per_gpu = job.memory_mib_per_gpu;
  made.group = job.group;
  made.types = static_cast<type_mask>(job.allowed_types & known);
  made.layout = job.layout;
  made.where = job.where;
  return made;
}

BERTH_NAMESPACE_END
