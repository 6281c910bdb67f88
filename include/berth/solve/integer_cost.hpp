// SPDX-License-Identifier: BSL-1.0
// A plain 32-bit integer as a cost, for callers whose costs have no unit or are small: a matrix of
// them is half as large as one of GPU-times, and the dense solvers scan it twice as fast.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>

#include <compare>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

/// An integer, or `forbidden`. Only compared here; the solvers compute with cost_traits.
class integer_cost {
 public:
  constexpr integer_cost() noexcept = default;
  constexpr explicit integer_cost(std::int32_t value) noexcept : value_{value} {}
  [[nodiscard]] static constexpr integer_cost forbidden() noexcept {
    return integer_cost{std::numeric_limits<std::int32_t>::max()};
  }

  [[nodiscard]] constexpr bool is_forbidden() const noexcept { return *this == forbidden(); }
  [[nodiscard]] constexpr std::int32_t value() const noexcept { return value_; }
  friend constexpr auto operator<=>(integer_cost, integer_cost) noexcept = default;

 private:
  std::int32_t value_ = 0;
};

template <>
struct cost_traits<integer_cost> {
  using raw = std::int64_t;
  using price = std::int64_t;
  /// The largest magnitude of an entry; `forbidden` is allowed besides.
  static constexpr std::int64_t limit = std::int64_t{1} << 30;
  static constexpr raw unreachable = std::numeric_limits<std::int64_t>::max();

  /// Whether `cost` is forbidden or within ±bound.
  [[nodiscard]] static constexpr bool in_range(integer_cost cost,
                                               std::int64_t bound = limit) noexcept {
    return cost.is_forbidden() || (cost.value() <= bound && cost.value() >= -bound);
  }
  /// `cost` must not be forbidden.
  [[nodiscard]] static constexpr raw to_raw(integer_cost cost) noexcept { return cost.value(); }
  [[nodiscard]] static constexpr price from_raw(raw value) noexcept { return value; }
  /// Whether `value` is a finite price within ±bound.
  [[nodiscard]] static constexpr bool is_price(price value, std::int64_t bound) noexcept {
    return value <= bound && value >= -bound;
  }
  [[nodiscard]] static constexpr raw price_to_raw(price value) noexcept { return value; }
};

BERTH_NAMESPACE_END
