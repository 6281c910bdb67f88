// SPDX-License-Identifier: BSL-1.0
// Numbers of a trace, read strictly: the whole text must be the number, and it must be in range. A
// reader that guesses turns a broken trace into a plausible result.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

/// What is wrong with a text, or nullptr. The texts live for ever.
using complaint = char const*;

template <class Number>
[[nodiscard]] complaint parse_whole(std::string_view text, Number& out) noexcept {
  if (text.empty()) {
    return "is empty";
  }
  char const* const end = text.data() + text.size();
  auto const [stop, code] = std::from_chars(text.data(), end, out);
  if (code == std::errc::result_out_of_range) {
    return "is out of range";
  }
  if (code != std::errc{}) {
    return "is not a number";
  }
  return stop == end ? nullptr : "has something behind the number";
}

[[nodiscard]] inline complaint parse_integer(
    std::string_view text, std::int64_t& out,
    std::int64_t high = std::numeric_limits<std::int64_t>::max()) noexcept {
  std::int64_t value = 0;
  if (complaint const wrong = parse_whole(text, value)) {
    return wrong;
  }
  if (value < 0) {
    return "is negative";
  }
  if (value > high) {
    return "is out of range";
  }
  out = value;
  return nullptr;
}

/// A number of GPUs. Zero is refused here; readers for which it means "no GPU job" ask for an
/// integer.
[[nodiscard]] inline complaint parse_gpus(std::string_view text, std::int32_t& out) noexcept {
  std::int64_t value = 0;
  if (complaint const wrong =
          parse_integer(text, value, std::numeric_limits<std::int32_t>::max())) {
    return wrong;
  }
  if (value == 0) {
    return "is zero";
  }
  out = static_cast<std::int32_t>(value);
  return nullptr;
}

[[nodiscard]] inline complaint parse_real(std::string_view text, double& out) noexcept {
  double value = 0;
  if (complaint const wrong = parse_whole(text, value)) {
    return wrong;
  }
  if (!std::isfinite(value)) {
    return "is not finite";
  }
  if (value < 0) {
    return "is negative";
  }
  out = value;
  return nullptr;
}

/// Seconds to milliseconds, rounded to the nearest; one multiplication, so the same everywhere.
[[nodiscard]] inline complaint milliseconds_of(double seconds, duration& out,
                                               duration high = max_duration) noexcept {
  double const value = std::round(seconds * 1000.0);
  if (!(value <= static_cast<double>(high.count()))) {
    return "is out of range";
  }
  out = duration{static_cast<std::int64_t>(value)};
  return nullptr;
}

/// Seconds, perhaps with a fraction.
[[nodiscard]] inline complaint parse_seconds(std::string_view text, duration& out,
                                             duration high = max_duration) noexcept {
  double seconds = 0;
  complaint const wrong = parse_real(text, seconds);
  return wrong != nullptr ? wrong : milliseconds_of(seconds, out, high);
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
