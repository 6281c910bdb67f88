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

namespace {

using namespace tests;
using berth::acknowledgement;

host_habits with_epochs() {
  host_habits habits;
  habits.epochs = true;
  return habits;
}

template <class Composition>
auto living(acknowledgement how, host_habits habits) {
  return [how, habits](byte_source& in) {
    auto const nodes = small_cluster(habits);
    auto made = Composition::make(nodes, small_config(how));
    random_host host{made.value(), nodes, habits};
    host.live(in);
    host.run_out();
  };
}

template <class Composition>
auto living_in_doubt(acknowledgement how) {
  return [how](byte_source& in) {
    host_habits habits = with_epochs();
    habits.one_node_gangs = true;
    auto const nodes = small_cluster(habits);
    auto const config = small_config(how);
    auto roomier = config;
    ++roomier.max_nodes;
    with_woken_twin watched{Composition::make(nodes, config).value(),
                            Composition::make(nodes, roomier).value()};
    random_host host{watched, nodes, habits};
    while (!in.dry()) {
      host.step(in);
      host.tick_until_quiet();
      host.tick();
      host.tick(in.one_of({0, 0, 1000, 200'000}));
    }
  };
}

template <class Composition>
auto living_twice(acknowledgement how) {
  return [how](byte_source& in) {
    host_habits const habits = with_epochs();
    auto const nodes = small_cluster(habits);
    auto const make = [&] { return Composition::make(nodes, small_config(how)).value(); };
    snapshot_twins<decltype(make())> twins{make, in.byte(), 1 + in.below(8)};
    random_host host{twins, nodes, habits};
    host.live(in);
    host.run_out();
  };
}

TEST_CASE_TEMPLATE("with epochs, no job and no GPU is lost, whatever the host says", C,
                   shortest_at_epochs, weighing) {
  CAPTURE(C::name);
  host_habits wrong = with_epochs();
  wrong.breaks_contract = true;
  BERTH_FORALL(31'000, 150, 1500, living<C>(acknowledgement::explicit_reports, with_epochs()));
  BERTH_FORALL(32'000, 100, 1500, living<C>(acknowledgement::implicit, with_epochs()));
  BERTH_FORALL(33'000, 150, 1500, living<C>(acknowledgement::explicit_reports, wrong));
}

TEST_CASE_TEMPLATE("with epochs, a restored scheduler gives the plans of one never saved", C,
                   shortest_at_epochs, weighing_unlearned) {
  CAPTURE(C::name);
  BERTH_FORALL(34'000, 40, 1000, living_twice<C>(acknowledgement::explicit_reports));
  BERTH_FORALL(35'000, 25, 1000, living_twice<C>(acknowledgement::implicit));
}

TEST_CASE_TEMPLATE("with epochs, an idle tick overlooks no plain job", C, shortest_at_epochs,
                   weighing_unlearned) {
  CAPTURE(C::name);
  BERTH_FORALL(36'000, 60, 800, living_in_doubt<C>(acknowledgement::explicit_reports));
  BERTH_FORALL(37'000, 60, 800, living_in_doubt<C>(acknowledgement::implicit));
}

}  // namespace
