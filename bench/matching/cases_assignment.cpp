// SPDX-License-Identifier: BSL-1.0
// Shapes S1 and S2: dense assignment.
#include <bench/matching/berth_assignment.hpp>
#include <bench/matching/cases.hpp>
#include <bench/matching/shapes/dense.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace berth_bench {
namespace {

constexpr dense_kind kinds[] = {dense_kind::uniform, dense_kind::ties, dense_kind::geometric,
                                dense_kind::near_tied};

std::optional<target> square_target(dense_kind kind, std::size_t n) {
  peer_set const best = lemon() + peer::dlib;
  if (n < 1024) {
    return target{best, 1.5, 4};
  }
  switch (kind) {
    case dense_kind::uniform: return target{{peer::dlib}, n == 1024 ? 5 : 3.5, 7};
    case dense_kind::geometric: return target{best, n == 1024 ? 1.2 : 1.4, 2};
    case dense_kind::ties:
    case dense_kind::near_tied:
      return n == 1024 ? std::optional{target{{peer::dlib}, 3, 5}} : std::nullopt;
  }
  return std::nullopt;
}

/// Above some size the slower ones need seconds or minutes each.
peer_set square_peers(dense_kind kind, std::size_t n) {
  if (n <= 256) {
    return lemon() + peer::dlib + peer::boost_graph;
  }
  if (n <= 1024) {
    return {peer::lemon_network_simplex, peer::lemon_cost_scaling, peer::dlib};
  }
  return kind == dense_kind::geometric ? peer_set{peer::lemon_network_simplex, peer::dlib}
                                       : peer_set{peer::dlib};
}

bench_case cold(dense_kind kind, std::size_t rows, std::size_t columns, peer_set peers,
                std::optional<target> promise, bool is_slow) {
  row head = cold_row(rows == columns ? "S1" : "S2", to_string(kind), rows, columns);
  head.promise = promise;
  return {head, is_slow, [=](row const& known, measuring const& how) {
            dense_shape const shape = dense_source{kind, rows, columns, bench_seed}.shape();
            return measure_cold<berth_assignment>(known, how, shape, shape, peers);
          }};
}

bench_case warm(dense_kind kind, std::size_t n) {
  row head = warm_row("S1", to_string(kind), n, n);
  bool const is_structured = kind == dense_kind::geometric || kind == dense_kind::near_tied;
  head.promise = target{lemon(), is_structured ? 20.0 : 4.0, is_structured ? 40.0 : 10.0, true};
  return {head, true, [=](row const& known, measuring const& how) {
            dense_source source{kind, n, n, bench_seed};
            dense_shape const shape = source.shape();
            return measure_warm<berth_assignment>(
                known, how, shape, draw_changes(source, std::max<std::size_t>(1, n / 100)),
                {peer::lemon_network_simplex});
          }};
}

}  // namespace

std::vector<bench_case> assignment_cases() {
  std::vector<bench_case> cases;
  for (std::size_t const n : {64u, 256u, 1024u, 4096u}) {
    for (dense_kind const kind : kinds) {
      cases.push_back(cold(kind, n, n, square_peers(kind, n), square_target(kind, n), n > 256));
    }
  }
  for (dense_kind const kind : kinds) {
    cases.push_back(cold(kind, 100, 1000, lemon() + peer::boost_graph, std::nullopt, false));
  }
  for (dense_kind const kind : kinds) {
    bool const is_promised = kind == dense_kind::uniform || kind == dense_kind::near_tied;
    cases.push_back(cold(
        kind, 1000, 10'000, {peer::lemon_network_simplex},
        is_promised ? std::optional{target{{peer::lemon_network_simplex}, 15, 30}} : std::nullopt,
        true));
  }
  for (dense_kind const kind : kinds) {
    cases.push_back(warm(kind, 1024));
  }
  return cases;
}

}  // namespace berth_bench
