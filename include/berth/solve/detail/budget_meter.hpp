// SPDX-License-Identifier: BSL-1.0
// Counts what a solve has spent of its budget.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/budget.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

class budget_meter {
 public:
  /// The question whether time is over is asked once in so many steps: it may cost as much as one.
  static constexpr std::uint64_t steps_per_question = 8;

  explicit budget_meter(solve_budget const& budget) noexcept
      : budget_{budget}, is_unlimited_{budget.is_unlimited()} {}

  /// Takes one step; false when there is none left, and from then on.
  [[nodiscard]] bool spend() noexcept {
    if (is_unlimited_) {
      return true;
    }
    if (!is_spent_) {
      bool const asks = budget_.expired != nullptr && spent_ % steps_per_question == 0;
      is_spent_ = spent_ == budget_.steps || (asks && budget_.expired(budget_.context));
      ++spent_;
    }
    return !is_spent_;
  }

 private:
  solve_budget budget_;
  std::uint64_t spent_ = 0;
  bool is_unlimited_;
  bool is_spent_ = false;
};

}  // namespace detail
BERTH_NAMESPACE_END
