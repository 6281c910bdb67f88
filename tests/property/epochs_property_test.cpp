// SPDX-License-Identifier: BSL-1.0
// The properties of every composition for one whose jobs have epochs, state and data: stops wait
// for boundaries, prices change with the clock and with who else leaves, jobs come back to their
// caches.
#include <tests/support/byte_source.hpp>
#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>
#include <tests/support/snapshot_twins.hpp>
#include <tests/support/woken_twin.hpp>

#include <doctest/doctest.h>

namespace epochs_property_test {

namespace {

using namespace tests;
using berth::acknowledgement;

host_habits with_epochs() {
  host_habits habits;
  habits.epochs = true;
  return habits;
}

auto living(composition const& of, acknowledgement how, host_habits habits) {
  return [&of, how, habits](byte_source& in) {
    auto const nodes = small_cluster(habits);
    auto const made = of.make(nodes, small_config(how));
    random_host host{*made, nodes, habits};
    host.live(in);
    host.run_out();
  };
}

auto living_in_doubt(composition const& of, acknowledgement how) {
  return [&of, how](byte_source& in) {
    host_habits habits = with_epochs();
    habits.one_node_gangs = true;
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
  };
}

auto living_twice(composition const& of, acknowledgement how) {
  return [&of, how](byte_source& in) {
    host_habits const habits = with_epochs();
    auto const nodes = small_cluster(habits);
    auto const make = [&] { return of.make(nodes, small_config(how)); };
    snapshot_twins twins{make, in.byte(), 1 + in.below(8)};
    random_host host{twins, nodes, habits};
    host.live(in);
    host.run_out();
  };
}

TEST_CASE("with epochs, no job and no GPU is lost, whatever the host says") {
  for (composition const* const each : {&shortest_at_epochs, &weighing}) {
    CAPTURE(each->name);
    host_habits wrong = with_epochs();
    wrong.breaks_contract = true;
    BERTH_FORALL(31'000, 150, 1500,
                 living(*each, acknowledgement::explicit_reports, with_epochs()));
    BERTH_FORALL(32'000, 100, 1500, living(*each, acknowledgement::implicit, with_epochs()));
    BERTH_FORALL(33'000, 150, 1500, living(*each, acknowledgement::explicit_reports, wrong));
  }
}

TEST_CASE("with epochs, a restored scheduler gives the plans of one never saved") {
  for (composition const* const each : {&shortest_at_epochs, &weighing_unlearned}) {
    CAPTURE(each->name);
    BERTH_FORALL(34'000, 40, 1000, living_twice(*each, acknowledgement::explicit_reports));
    BERTH_FORALL(35'000, 25, 1000, living_twice(*each, acknowledgement::implicit));
  }
}

TEST_CASE("with epochs, an idle tick overlooks no plain job") {
  for (composition const* const each : {&shortest_at_epochs, &weighing_unlearned}) {
    CAPTURE(each->name);
    BERTH_FORALL(36'000, 60, 800, living_in_doubt(*each, acknowledgement::explicit_reports));
    BERTH_FORALL(37'000, 60, 800, living_in_doubt(*each, acknowledgement::implicit));
  }
}

}  // namespace

}  // namespace epochs_property_test
