// SPDX-License-Identifier: BSL-1.0
// For a simulated host, which says nothing that can be refused.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/time.hpp>

#include <stdexcept>
#include <string>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

/// What the answer holds. Throws std::logic_error if it is a refusal.
template <class Result>
auto must(Result&& answer) {
  if (!answer) {
    throw std::logic_error{std::string{"refused: "} + to_string(answer.error().code) + " of " +
                           to_string(answer.error().where)};
  }
  if constexpr (requires { *answer; }) {
    return *answer;
  }
}

[[nodiscard]] inline double seconds(duration span) {
  return static_cast<double>(span.count()) / 1000.0;
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
