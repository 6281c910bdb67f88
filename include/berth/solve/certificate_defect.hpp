// SPDX-License-Identifier: BSL-1.0
// What can be wrong with a solution that claims to be optimal.
#pragma once

#include <berth/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

/// The first condition that fails, in the order of the checks.
enum class certificate_defect : std::uint8_t {
  none,
  shape,               ///< sizes of problem and solution disagree
  problem_range,       ///< a cost, or the number of rows or units, is outside what solvers accept
  price_range,         ///< a price is forbidden or beyond ±2^61
  matching,            ///< an index out of bounds, or the two directions disagree
  forbidden_used,      ///< a forbidden cell carries something, or a row that must go stays
  conservation,        ///< negative units, or a row's units do not add up to its supply
  capacity,            ///< a column takes more than its capacity
  row_price_too_high,  ///< above what a cell or staying unmatched would cost: not a dual solution
  column_price_negative,
  slackness,  ///< something used is not tight, or a column with room has a price
  total,      ///< the stated total is not the cost of the solution
  bound,      ///< the prices do not prove the stated bound
};

/// The name as written above; "unknown" for a number that is none of them.
[[nodiscard]] constexpr char const* to_string(certificate_defect defect) noexcept {
  switch (defect) {
    case certificate_defect::none: return "none";
    case certificate_defect::shape: return "shape";
    case certificate_defect::problem_range: return "problem_range";
    case certificate_defect::price_range: return "price_range";
    case certificate_defect::matching: return "matching";
    case certificate_defect::forbidden_used: return "forbidden_used";
    case certificate_defect::conservation: return "conservation";
    case certificate_defect::capacity: return "capacity";
    case certificate_defect::row_price_too_high: return "row_price_too_high";
    case certificate_defect::column_price_negative: return "column_price_negative";
    case certificate_defect::slackness: return "slackness";
    case certificate_defect::total: return "total";
    case certificate_defect::bound: return "bound";
  }
  return "unknown";
}

/// What certify() found, and where.
struct certificate {
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  certificate_defect defect = certificate_defect::none;
  std::uint32_t row = nowhere;
  std::uint32_t column = nowhere;  ///< nowhere, with a row: staying unmatched

  /// A defect of a row, a column, or a pair of them.
  [[nodiscard]] static constexpr certificate at(certificate_defect what, std::size_t at_row,
                                                std::size_t at_column) noexcept {
    return {what, static_cast<std::uint32_t>(at_row), static_cast<std::uint32_t>(at_column)};
  }
  /// The solution is optimal.
  [[nodiscard]] constexpr bool holds() const noexcept { return defect == certificate_defect::none; }
  friend constexpr bool operator==(certificate const&, certificate const&) noexcept = default;
};

BERTH_NAMESPACE_END
