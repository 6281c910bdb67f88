// SPDX-License-Identifier: BSL-1.0
// Saving and restoring allocate nothing, whether the bytes are good or not.
#include <tests/support/compositions.hpp>
#include <tests/support/counting_new.hpp>
#include <tests/support/random_host.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace snapshot_alloc_test {

namespace {

using namespace tests;

TEST_CASE("snapshot and restore allocate nothing") {
  auto const nodes = small_cluster();
  auto const config = small_config(berth::acknowledgement::explicit_reports);
  auto const made = classes_with_promise.make(nodes, config);
  auto const other = classes_with_promise.make(nodes, config);
  random_host host{*made, nodes, {}};
  berth::random_source random{17};
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint8_t> bytes(64);
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.next() >> 56);
    }
    byte_source in{bytes};
    host.live(in);
    CAPTURE(round);
    std::vector<std::byte> room(made->snapshot_size() + 10);
    std::vector<std::byte> bad = room;
    auto const before = allocations();
    auto const written = made->snapshot(room);
    bool const small = made->snapshot(std::span{bad}.first(10)).has_value();
    bool const refused = other->restore(bad).has_value();
    bool const restored = other->restore(std::span{room}.first(written.value())).has_value();
    auto const after = allocations();
    CHECK(!small);
    CHECK(!refused);
    CHECK(restored);
    CHECK(after == before);
  }
}

}  // namespace

}  // namespace snapshot_alloc_test
