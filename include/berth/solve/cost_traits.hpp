// SPDX-License-Identifier: BSL-1.0
// The arithmetic of the solvers. Inside, a cost is an integer, or a pair of integers ordered
// lexicographically, with plain + and -: both are ordered groups, and a shortest path or a dual
// needs nothing else. Saturating sums would do harm here: two paths that both saturate look equally
// long. Overflow rule: every entry is within ±2^40, at most 2^18 rows or 2^20 units add up, so that
// every distance, price and total stays within ±2^61, component by component.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

/// A rank_cost without saturation and without `forbidden`: rank first, time among equals.
struct raw_rank_cost {
  std::int64_t rank = 0;
  std::int64_t time = 0;

  friend constexpr raw_rank_cost operator+(raw_rank_cost a, raw_rank_cost b) noexcept {
    return {a.rank + b.rank, a.time + b.time};
  }
  friend constexpr raw_rank_cost operator-(raw_rank_cost a, raw_rank_cost b) noexcept {
    return {a.rank - b.rank, a.time - b.time};
  }
  friend constexpr raw_rank_cost operator*(std::int64_t times, raw_rank_cost a) noexcept {
    return {times * a.rank, times * a.time};
  }
  friend constexpr auto operator<=>(raw_rank_cost const&, raw_rank_cost const&) noexcept = default;
};

/// How a solver computes with `Cost`: specialise it to bring another cost to the solvers. `price`
/// is what duals and totals are told in: it holds sums that a single cost may be too narrow for.
template <class Cost>
struct cost_traits;

template <>
struct cost_traits<gpu_time> {
  using raw = std::int64_t;
  using price = gpu_time;
  /// The largest magnitude of an entry, in GPU·milliseconds; `forbidden` is allowed besides.
  static constexpr std::int64_t limit = std::int64_t{1} << 40;
  /// Longer than every path; compared, never added to.
  static constexpr raw unreachable = std::numeric_limits<std::int64_t>::max();

  /// Whether `cost` is forbidden or within ±bound.
  [[nodiscard]] static constexpr bool in_range(gpu_time cost, std::int64_t bound = limit) noexcept {
    return cost.is_forbidden() || (cost.count() <= bound && cost.count() >= -bound);
  }
  /// `cost` must not be forbidden.
  [[nodiscard]] static constexpr raw to_raw(gpu_time cost) noexcept { return cost.count(); }
  [[nodiscard]] static constexpr price from_raw(raw value) noexcept { return price{value}; }
  /// Whether `value` is a finite price within ±bound.
  [[nodiscard]] static constexpr bool is_price(price value, std::int64_t bound) noexcept {
    return !value.is_forbidden() && in_range(value, bound);
  }
  /// Requires is_price(value, …).
  [[nodiscard]] static constexpr raw price_to_raw(price value) noexcept { return value.count(); }
};

template <>
struct cost_traits<rank_cost> {
  using raw = raw_rank_cost;
  using price = rank_cost;
  /// The largest magnitude of an entry's rank and of its GPU·milliseconds.
  static constexpr std::int64_t limit = std::int64_t{1} << 40;
  static constexpr raw unreachable{std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::max()};

  [[nodiscard]] static constexpr bool in_range(rank_cost cost,
                                               std::int64_t bound = limit) noexcept {
    return cost.is_forbidden() || (cost.rank <= bound && cost.rank >= -bound &&
                                   cost_traits<gpu_time>::in_range(cost.time, bound));
  }
  [[nodiscard]] static constexpr raw to_raw(rank_cost cost) noexcept {
    return {cost.rank, cost.time.count()};
  }
  [[nodiscard]] static constexpr price from_raw(raw value) noexcept {
    return {value.rank, gpu_time{value.time}};
  }
  /// Whether `value` is a finite price, both components within ±bound.
  [[nodiscard]] static constexpr bool is_price(price value, std::int64_t bound) noexcept {
    return !value.is_forbidden() && in_range(value, bound);
  }
  /// Requires is_price(value, …).
  [[nodiscard]] static constexpr raw price_to_raw(price value) noexcept { return to_raw(value); }
};

/// A cost that the solvers can compute with.
template <class Cost>
concept solver_cost = requires(Cost cost, typename cost_traits<Cost>::raw raw,
                               typename cost_traits<Cost>::price price, std::int64_t times) {
  { cost.is_forbidden() } noexcept -> std::same_as<bool>;
  { cost_traits<Cost>::in_range(cost, times) } noexcept -> std::same_as<bool>;
  { cost_traits<Cost>::to_raw(cost) } noexcept -> std::same_as<typename cost_traits<Cost>::raw>;
  { cost_traits<Cost>::from_raw(raw) } noexcept -> std::same_as<typename cost_traits<Cost>::price>;
  { cost_traits<Cost>::is_price(price, times) } noexcept -> std::same_as<bool>;
  {
    cost_traits<Cost>::price_to_raw(price)
  } noexcept -> std::same_as<typename cost_traits<Cost>::raw>;
  { raw + raw } noexcept -> std::same_as<typename cost_traits<Cost>::raw>;
  { raw - raw } noexcept -> std::same_as<typename cost_traits<Cost>::raw>;
  { times* raw } noexcept -> std::same_as<typename cost_traits<Cost>::raw>;
  requires std::totally_ordered<typename cost_traits<Cost>::raw>;
};

BERTH_NAMESPACE_END
