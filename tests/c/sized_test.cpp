// SPDX-License-Identifier: BSL-1.0
// Structs that grow: the header of yesterday with the library of today.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <doctest/doctest.h>
#include <src/c/sized.hpp>

namespace {

struct first_edition {
  std::uint32_t size;
  std::int32_t old;
};
struct grown {
  std::uint32_t size;
  std::int32_t old;
  std::int64_t fresh;
};

}  // namespace

template <>
inline constexpr std::size_t berth::c_api::first_size<grown> = sizeof(first_edition);

TEST_CASE("what an older caller does not know keeps its default") {
  first_edition const given{sizeof(first_edition), 7};
  grown read{sizeof(grown), 1, 2};
  CHECK(berth::c_api::read_struct(&given, read) == BERTH_OK);
  CHECK(read.old == 7);
  CHECK(read.fresh == 2);
}

TEST_CASE("what an older caller has no room for is not written") {
  struct {
    first_edition answer{sizeof(first_edition), 0};
    std::int64_t beyond = 42;
  } memory;
  CHECK(berth::c_api::write_struct(grown{0, 7, 8}, &memory.answer) == BERTH_OK);
  CHECK(memory.answer.size == sizeof(first_edition));
  CHECK(memory.answer.old == 7);
  CHECK(memory.beyond == 42);
  CHECK(berth::c_api::init_struct(grown{0, 9, 8}, &memory.answer, sizeof memory.answer) ==
        BERTH_OK);
  CHECK(memory.answer.old == 9);
  CHECK(memory.beyond == 42);
}

TEST_CASE("a size from before the first edition or after the last is refused") {
  grown read{};
  for (std::uint32_t const size : {0u, 4u, 7u, 17u, 1u << 20, ~0u}) {
    CAPTURE(size);
    grown given{size, 7, 8};
    CHECK(berth::c_api::read_struct(&given, read) == BERTH_BAD_SIZE);
    CHECK(berth::c_api::write_struct(grown{}, &given) == BERTH_BAD_SIZE);
    CHECK(given.old == 7);
  }
}
