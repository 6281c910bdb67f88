// SPDX-License-Identifier: BSL-1.0
// Distance in the tree node ⊂ rack ⊂ cluster.
#include <berth/core/ids.hpp>
#include <berth/model/topology.hpp>

#include <doctest/doctest.h>

namespace topology_test {

using namespace berth;

TEST_CASE("common_domain and distance: node, rack, cluster") {
  tree_position const here{1, rack_id{5}};
  tree_position const neighbour{2, rack_id{5}};
  tree_position const far{3, rack_id{6}};
  CHECK(common_domain(here, here) == locality::node);
  CHECK(common_domain(here, neighbour) == locality::rack);
  CHECK(common_domain(here, far) == locality::cluster);
  CHECK(distance(here, here) == 0);
  CHECK(distance(here, neighbour) == 1);
  CHECK(distance(here, far) == 2);
  CHECK(distance(far, here) == distance(here, far));
}

}  // namespace topology_test
