// SPDX-License-Identifier: BSL-1.0
#include <bench/matching/peers/boost_graph.hpp>

#include <cstddef>
#include <cstdint>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>

namespace berth_bench {
namespace {

using traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using arc = traits::edge_descriptor;
using arc_properties = boost::property<
    boost::edge_capacity_t, std::int64_t,
    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                    boost::property<boost::edge_reverse_t, arc,
                                    boost::property<boost::edge_weight_t, std::int64_t>>>>;
using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    arc_properties>;

void add_arc(graph& into, std::size_t from, std::size_t to, std::int64_t room,
             std::int64_t per_unit) {
  arc const forth = boost::add_edge(from, to, into).first;
  arc const back = boost::add_edge(to, from, into).first;
  boost::put(boost::edge_capacity, into, forth, room);
  boost::put(boost::edge_capacity, into, back, 0);
  boost::put(boost::edge_weight, into, forth, per_unit);
  boost::put(boost::edge_weight, into, back, -per_unit);
  boost::put(boost::edge_reverse, into, forth, back);
  boost::put(boost::edge_reverse, into, back, forth);
}

}  // namespace

std::int64_t boost_graph_flow(flow_network const& network) {
  std::size_t const nodes = network.supply.size();
  graph built(nodes + 2);  // a source and a sink besides
  for (std::size_t i = 0; i < network.arcs.size(); ++i) {
    add_arc(built, static_cast<std::size_t>(network.arcs[i].first),
            static_cast<std::size_t>(network.arcs[i].second), network.capacity[i], network.cost[i]);
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    if (network.supply[node] > 0) {
      add_arc(built, nodes, node, network.supply[node], 0);
    } else if (network.supply[node] < 0) {
      add_arc(built, node, nodes + 1, -network.supply[node], 0);
    }
  }
  boost::successive_shortest_path_nonnegative_weights(built, nodes, nodes + 1);
  std::int64_t cost = 0;
  auto const [first, last] = boost::edges(built);
  for (auto edge = first; edge != last; ++edge) {
    std::int64_t const units = boost::get(boost::edge_capacity, built, *edge) -
                               boost::get(boost::edge_residual_capacity, built, *edge);
    cost += units > 0 ? units * boost::get(boost::edge_weight, built, *edge) : 0;
  }
  return cost;
}

}  // namespace berth_bench
