// SPDX-License-Identifier: BSL-1.0
// A control: a program whose one test fails must say so to ctest.
#include <doctest/doctest.h>

TEST_CASE("this fails") {
  CHECK(1 + 1 == 3);
}
