// SPDX-License-Identifier: BSL-1.0
// A scheduler that was saved and restored decides as if it had never been.
#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>
#include <tests/support/snapshot_twins.hpp>

#include <doctest/doctest.h>

namespace {

using namespace tests;
using berth::acknowledgement;

template <class Composition>
auto living(acknowledgement how, host_habits habits) {
  return [how, habits](byte_source& in) {
    auto const nodes = small_cluster(habits);
    auto const make = [&] { return Composition::make(nodes, small_config(how)).value(); };
    snapshot_twins<decltype(make())> twins{make, in.byte(), 1 + in.below(8)};
    random_host host{twins, nodes, habits};
    host.live(in);
    host.run_out();
  };
}

TEST_CASE_TEMPLATE("a restored scheduler gives the plans of one that was never saved", C,
                   strict_fifo, backfill, tiresias_like, shortest_first, classes,
                   classes_at_boundaries, classes_with_promise, weighing_unlearned) {
  CAPTURE(C::name);
  BERTH_FORALL(7000, 40, 1000, living<C>(acknowledgement::explicit_reports, {}));
}

TEST_CASE_TEMPLATE("so it does without acknowledgements", C, strict_fifo, backfill, tiresias_like,
                   shortest_first, classes, classes_at_boundaries, classes_with_promise,
                   weighing_unlearned) {
  CAPTURE(C::name);
  BERTH_FORALL(8000, 25, 1000, living<C>(acknowledgement::implicit, {}));
}

TEST_CASE("so it does when the host says wrong things") {
  host_habits habits;
  habits.breaks_contract = true;
  BERTH_FORALL(9000, 40, 1000,
               living<classes_with_promise>(acknowledgement::explicit_reports, habits));
  BERTH_FORALL(9500, 40, 1000,
               living<classes_at_boundaries>(acknowledgement::explicit_reports, habits));
}

}  // namespace
