// SPDX-License-Identifier: BSL-1.0
// A checker that cannot fail proves nothing: every kind of wrong flow and wrong price is planted,
// and the certificate must name it.
#include <berth/core/cost.hpp>
#include <berth/solve/task_flow_certificate.hpp>

#include <tests/support/costs.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace task_flow_certificate_test {

namespace {

using namespace berth;
using tests::ms;

/// Machines 0 and 1 under rack 2, branch to machine 1 for 2. Task 0 takes machine 0 by its own way,
/// task 1 the rack, which leads to machine 1, task 2 stays out; total 1 + (3 + 2) + 4.
struct planted {
  std::vector<task_flow_place<gpu_time>> places{{2, 1, ms(0)}, {2, 2, ms(2)}, {no_place, 0, ms(0)}};
  std::vector<task_flow_way<gpu_time>> ways{{0, ms(1)}, {2, ms(9)}, {0, ms(9)},
                                            {2, ms(3)}, {0, ms(6)}, {}};
  std::vector<gpu_time> out{ms(20), ms(20), ms(4)};
  std::vector<std::uint32_t> machine{0, 1, no_place};
  std::vector<std::uint32_t> way{0, 1, no_place};
  std::vector<std::int32_t> flow{0, 1, 0};
  std::vector<gpu_time> price{ms(2), ms(0), ms(2)};
  gpu_time total = ms(10);
  gpu_time bound = ms(10);

  [[nodiscard]] certificate check() const {
    return certify<gpu_time>({places, ways, 2, out}, {machine, way, flow, price, total, bound});
  }
};

TEST_CASE("task_flow certificate: what is right holds") {
  CHECK(planted{}.check().defect == certificate_defect::none);
}

template <class Spoil>
certificate_defect defect_after(Spoil spoil) {
  planted wrong;
  spoil(wrong);
  return wrong.check().defect;
}

TEST_CASE("task_flow certificate: every planted mistake is named") {
  using w = planted&;
  using defect = certificate_defect;
  CHECK(defect_after([](w p) { p.machine.pop_back(); }) == defect::shape);
  CHECK(defect_after([](w p) { p.ways.pop_back(); }) == defect::shape);
  CHECK(defect_after([](w p) { p.price.pop_back(); }) == defect::shape);
  CHECK(defect_after([](w p) { p.flow.pop_back(); }) == defect::shape);
  CHECK(defect_after([](w p) { p.places[2].parent = 0; }) == defect::shape);
  CHECK(defect_after([](w p) { p.places[0].slots = -1; }) == defect::problem_range);
  CHECK(defect_after([](w p) { p.places[2].slots = 1; }) == defect::problem_range);
  CHECK(defect_after([](w p) { p.places[0].cost = gpu_time::forbidden(); }) ==
        defect::problem_range);
  CHECK(defect_after([](w p) { p.ways[0].place = 3; }) == defect::problem_range);
  CHECK(defect_after([](w p) { p.ways[0].cost = ms((std::int64_t{1} << 40) + 1); }) ==
        defect::problem_range);
  CHECK(defect_after([](w p) { p.price[0] = gpu_time::forbidden(); }) == defect::price_range);
  CHECK(defect_after([](w p) { p.machine[2] = 1; }) == defect::matching);
  CHECK(defect_after([](w p) { p.machine[0] = 1; }) == defect::matching);
  CHECK(defect_after([](w p) { p.machine[1] = 2; }) == defect::matching);
  CHECK(defect_after([](w p) { p.machine[1] = no_place; }) == defect::matching);
  CHECK(defect_after([](w p) { p.way[1] = 2; }) == defect::matching);
  CHECK(defect_after([](w p) { p.out[2] = gpu_time::forbidden(); }) == defect::forbidden_used);
  CHECK(defect_after([](w p) { p.ways[0].cost = gpu_time::forbidden(); }) ==
        defect::forbidden_used);
  CHECK(defect_after([](w p) { p.flow[1] = 2; }) == defect::conservation);
  CHECK(defect_after([](w p) { p.flow[0] = 1; }) == defect::conservation);
  CHECK(defect_after([](w p) { p.places[0].slots = 0; }) == defect::capacity);
  CHECK(defect_after([](w p) { p.price[1] = ms(-1); }) == defect::column_price_negative);
  CHECK(defect_after([](w p) { p.price[1] = ms(1); }) == defect::slackness);  // a slot is free
  CHECK(defect_after([](w p) { p.price[2] = ms(3); }) == defect::row_price_too_high);
  CHECK(defect_after([](w p) { p.price[2] = ms(1); }) == defect::slackness);  // a branch in use
  CHECK(defect_after([](w p) { p.ways[1].cost = ms(0); }) == defect::slackness);
  CHECK(defect_after([](w p) { p.out[1] = ms(4); }) == defect::slackness);
  CHECK(defect_after([](w p) { p.ways[4].cost = ms(1); }) == defect::slackness);
  CHECK(defect_after([](w p) { p.total = ms(9); }) == defect::total);
  CHECK(defect_after([](w p) { p.bound = ms(9); }) == defect::total);
}

TEST_CASE("task_flow certificate: says which task and which place") {
  planted wrong;
  wrong.ways[4].cost = ms(1);
  CHECK(wrong.check() == certificate{certificate_defect::slackness, 2, 0});
  wrong = {};
  wrong.price[1] = ms(-1);
  CHECK(wrong.check() ==
        certificate{certificate_defect::column_price_negative, certificate::nowhere, 1});
}

}  // namespace

}  // namespace task_flow_certificate_test
