// SPDX-License-Identifier: BSL-1.0
// Logarithm and exponential of a fixed form, beside those of the standard library.
#include <berth/core/fixed_math.hpp>
#include <berth/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

namespace fixed_math_test {

namespace {

using namespace berth;

bool agrees(double a, double b, double relative) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}
double uniform(random_source& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.below(1'000'001)) / 1e6;
}

TEST_CASE(
    "fixed_math: logarithm and exponential are those of the standard library to a few last "
    "places") {
  random_source random{11};
  for (int i = 0; i < 20'000; ++i) {
    double const x = std::exp(uniform(random, -300.0, 300.0));
    CHECK(agrees(detail::fixed_log(x), std::log(x), 4e-16));
    double const y = uniform(random, -690.0, 690.0);
    CHECK(agrees(detail::fixed_exp(y), std::exp(y), 8e-16));
    double const z = std::exp(uniform(random, -40.0, 0.0));
    CHECK(agrees(detail::fixed_log_of_one_plus(z), std::log1p(z), 6e-16));
  }
  CHECK(detail::fixed_log(1.0) == 0.0);
  CHECK(detail::fixed_exp(0.0) == 1.0);
  CHECK(detail::fixed_log_of_one_plus(0.0) == 0.0);
  CHECK(detail::fixed_exp(-1e300) > 0.0);
  CHECK(detail::fixed_exp(1e300) < std::numeric_limits<double>::infinity());
}

}  // namespace

}  // namespace fixed_math_test
