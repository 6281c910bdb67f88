// SPDX-License-Identifier: BSL-1.0
// A better start.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/detail/assignment_meter.hpp>
#include <berth/solve/detail/assignment_reduction.hpp>
#include <berth/solve/detail/assignment_search.hpp>
BERTH_NAMESPACE_BEGIN
namespace detail {
template <class Cost, class Word>
std::uint32_t scale_prices(assignment_search<Cost, Word>& search, assignment_meter&) noexcept {
  return list_waiting(search);
}
}  // namespace detail
BERTH_NAMESPACE_END
