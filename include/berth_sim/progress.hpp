// SPDX-License-Identifier: BSL-1.0
// A progress bar on the terminal, and nothing at all where nobody looks: in a pipe, a log file, a
// CI job.
#pragma once

#include <berth/core/config.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

[[nodiscard]] inline std::string clock_text(double seconds) {
  auto const whole = static_cast<std::int64_t>(std::clamp(seconds, 0.0, 359'999.0));
  return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                       : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// "label [=====>    ]  42 %  1234/s  ETA 0:07", without control characters. `elapsed` in seconds.
[[nodiscard]] inline std::string progress_text(std::string_view label, std::int64_t done,
                                               std::int64_t total, double elapsed) {
  constexpr std::int64_t width = 28;
  std::int64_t const reached = std::clamp<std::int64_t>(done, 0, std::max<std::int64_t>(total, 0));
  double const part = total > 0 ? static_cast<double>(reached) / static_cast<double>(total) : 1.0;
  auto const filled = static_cast<std::size_t>(part * static_cast<double>(width));
  std::string bar(filled, '=');
  bar.resize(static_cast<std::size_t>(width), ' ');
  if (filled < bar.size()) {
    bar[filled] = '>';
  }
  double const rate = elapsed > 0 ? static_cast<double>(reached) / elapsed : 0.0;
  std::string const eta =
      rate > 0 ? clock_text(static_cast<double>(total - reached) / rate) : std::string{"-:--"};
  return fmt::format("{} [{}] {:3.0f} %  {:.0f}/s  ETA {}", label, bar, part * 100, rate, eta);
}

}  // namespace detail

/// Draws on stderr, at most ten times a second, if stderr is a terminal. A call that draws nothing
/// costs one reading of a clock.
class progress_bar {
 public:
  progress_bar(std::string label, std::int64_t total)
      : label_{std::move(label)},
        total_{total},
        visible_{isatty(STDERR_FILENO) == 1},
        start_{clock::now()},
        drawn_{start_} {}

  progress_bar(progress_bar const&) = delete;
  progress_bar& operator=(progress_bar const&) = delete;
  ~progress_bar() { finish(); }

  void advance_to(std::int64_t done) {
    if (!visible_) {
      return;
    }
    auto const now = clock::now();
    if (now - drawn_ >= std::chrono::milliseconds{100}) {
      drawn_ = now;
      std::string const text = detail::progress_text(
          label_, done, total_, std::chrono::duration<double>(now - start_).count());
      std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
      std::fflush(stderr);
    }
  }

  /// Wipes the bar, so that what is printed next starts on a clean line. Again: nothing.
  void finish() noexcept {
    if (std::exchange(visible_, false)) {
      std::fputs("\r\x1b[K", stderr);
      std::fflush(stderr);
    }
  }

 private:
  using clock = std::chrono::steady_clock;
  std::string label_;
  std::int64_t total_;
  bool visible_;
  clock::time_point start_;
  clock::time_point drawn_;
};

}  // namespace sim

BERTH_NAMESPACE_END
