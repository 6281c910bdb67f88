// SPDX-License-Identifier: BSL-1.0
// What happened in a case, for people, and what went wrong that no expectation speaks of.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

/// Seconds as the files write them.
[[nodiscard]] inline std::string in_seconds(time_point at) {
  return at == never
             ? "inf"
             : fmt::format("{}", static_cast<double>(at.time_since_epoch().count()) / 1000.0);
}

class journal {
 public:
  void say(time_point at, std::string const& what) {
    lines_.push_back(fmt::format("t={} {}", in_seconds(at), what));
  }
  void complain(time_point at, std::string const& what) {
    complaints_.push_back(fmt::format("at {}: {}", in_seconds(at), what));
  }
  [[nodiscard]] std::vector<std::string> const& lines() const noexcept { return lines_; }
  [[nodiscard]] std::vector<std::string> const& complaints() const noexcept { return complaints_; }

 private:
  std::vector<std::string> lines_;
  std::vector<std::string> complaints_;
};

}  // namespace sim::scenario

BERTH_NAMESPACE_END
