// SPDX-License-Identifier: BSL-1.0
// Memory of the sizing rules: the caller's, reserved once.
#pragma once

#include <berth/core/config.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>

#include <cstddef>

BERTH_NAMESPACE_BEGIN

/// One workspace serves all rules, one call at a time; calls do not depend on what it was used for
/// before. Only the constructor and reserve() allocate.
class sizing_workspace {
 public:
  sizing_workspace() = default;
  /// As reserve().
  sizing_workspace(std::size_t jobs, std::size_t rungs, std::size_t table_capacity = 0) {
    reserve(jobs, rungs, table_capacity);
  }

  /// Room for `jobs` jobs with `rungs` rungs altogether, and any capacity. Where a rule calls for
  /// an exact answer to ladders that are not concave, it needs a table: jobs × (table_capacity + 1)
  /// numbers of two bytes, for capacities up to `table_capacity`; beyond it the answer comes with a
  /// bound instead. Never shrinks. Throws std::bad_alloc.
  void reserve(std::size_t jobs, std::size_t rungs, std::size_t table_capacity = 0) {
    memory_.reserve(jobs, rungs, table_capacity);
  }

 private:
  friend struct detail::sizing_access;
  detail::sizing_memory memory_;
};

namespace detail {

/// The rules' way in.
struct sizing_access {
  [[nodiscard]] static sizing_memory& memory(sizing_workspace& workspace) noexcept {
    return workspace.memory_;
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
