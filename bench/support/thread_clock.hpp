// SPDX-License-Identifier: BSL-1.0
// Time that this thread has spent on a processor: what other programs do meanwhile does not count.
#pragma once

#include <ctime>

namespace berth_bench {

[[nodiscard]] inline double microseconds_of(clockid_t clock) noexcept {
  std::timespec at{};
  clock_gettime(clock, &at);
  return static_cast<double>(at.tv_sec) * 1e6 + static_cast<double>(at.tv_nsec) * 1e-3;
}

[[nodiscard]] inline double thread_microseconds() noexcept {
  return microseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/// Of the wall: asking for it is quick.
[[nodiscard]] inline double wall_microseconds() noexcept {
  return microseconds_of(CLOCK_MONOTONIC);
}

}  // namespace berth_bench
