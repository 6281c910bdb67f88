// SPDX-License-Identifier: BSL-1.0
// Who is served next among tenants: whoever uses least for its weight. Shares are compared as the
// fractions that they are, by cross-multiplication: no division, no NaN, no rounding.
#pragma once

#include <berth/core/config.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// GPUs in use per weight; smaller goes first. Weight 0 is a share beyond all others, whatever is
/// used: served last, and equal among themselves.
struct fair_share {
  std::int32_t used = 0;    ///< GPUs, not negative
  std::int32_t weight = 1;  ///< not negative

  /// A strict weak order: fractions with a positive denominator, and one class behind them.
  friend constexpr std::weak_ordering operator<=>(fair_share const& a,
                                                  fair_share const& b) noexcept {
    if (a.weight == 0 || b.weight == 0) {
      return (a.weight == 0) <=> (b.weight == 0);
    }
    return std::int64_t{a.used} * b.weight <=> std::int64_t{b.used} * a.weight;
  }
  friend constexpr bool operator==(fair_share const& a, fair_share const& b) noexcept {
    return (a <=> b) == 0;
  }
};

/// Levels of a tree of tenants, at most.
inline constexpr std::size_t max_tenant_depth = 4;

/// The place of a tenant among tenants: within its quota before borrowing, then the shares on the
/// way from the root down to it, one after the other. Shares of different branches are compared
/// too, so that the order is transitive; a path that ends goes before one that goes on.
struct tenant_rank {
  bool borrows = false;
  std::uint8_t depth = 0;  ///< shares that are given; 0 where there are no tenants
  std::array<fair_share, max_tenant_depth> path{};

  friend constexpr std::weak_ordering operator<=>(tenant_rank const& a,
                                                  tenant_rank const& b) noexcept {
    if (a.borrows != b.borrows) {
      return a.borrows <=> b.borrows;
    }
    for (std::size_t i = 0; i < std::min(a.depth, b.depth); ++i) {
      if (auto const order = a.path[i] <=> b.path[i]; order != 0) {
        return order;
      }
    }
    return a.depth <=> b.depth;
  }
  friend constexpr bool operator==(tenant_rank const& a, tenant_rank const& b) noexcept {
    return (a <=> b) == 0;
  }
};

BERTH_NAMESPACE_END
