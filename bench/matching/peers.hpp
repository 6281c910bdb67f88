// SPDX-License-Identifier: BSL-1.0
// The public solvers that berth is compared with. A peer whose package was not found when the bench
// was built is left out.
#pragma once

#include <bench/matching/contender.hpp>
#include <bench/matching/networks.hpp>
#include <bench/matching/peers/boost_graph.hpp>
#include <bench/matching/peers/dlib.hpp>
#include <bench/matching/peers/lemon.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace berth_bench {

enum class peer : std::uint8_t {
  lemon_network_simplex,
  lemon_cost_scaling,
  lemon_capacity_scaling,
  dlib,
  boost_graph,
};
inline constexpr peer all_peers[] = {peer::lemon_network_simplex, peer::lemon_cost_scaling,
                                     peer::lemon_capacity_scaling, peer::dlib, peer::boost_graph};

[[nodiscard]] constexpr char const* to_string(peer which) noexcept {
  switch (which) {
    case peer::lemon_network_simplex: return "lemon_network_simplex";
    case peer::lemon_cost_scaling: return "lemon_cost_scaling";
    case peer::lemon_capacity_scaling: return "lemon_capacity_scaling";
    case peer::dlib: return "dlib";
    case peer::boost_graph: return "boost_graph";
  }
  return "unknown";
}

[[nodiscard]] constexpr bool is_built(peer which) noexcept {
  switch (which) {
    case peer::dlib: return BERTH_BENCH_DLIB != 0;
    case peer::boost_graph: return true;
    default: return BERTH_BENCH_LEMON != 0;
  }
}

using peer_set = std::vector<peer>;

/// Those of `peers` that are built, on `shape`. Copying the shape into their input is done here.
template <class Shape>
std::vector<std::unique_ptr<contender>> make_peers(peer_set const& peers, Shape const& shape) {
  std::vector<std::unique_ptr<contender>> made;
  std::shared_ptr<flow_network const> network;
  for (peer const which : peers) {
    if (!is_built(which)) {
      continue;
    }
    if (which == peer::dlib) {
#if BERTH_BENCH_DLIB
      if constexpr (std::same_as<Shape, dense_shape>) {
        made.push_back(std::make_unique<cold_contender<dlib_assignment>>(to_string(which), shape));
      }
#endif
      continue;
    }
    if (network == nullptr) {
      network = std::make_shared<flow_network const>(to_network(shape));
    }
    network_contender::solver solver = boost_graph_flow;
#if BERTH_BENCH_LEMON
    if (which == peer::lemon_network_simplex) {
      solver = lemon_network_simplex;
    } else if (which == peer::lemon_cost_scaling) {
      solver = lemon_cost_scaling;
    } else if (which == peer::lemon_capacity_scaling) {
      solver = lemon_capacity_scaling;
    }
#endif
    made.push_back(std::make_unique<network_contender>(to_string(which), solver, network));
  }
  return made;
}

}  // namespace berth_bench
