// SPDX-License-Identifier: BSL-1.0
// What must hold for every composition, whatever the host does: checked after every call by
// random_host.
#include <berth/core/random.hpp>

#include <tests/support/byte_source.hpp>
#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace random_host_test {

namespace {

using namespace tests;
using berth::acknowledgement;

auto living(composition const& of, acknowledgement how, host_habits habits) {
  return [&of, how, habits](byte_source& in) {
    auto const nodes = small_cluster(habits);
    auto const made = of.make(nodes, small_config(how));
    random_host host{*made, nodes, habits};
    host.live(in);
    host.run_out();
  };
}

TEST_CASE("a host that keeps the contract loses no job and no GPU") {
  for (composition const* const each : every_composition) {
    CAPTURE(each->name);
    BERTH_FORALL(1000, 200, 1500, living(*each, acknowledgement::explicit_reports, {}));
  }
}

TEST_CASE("a host that does not acknowledge loses no job and no GPU") {
  for (composition const* const each : every_composition) {
    CAPTURE(each->name);
    BERTH_FORALL(2000, 200, 1500, living(*each, acknowledgement::implicit, {}));
  }
}

TEST_CASE("a host that says wrong things is refused and breaks nothing") {
  for (composition const* const each : every_composition) {
    CAPTURE(each->name);
    host_habits habits;
    habits.breaks_contract = true;
    BERTH_FORALL(3000, 200, 1500, living(*each, acknowledgement::explicit_reports, habits));
  }
}

TEST_CASE("the sequences do reach orders that are withdrawn, and reservations that move") {
  std::uint64_t withdrawals = 0;
  std::uint64_t moves = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    berth::random_source random{seed};
    std::vector<std::uint8_t> bytes(1500);
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.next() >> 56);
    }
    byte_source in{bytes};
    auto const nodes = small_cluster();
    auto const made =
        classes_at_boundaries.make(nodes, small_config(acknowledgement::explicit_reports));
    random_host host{*made, nodes, {}};
    host.live(in);
    withdrawals += host.books.withdrawals;
    moves += host.books.moves;
  }
  CHECK(withdrawals > 20);
  CHECK(moves > 10);
}

}  // namespace

}  // namespace random_host_test
