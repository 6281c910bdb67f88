// SPDX-License-Identifier: BSL-1.0
// Counts the searches of one call against its budget.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/budget.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

class search_meter {
 public:
  explicit search_meter(solve_budget const& budget) noexcept : budget_{budget} {}

  /// Whether one more search may start; counts it if so. Once false, always false.
  [[nodiscard]] bool may_start() noexcept {
    if (is_used_up_) {
      return false;
    }
    bool const asks = started_ % searches_per_question == 0 && budget_.expired != nullptr;
    is_used_up_ = started_ >= budget_.steps || (asks && budget_.expired(budget_.context));
    ++started_;
    return !is_used_up_;
  }

 private:
  /// A search takes about a microsecond, a question to a clock a twentieth of that.
  static constexpr std::uint64_t searches_per_question = 8;

  solve_budget const& budget_;
  std::uint64_t started_ = 0;
  bool is_used_up_ = false;
};

}  // namespace detail
BERTH_NAMESPACE_END
