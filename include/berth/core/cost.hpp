// SPDX-License-Identifier: BSL-1.0
// The one currency: GPU-time, int64 GPU·milliseconds. Whatever berth weighs (a slow place, lost
// work, a restart, waiting) is priced in it, so that prices add up.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <compare>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

/// GPU-time as a cost. Sums and products saturate at ±max() and never wrap; `forbidden` absorbs
/// whatever is added to it, compares above everything, and means "may not happen at any price".
class gpu_time {
 public:
  constexpr gpu_time() noexcept = default;
  /// GPU·milliseconds; values beyond ±max() are clamped.
  constexpr explicit gpu_time(std::int64_t gpu_milliseconds) noexcept
      : value_{clamp(gpu_milliseconds)} {}
  /// `gpus` GPUs for `span`; `forever` gives max().
  constexpr gpu_time(std::int64_t gpus, duration span) noexcept {
    std::int64_t product = 0;
    bool const overflow = __builtin_mul_overflow(gpus, span.count(), &product);
    value_ = overflow ? ((gpus < 0) == (span.count() < 0) ? limit : -limit) : clamp(product);
  }

  [[nodiscard]] static constexpr gpu_time forbidden() noexcept {
    gpu_time cost;
    cost.value_ = forbidden_value;
    return cost;
  }
  [[nodiscard]] static constexpr gpu_time max() noexcept { return gpu_time{limit}; }
  [[nodiscard]] static constexpr gpu_time zero() noexcept { return gpu_time{}; }

  /// GPU·milliseconds.
  [[nodiscard]] constexpr std::int64_t count() const noexcept { return value_; }
  [[nodiscard]] constexpr bool is_forbidden() const noexcept { return value_ == forbidden_value; }

  constexpr gpu_time& operator+=(gpu_time other) noexcept {
    if (is_forbidden() || other.is_forbidden()) {
      value_ = forbidden_value;
    } else {
      value_ = clamp(value_ + other.value_);  // both within ±2^61: the sum cannot wrap
    }
    return *this;
  }
  friend constexpr gpu_time operator+(gpu_time a, gpu_time b) noexcept { return a += b; }
  friend constexpr gpu_time operator-(gpu_time a, gpu_time b) noexcept {
    return b.is_forbidden() ? forbidden() : a += gpu_time{-b.value_};
  }
  friend constexpr gpu_time operator*(std::int64_t times, gpu_time a) noexcept {
    return a.is_forbidden() ? a : gpu_time{times, duration{a.value_}};
  }
  friend constexpr auto operator<=>(gpu_time const&, gpu_time const&) noexcept = default;

 private:
  static constexpr std::int64_t limit = std::int64_t{1} << 61;
  static constexpr std::int64_t forbidden_value = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] static constexpr std::int64_t clamp(std::int64_t value) noexcept {
    return value > limit ? limit : value < -limit ? -limit : value;
  }
  std::int64_t value_ = 0;
};

/// Lexicographic cost: first who is harmed (rank levels of the displaced, lower is better), then
/// how much GPU-time it takes. A strict-priority policy stays strict without a big-M constant.
struct rank_cost {
  std::int64_t rank = 0;
  gpu_time time;

  [[nodiscard]] static constexpr rank_cost forbidden() noexcept {
    return {0, gpu_time::forbidden()};
  }
  [[nodiscard]] constexpr bool is_forbidden() const noexcept { return time.is_forbidden(); }

  constexpr rank_cost& operator+=(rank_cost other) noexcept {
    std::int64_t sum = 0;
    rank = __builtin_add_overflow(rank, other.rank, &sum)
               ? (rank > 0 ? std::numeric_limits<std::int64_t>::max()
                           : std::numeric_limits<std::int64_t>::min())
               : sum;
    time += other.time;
    return *this;
  }
  friend constexpr rank_cost operator+(rank_cost a, rank_cost b) noexcept { return a += b; }
  friend constexpr bool operator==(rank_cost const& a, rank_cost const& b) noexcept {
    return a.is_forbidden() ? b.is_forbidden() : a.rank == b.rank && a.time == b.time;
  }
  friend constexpr std::strong_ordering operator<=>(rank_cost const& a,
                                                    rank_cost const& b) noexcept {
    if (a.is_forbidden() || b.is_forbidden()) {
      return a.is_forbidden() <=> b.is_forbidden();
    }
    auto const by_rank = a.rank <=> b.rank;
    return by_rank != 0 ? by_rank : a.time <=> b.time;
  }
};

BERTH_NAMESPACE_END
