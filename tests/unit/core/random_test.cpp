// SPDX-License-Identifier: BSL-1.0
// Pinned values: a seed means the same everywhere and for ever.
#include <berth/core/random.hpp>

#include <array>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace random_test {

using berth::random_source;

TEST_CASE("random_source: is SplitMix64") {
  random_source zero{0};
  CHECK(zero.next() == 0xe220a8397b1dcdafu);
  CHECK(zero.next() == 0x6e789e6aa1b965f4u);
  CHECK(zero.next() == 0x06c45d188009454fu);
  random_source other{1234567};
  CHECK(other.next() == 6457827717110365317u);
  CHECK(other.next() == 3203168211198807973u);
  CHECK(other.next() == 9817491932198370423u);
}

TEST_CASE("random_source: derived numbers are pinned as well") {
  random_source a{7};
  for (std::uint64_t const expected : {7u, 4u, 6u, 3u, 4u, 5u}) {
    CHECK(a.below(10) == expected);
  }
  random_source b{7};
  for (int const expected : {-3, -5, -5, -5, 2, 2}) {
    CHECK(b.between(-5, 5) == expected);
  }
  random_source c{7};
  CHECK(c.unit() == 0.3898297483912715);
  CHECK(c.unit() == 0.01678829452815611);
}

TEST_CASE("below: within the bound, every value drawn, 0 for a bound of 0") {
  random_source source{11};
  std::array<int, 7> drawn{};
  for (int i = 0; i < 7000; ++i) {
    std::uint64_t const value = source.below(7);
    REQUIRE(value < 7);
    ++drawn[value];
  }
  for (int const count : drawn) {
    CHECK(count > 850);
    CHECK(count < 1150);
  }
  CHECK(source.below(0) == 0);
  CHECK(source.below(1) == 0);
}

TEST_CASE("below: a bound above 2^63 is not favoured in its lower part") {
  // Without rejection, values below 2^64 - bound would be drawn twice as often as the others.
  random_source source{13};
  std::uint64_t const bound = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62);
  int low = 0;
  for (int i = 0; i < 3000; ++i) {
    std::uint64_t const value = source.below(bound);
    REQUIRE(value < bound);
    low += value < bound / 3 ? 1 : 0;
  }
  CHECK(low > 850);
  CHECK(low < 1150);
}

TEST_CASE("between: both ends are reached, and the whole range of 64 bits is allowed") {
  random_source source{17};
  bool low = false;
  bool high = false;
  for (int i = 0; i < 200; ++i) {
    std::int64_t const value = source.between(-2, 2);
    REQUIRE(value >= -2);
    REQUIRE(value <= 2);
    low = low || value == -2;
    high = high || value == 2;
  }
  CHECK(low);
  CHECK(high);
  CHECK(source.between(5, 5) == 5);
  bool negative = false;
  bool positive = false;
  for (int i = 0; i < 64; ++i) {
    std::int64_t const value = source.between(std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max());
    negative = negative || value < 0;
    positive = positive || value > 0;
  }
  CHECK(negative);
  CHECK(positive);
}

TEST_CASE("unit: in [0, 1)") {
  random_source source{19};
  double sum = 0;
  for (int i = 0; i < 4000; ++i) {
    double const value = source.unit();
    REQUIRE(value >= 0.0);
    REQUIRE(value < 1.0);
    sum += value;
  }
  CHECK(sum / 4000 > 0.48);
  CHECK(sum / 4000 < 0.52);
}

}  // namespace random_test
