// SPDX-License-Identifier: BSL-1.0
// The measured steps of one job, as its fit sees them.
#pragma once

#include <berth/core/config.hpp>
#include <berth/predictors/goodput_descent.hpp>
#include <berth/predictors/step_time.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// One point per place and batch size. What is measured again is averaged, and the points change
/// only when a mean has moved enough to be worth a fit. All memory is allocated at construction.
class goodput_profile {
 public:
  /// Holds at least three points, or no three kinds of them could stay. Throws std::bad_alloc.
  explicit goodput_profile(std::uint32_t capacity) : capacity_{std::max(capacity, 3u)} {
    points_.reserve(capacity_);
    notes_.reserve(capacity_);
  }

  /// True if points() are others now. Beyond the capacity, the oldest point of the commonest kind
  /// makes room: kinds are one GPU, one node, several nodes, and a fit wants all of them.
  /// Precondition: check_point(seen). O(points).
  bool add(profile_point const& seen) noexcept {
    most_gpus_ = std::max(most_gpus_, seen.where.gpus);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (points_[i].where == seen.where) {
        return average(points_[i], notes_[i], seen);
      }
    }
    note const first{seen.compute, seen.step, 1, ++added_};
    if (points_.size() < capacity_) {
      points_.push_back(seen);
      notes_.push_back(first);
    } else {
      std::size_t const oldest = least_missed();
      points_[oldest] = seen;
      notes_[oldest] = first;
    }
    return true;
  }
  [[nodiscard]] std::span<profile_point const> points() const noexcept { return points_; }
  /// The most that it ever ran on; 0 before the first point.
  [[nodiscard]] std::int32_t most_gpus() const noexcept { return most_gpus_; }

 private:
  struct note {
    std::chrono::nanoseconds compute{0};  ///< means
    std::chrono::nanoseconds step{0};
    std::int64_t count = 0;   ///< of measurements, at most 16: then older ones fade
    std::uint64_t added = 0;  ///< when, among all
  };

  static bool average(profile_point& fitted, note& mean, profile_point const& seen) noexcept {
    mean.count = std::min<std::int64_t>(mean.count + 1, 16);
    mean.compute += (seen.compute - mean.compute) / mean.count;
    mean.step += (seen.step - mean.step) / mean.count;
    auto const moved = [](std::chrono::nanoseconds to, std::chrono::nanoseconds from) {
      return (to > from ? to - from : from - to) > from / 64;
    };
    if (!moved(mean.compute, fitted.compute) && !moved(mean.step, fitted.step)) {
      return false;
    }
    fitted.compute = mean.compute;
    fitted.step = mean.step;
    return true;
  }
  [[nodiscard]] static std::size_t kind_of(configuration const& where) noexcept {
    return where.gpus == 1 ? 0 : where.nodes == 1 ? 1 : 2;
  }
  [[nodiscard]] std::size_t least_missed() const noexcept {
    std::array<std::size_t, 3> kinds{};
    for (profile_point const& each : points_) {
      ++kinds[kind_of(each.where)];
    }
    std::size_t const most = std::max({kinds[0], kinds[1], kinds[2]});
    std::size_t found = points_.size();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      bool const common = kinds[kind_of(points_[i].where)] == most;
      if (common && (found == points_.size() || notes_[i].added < notes_[found].added)) {
        found = i;
      }
    }
    return found;
  }

  std::size_t capacity_;
  std::vector<profile_point> points_;
  std::vector<note> notes_;  ///< of each point
  std::uint64_t added_ = 0;
  std::int32_t most_gpus_ = 0;
};

BERTH_NAMESPACE_END
