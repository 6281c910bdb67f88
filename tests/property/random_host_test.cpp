// SPDX-License-Identifier: BSL-1.0
// What must hold for every composition, whatever the host does: checked after every call by
// random_host.
#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>

#include <doctest/doctest.h>

namespace {

using namespace tests;
using berth::acknowledgement;

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

TEST_CASE_TEMPLATE("a host that keeps the contract loses no job and no GPU", C, strict_fifo,
                   backfill, tiresias_like, shortest_first, classes, classes_with_promise) {
  CAPTURE(C::name);
  BERTH_FORALL(1000, 200, 1500, living<C>(acknowledgement::explicit_reports, {}));
}

TEST_CASE_TEMPLATE("a host that does not acknowledge loses no job and no GPU", C, strict_fifo,
                   backfill, tiresias_like, shortest_first, classes, classes_with_promise) {
  CAPTURE(C::name);
  BERTH_FORALL(2000, 200, 1500, living<C>(acknowledgement::implicit, {}));
}

TEST_CASE_TEMPLATE("a host that says wrong things is refused and breaks nothing", C, strict_fifo,
                   backfill, tiresias_like, shortest_first, classes, classes_with_promise) {
  CAPTURE(C::name);
  host_habits habits;
  habits.breaks_contract = true;
  BERTH_FORALL(3000, 200, 1500, living<C>(acknowledgement::explicit_reports, habits));
}

}  // namespace
