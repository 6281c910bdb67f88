// SPDX-License-Identifier: BSL-1.0
// Parking costs nobody a place: whenever a tick finds nothing to look at, somebody who looks at all
// that wait finds nothing either.
#include <berth/core/random.hpp>

#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>
#include <tests/support/woken_twin.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace parking_property_test {

namespace {

using namespace tests;
using berth::acknowledgement;

/// Lives, and after every step ticks until there is nothing left to look at, then now and then
/// lets time pass without an event. Says how often that was doubted.
std::uint64_t live_in_doubt(composition const& of, byte_source& in, acknowledgement how,
                            host_habits habits) {
  auto const nodes = small_cluster(habits);
  auto const config = small_config(how);
  auto roomier = config;
  ++roomier.max_nodes;
  with_woken_twin watched{of.make(nodes, config), of.make(nodes, roomier)};
  random_host host{watched, nodes, habits};
  while (!in.dry()) {
    host.step(in);
    host.tick_until_quiet();
    host.tick();
    host.tick(in.one_of({0, 0, 1000, 200'000}));
  }
  return watched.doubted;
}

auto in_doubt(composition const& of, acknowledgement how, host_habits habits) {
  return [&of, how, habits](byte_source& in) { live_in_doubt(of, in, how, habits); };
}

}  // namespace

TEST_CASE("without preemption an idle tick overlooks nobody, whatever the jobs and nodes are") {
  BERTH_FORALL(21'000, 100, 800, in_doubt(skipping_fifo, acknowledgement::explicit_reports, {}));
  BERTH_FORALL(22'000, 100, 800, in_doubt(skipping_fifo, acknowledgement::implicit, {}));
}

// Of gangs on several nodes with victims on several of them, which are chosen depends on what they
// have lost by now: to look once more, a little later, may find a place that was not found before.
TEST_CASE("with preemption an idle tick overlooks no plain job") {
  for (composition const* const each : {&tiresias_like, &shortest_first, &classes}) {
    CAPTURE(each->name);
    host_habits habits;
    habits.one_node_gangs = true;
    BERTH_FORALL(23'000, 60, 800, in_doubt(*each, acknowledgement::explicit_reports, habits));
    BERTH_FORALL(24'000, 60, 800, in_doubt(*each, acknowledgement::implicit, habits));
  }
}

TEST_CASE("the idle ticks that are doubted are many") {
  constexpr std::uint64_t seed = 25'000;
  CAPTURE(seed);
  berth::random_source random{seed};
  std::uint64_t doubted = 0;
  for (int run = 0; run < 10; ++run) {
    std::vector<std::uint8_t> bytes(800);
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.next() >> 56);
    }
    byte_source in{bytes};
    doubted += live_in_doubt(classes, in, acknowledgement::explicit_reports, {});
  }
  CHECK(doubted > 100);
}

}  // namespace parking_property_test
