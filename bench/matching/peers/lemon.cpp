// SPDX-License-Identifier: BSL-1.0
// C++17: LEMON 1.3.1 uses members of std::allocator that C++20 took away.
#include <bench/matching/peers/lemon.hpp>

#include <cstdint>
#include <vector>

#include <lemon/capacity_scaling.h>
#include <lemon/cost_scaling.h>
#include <lemon/network_simplex.h>
#include <lemon/static_graph.h>

namespace berth_bench {
namespace {

using graph = lemon::StaticDigraph;  // the fastest of LEMON's graphs to build and to walk

/// A map of LEMON over numbers that are there already: copying them into one of LEMON's own would
/// only cost time.
template <class Item, class Of>
class number_map {
 public:
  using Key = Item;
  using Value = Of;
  explicit number_map(std::vector<std::int32_t> const& numbers) : numbers_{&numbers} {}
  Value operator[](Key item) const {
    return Of{(*numbers_)[static_cast<std::size_t>(graph::id(item))]};
  }

 private:
  std::vector<std::int32_t> const* numbers_;
};

template <class Solver>
std::int64_t least_cost(flow_network const& network) {
  graph built;
  built.build(network.nodes(), network.arcs.begin(), network.arcs.end());
  Solver solver{built};
  solver.upperMap(number_map<graph::Arc, std::int32_t>{network.capacity})
      .costMap(number_map<graph::Arc, std::int64_t>{network.cost})
      .supplyMap(number_map<graph::Node, std::int32_t>{network.supply});
  if (solver.run() != Solver::OPTIMAL) {
    return -1;
  }
  return solver.template totalCost<std::int64_t>();
}

}  // namespace

std::int64_t lemon_network_simplex(flow_network const& network) {
  return least_cost<lemon::NetworkSimplex<graph, std::int32_t, std::int64_t>>(network);
}

std::int64_t lemon_cost_scaling(flow_network const& network) {
  return least_cost<lemon::CostScaling<graph, std::int32_t, std::int64_t>>(network);
}

std::int64_t lemon_capacity_scaling(flow_network const& network) {
  return least_cost<lemon::CapacityScaling<graph, std::int32_t, std::int64_t>>(network);
}

}  // namespace berth_bench
