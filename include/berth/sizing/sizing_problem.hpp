// SPDX-License-Identifier: BSL-1.0
// The question of the `size` stage, how many GPUs for each elastic job, and what an answer is.
#pragma once

#include <berth/core/config.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// The spans must outlive the call. The order of the jobs does not matter.
struct sizing_problem {
  std::span<elastic_job const> jobs{};
  std::int32_t capacity = 0;  ///< GPUs, >= 0
};

/// A view that lives in the workspace until it is used again.
struct sizing {
  std::span<std::int32_t const> sizes{};  ///< per job, in the problem's order: 0 or a rung
  std::int64_t given = 0;                 ///< GPUs, <= capacity
  /// By the rule's own measure, in a unit of this one answer: only for comparing these two. Both 0
  /// where a rule has no measure.
  std::int64_t value = 0;
  std::int64_t bound = 0;  ///< no answer is worth more; equal to `value`: proved to be the best

  [[nodiscard]] constexpr bool is_optimal() const noexcept { return value == bound; }
};

BERTH_NAMESPACE_END
