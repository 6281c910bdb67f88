// SPDX-License-Identifier: BSL-1.0
// Boost.Graph's min-cost flow without Boost.Graph's headers.
#pragma once

#include <bench/matching/flow_network.hpp>

#include <cstdint>

namespace berth_bench {

/// What boost::successive_shortest_path_nonnegative_weights finds on a network, from building an
/// adjacency_list to the optimum. The network must let everything be sent.
std::int64_t boost_graph_flow(flow_network const& network);

}  // namespace berth_bench
