// SPDX-License-Identifier: BSL-1.0
// How long a solver may work. berth has no clock: a limit in steps is reproducible, a limit in time
// is the caller's own question, asked every now and then.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

/// A solver that reaches the end of its budget answers solve_status::feasible with the best
/// solution so far and `bound`, a proved lower bound of the optimum: total - bound is the most that
/// can be gained by going on. Without limits (the default) it ends with the optimum.
struct solve_budget {
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  /// Steps of the solver: pivots of a simplex, searches of an augmenting-path method.
  std::uint64_t steps = unlimited;
  /// Asked with `context` once every few steps; true ends the work. Its answers, unlike `steps`,
  /// are not reproducible unless it makes them so.
  bool (*expired)(void const* context) noexcept = nullptr;
  void const* context = nullptr;

  [[nodiscard]] constexpr bool is_unlimited() const noexcept {
    return steps == unlimited && expired == nullptr;
  }
};

BERTH_NAMESPACE_END
