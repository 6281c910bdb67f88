// SPDX-License-Identifier: BSL-1.0
// A scheduler that was saved and restored decides as if it had never been.
#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>
#include <tests/support/snapshot_twins.hpp>

#include <doctest/doctest.h>

namespace snapshot_property_test {

namespace {

using namespace tests;
using berth::acknowledgement;

auto living(composition const& of, acknowledgement how, host_habits habits) {
  return [&of, how, habits](byte_source& in) {
    auto const nodes = small_cluster(habits);
    auto const make = [&] { return of.make(nodes, small_config(how)); };
    snapshot_twins twins{make, in.byte(), 1 + in.below(8)};
    random_host host{twins, nodes, habits};
    host.live(in);
    host.run_out();
  };
}

TEST_CASE("a restored scheduler gives the plans of one that was never saved") {
  for (composition const* const each : every_composition_unlearned) {
    CAPTURE(each->name);
    BERTH_FORALL(7000, 40, 1000, living(*each, acknowledgement::explicit_reports, {}));
  }
}

TEST_CASE("so it does without acknowledgements") {
  for (composition const* const each : every_composition_unlearned) {
    CAPTURE(each->name);
    BERTH_FORALL(8000, 25, 1000, living(*each, acknowledgement::implicit, {}));
  }
}

TEST_CASE("so it does when the host says wrong things") {
  host_habits habits;
  habits.breaks_contract = true;
  BERTH_FORALL(9000, 40, 1000,
               living(classes_with_promise, acknowledgement::explicit_reports, habits));
  BERTH_FORALL(9500, 40, 1000,
               living(classes_at_boundaries, acknowledgement::explicit_reports, habits));
}

}  // namespace

}  // namespace snapshot_property_test
