// SPDX-License-Identifier: BSL-1.0
// berth's `now`: milliseconds since 1970 when the agent starts, and from then on by a clock that
// nobody sets. Steps of the wall clock do not reach berth.
#pragma once

#include <berth/core/time.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace slurm_agent {

class agent_clock {
 public:
  [[nodiscard]] berth::time_point now() const {
    auto const passed = std::chrono::steady_clock::now() - begin_;
    return base_ + std::chrono::duration_cast<berth::duration>(passed);
  }
  /// Never before `earliest`: a restored scheduler has been there.
  void start_from(berth::time_point earliest) {
    base_ = std::max(now(), earliest);
    begin_ = std::chrono::steady_clock::now();
  }
  /// For Slurm's own times, which are of this kind.
  [[nodiscard]] static std::int64_t unix_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  berth::time_point base_{std::chrono::seconds{unix_seconds()}};
};

}  // namespace slurm_agent
