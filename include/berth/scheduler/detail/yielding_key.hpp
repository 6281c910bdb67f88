// SPDX-License-Identifier: BSL-1.0
// The order in which holders yield where tenants borrow from each other.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/priority_key.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Behind all that is covered by its tenant's own quota stands what is borrowed, each in the
/// policy's order. The first level stays one level where it displaces, so that victims are still
/// told apart by it.
[[nodiscard]] constexpr priority_key yielding_key(priority_key const& key, bool borrows) noexcept {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  if (key.level_count() > 0 && key.displaces(0)) {
    std::int64_t const own = std::clamp(key.level(0), -most, most);
    return key.with_first(borrows ? own + 2 * most + 1 : own);
  }
  return ascending(borrows ? 1 : 0).displacing().then(key);
}

}  // namespace detail
BERTH_NAMESPACE_END
