// SPDX-License-Identifier: BSL-1.0
// Which placements count as the same.
#include <berth_sim/elastic/placement_shape.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <doctest/doctest.h>

namespace placement_shape_test {

using berth::sim::placement_shape;

namespace {

placement_shape shape(std::vector<std::int32_t> const& nodes) {
  return placement_shape::of(nodes);
}

}  // namespace

TEST_CASE("placement_shape: a ring has no first node, but a direction") {
  CHECK(shape({4, 2}) == shape({2, 4}));
  CHECK(shape({3, 1, 2}) == shape({1, 2, 3}));
  CHECK(shape({3, 2, 1}) != shape({1, 2, 3}));
  CHECK(shape({0, 4, 0, 2, 0}) == shape({2, 4}));
  CHECK(shape({4, 2}).order == 24);
  CHECK(shape({4, 2}).nodes == 2);
  CHECK(shape({4, 2}).gpus == 6);
}

TEST_CASE("placement_shape: on one to four nodes with one to four GPUs there are 108") {
  std::set<std::int32_t> orders;
  for (int number = 1; number < 625; ++number) {
    std::array<std::int32_t, 4> const digits{number % 5, number / 5 % 5, number / 25 % 5,
                                             number / 125};
    orders.insert(placement_shape::of(digits).order);
  }
  CHECK(orders.size() == 108);
}

TEST_CASE("placement_shape: beyond four nodes only how many nodes and GPUs counts") {
  CHECK(shape({4, 4, 4, 4, 1}) == shape({3, 3, 4, 4, 3}));
  CHECK(shape({4, 4, 4, 4, 1}).order == 0);
  CHECK(shape({4, 4, 4, 4, 1}) != shape({4, 4, 4, 4, 2}));
  CHECK(shape({}).is_empty());
}

TEST_CASE("placement_shape: GPUs five to eight of a node are another node") {
  CHECK(shape({8}) == shape({4, 4}));
  CHECK(shape({5, 1}) == shape({4, 1, 1}));
  CHECK(placement_shape::packed(8, 8) == shape({4, 4}));
}

TEST_CASE("placement_shape: packed is what filling nodes gives") {
  for (std::int32_t per_node : {1, 2, 3, 4, 8}) {
    for (std::int32_t gpus = 0; gpus <= 40; ++gpus) {
      std::vector<std::int32_t> nodes;
      for (std::int32_t left = gpus; left > 0; left -= per_node) {
        nodes.push_back(std::min(left, per_node));
      }
      CAPTURE(per_node);
      CAPTURE(gpus);
      CHECK(placement_shape::packed(gpus, per_node) == shape(nodes));
    }
  }
}

}  // namespace placement_shape_test
