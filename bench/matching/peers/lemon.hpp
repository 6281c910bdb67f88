// SPDX-License-Identifier: BSL-1.0
// LEMON's min-cost-flow solvers (Király and Kovács, Acta Univ. Sapientiae Informatica 4(1), 2012)
// without LEMON's headers.
#pragma once

#include <bench/matching/flow_network.hpp>

#include <cstdint>

namespace berth_bench {

/// What a solver of LEMON finds on a network, from building LEMON's graph to the optimum; -1 if
/// there is no flow that sends everything. Costs are 64-bit within: with 32 bits the artificial
/// costs of NetworkSimplex overflow.
std::int64_t lemon_network_simplex(flow_network const& network);
std::int64_t lemon_cost_scaling(flow_network const& network);
std::int64_t lemon_capacity_scaling(flow_network const& network);

}  // namespace berth_bench
