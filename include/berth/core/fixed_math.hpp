// SPDX-License-Identifier: BSL-1.0
// Logarithm and exponential of doubles, the same bits on every compiler and at every level of
// optimisation: the last digit of std::log and std::exp is the library's own business.
#pragma once

#include <berth/core/config.hpp>

#include <bit>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// A product that no compiler fuses with a sum, whatever -ffp-contract says: it is rounded before
/// it leaves the function. With it, + - * / and sqrt on doubles are the same everywhere.
[[nodiscard, gnu::noinline]] inline double rounded_product(double a, double b) noexcept {
  return a * b;
}

// ln 2 in two parts; the first has so few digits that a whole number times it is exact.
inline constexpr double ln2_high = 0x1.62e42feep-1;
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;
inline constexpr double log2_e = 0x1.71547652b82fep+0;

/// 2 · artanh(s) = 2 s (1 + s²/3 + s⁴/5 + …), for |s| up to 0.1716: the terms left out are below
/// 1e-18 of the sum.
[[nodiscard]] inline double twice_artanh(double s) noexcept {
  constexpr double weights[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  double const square = rounded_product(s, s);
  double tail = 0.0;
  for (int i = 9; i >= 0; --i) {
    tail = rounded_product(tail + weights[i], square);
  }
  return 2.0 * (s + rounded_product(s, tail));
}

/// ln x, to about one unit in the last place. Precondition: x is positive, finite and no denormal.
[[nodiscard]] inline double fixed_log(double x) noexcept {
  auto const bits = std::bit_cast<std::uint64_t>(x);
  int octave = static_cast<int>(bits >> 52) - 1023;
  auto const one = std::uint64_t{1023} << 52;
  double mantissa = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | one);
  if (mantissa > 0x1.6a09e667f3bcdp+0) {  // the root of 2
    mantissa /= 2.0;
    ++octave;
  }
  double const s = (mantissa - 1.0) / (mantissa + 1.0);
  return rounded_product(octave, ln2_high) + (rounded_product(octave, ln2_low) + twice_artanh(s));
}

/// ln(1 + x) for x in [0, 1], exact for small x too.
[[nodiscard]] inline double fixed_log_of_one_plus(double x) noexcept {
  return x > 0.41 ? fixed_log(1.0 + x) : twice_artanh(x / (2.0 + x));
}

/// e^x, to about one unit in the last place; beyond ±700 as at ±700.
[[nodiscard]] inline double fixed_exp(double x) noexcept {
  double const bounded = x < -700.0 ? -700.0 : (x > 700.0 ? 700.0 : x);
  int const octave =
      static_cast<int>(rounded_product(bounded, log2_e) + (bounded < 0.0 ? -0.5 : 0.5));
  double const rest =
      (bounded - rounded_product(octave, ln2_high)) - rounded_product(octave, ln2_low);
  constexpr double weights[] = {1.0,
                                1.0 / 2,
                                1.0 / 6,
                                1.0 / 24,
                                1.0 / 120,
                                1.0 / 720,
                                1.0 / 5040,
                                1.0 / 40320,
                                1.0 / 362880,
                                1.0 / 3628800,
                                1.0 / 39916800,
                                1.0 / 479001600,
                                1.0 / 6227020800.0};
  double sum = 0.0;  // of rest^k / k!, k from 1; |rest| is at most 0.35
  for (int i = 12; i >= 0; --i) {
    sum = rounded_product(sum + weights[i], rest);
  }
  auto const power = static_cast<std::uint64_t>(octave + 1023) << 52;
  return rounded_product(1.0 + sum, std::bit_cast<double>(power));
}

}  // namespace detail
BERTH_NAMESPACE_END
