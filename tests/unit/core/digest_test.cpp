// SPDX-License-Identifier: BSL-1.0
// Pinned: a digest that changes between versions breaks every golden test.
#include <berth/core/digest.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace digest_test {

using berth::digest;

namespace {
template <class... Ts>
std::uint64_t digest_of(Ts... values) {
  digest d;
  (d.add(values), ...);
  return d.value();
}
enum class colour : std::uint8_t { red = 1 };
}  // namespace

TEST_CASE("digest: values are pinned") {
  CHECK(digest{}.value() == 0u);
  CHECK(digest_of(0) == 0xc5641f910756d49fu);
  CHECK(digest_of(1, 2) == 0x8fec9b0366cbe154u);
  CHECK(digest_of(2, 1) == 0x560fdc183ce35952u);
  CHECK(digest_of(-1) == 0xb787932277e94a34u);
}

TEST_CASE("digest: order and length matter") {
  CHECK(digest_of(1, 2) != digest_of(2, 1));
  CHECK(digest_of(0) != digest_of(0, 0));
  CHECK(digest_of() != digest_of(0));
  CHECK(digest_of(1, 0) != digest_of(0, 1));
}

TEST_CASE("digest: the type of a number does not matter, only its value") {
  CHECK(digest_of(std::int8_t{-1}) == digest_of(std::int64_t{-1}));
  CHECK(digest_of(std::uint8_t{1}) == digest_of(std::int64_t{1}));
  CHECK(digest_of(colour::red) == digest_of(1));
  digest word;
  word.add_word(std::numeric_limits<std::uint64_t>::max());
  CHECK(word.value() == digest_of(-1));
}

TEST_CASE("digest: reading it does not change it") {
  digest d;
  d.add(1);
  std::uint64_t const first = d.value();
  CHECK(d.value() == first);
}

TEST_CASE("digest: single-bit differences are seen in every position") {
  for (int bit = 0; bit < 64; ++bit) {
    digest d;
    d.add_word(std::uint64_t{1} << bit);
    CHECK(d.value() != digest_of(0));
    for (int other = 0; other < bit; ++other) {
      digest e;
      e.add_word(std::uint64_t{1} << other);
      CHECK(d.value() != e.value());
    }
  }
}

}  // namespace digest_test
