// SPDX-License-Identifier: BSL-1.0
// Shapes S1c and S2c: AlloX as rows and classes of columns; and the same as a dense matrix, solved
// as it is, and with equal columns found first.
#include <bench/matching/berth_assignment.hpp>
#include <bench/matching/berth_collapse.hpp>
#include <bench/matching/berth_positional.hpp>
#include <bench/matching/cases.hpp>
#include <bench/matching/shapes/positional.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace berth_bench {
namespace {

constexpr std::size_t positions = allox_source::positions;

bench_case classes(std::size_t jobs, std::size_t machines, peer_set peers,
                   std::optional<target> promise) {
  bool const is_square = jobs == machines * positions;
  row head = cold_row(is_square ? "S1c" : "S2c", "allox", jobs, allox_source::classes);
  head.promise = promise;
  return {head, jobs > 1024, [=](row const& known, measuring const& how) {
            positional_shape const shape = allox_source{jobs, machines, bench_seed}.shape();
            return measure_cold<berth_positional>(known, how, shape, shape, peers);
          }};
}

bench_case classes_warm(std::size_t jobs, std::optional<target> promise) {
  row head = warm_row("S1c", "allox", jobs, allox_source::classes);
  head.promise = promise;
  return {head, jobs > 1024, [=](row const& known, measuring const& how) {
            allox_source source{jobs, jobs / positions, bench_seed};
            positional_shape const shape = source.shape();
            return measure_warm<berth_positional>(
                known, how, shape, draw_changes(source, (jobs + 50) / 100),
                {peer::lemon_network_simplex, peer::lemon_cost_scaling});
          }};
}

/// The dense matrix; equal columns are found, solved as classes, and told apart again.
bench_case collapsed(std::size_t jobs, std::size_t machines, peer_set peers,
                     std::optional<target> promise) {
  std::size_t const columns = machines * positions;
  row head = cold_row(jobs == columns ? "S1" : "S2", "allox collapsed", jobs, columns);
  head.promise = promise;
  return {head, columns > 256, [=](row const& known, measuring const& how) {
            allox_source source{jobs, machines, bench_seed};
            allox_shape const shape = source.uncollapsed(source.shape());
            return measure_cold<berth_collapsed_allox>(known, how, shape, shape.dense, peers);
          }};
}

/// The dense matrix as it is.
bench_case dense(std::size_t jobs, peer_set peers, std::optional<target> promise) {
  row head = cold_row("S1", "allox", jobs, jobs);
  head.promise = promise;
  return {head, jobs > 256, [=](row const& known, measuring const& how) {
            allox_source source{jobs, jobs / positions, bench_seed};
            allox_shape const shape = source.uncollapsed(source.shape());
            return measure_cold<berth_assignment>(known, how, shape.dense, shape.dense, peers);
          }};
}

/// The rows of the changes with a cell per column in place of one per class.
std::vector<matrix_change> uncollapse(std::vector<matrix_change> changes,
                                      std::vector<column_record> const& columns) {
  for (matrix_change& change : changes) {
    std::vector<std::int32_t> cost;
    for (std::size_t row = 0; row < change.rows.size(); ++row) {
      for (column_record const column : columns) {
        cost.push_back(change.cost[row * allox_source::classes + allox_source::class_of(column)]);
      }
    }
    change.cost = cost;
  }
  return changes;
}

bench_case dense_warm(std::size_t jobs) {
  row head = warm_row("S1", "allox", jobs, jobs);
  head.promise = target{lemon(), 20, 40, true};
  return {head, true, [=](row const& known, measuring const& how) {
            allox_source source{jobs, jobs / positions, bench_seed};
            allox_shape const shape = source.uncollapsed(source.shape());
            return measure_warm<berth_assignment>(
                known, how, shape.dense,
                uncollapse(draw_changes(source, (jobs + 50) / 100), shape.columns),
                {peer::lemon_network_simplex});
          }};
}

}  // namespace

std::vector<bench_case> positional_cases() {
  target const small{lemon() + peer::dlib, 1.5, 4};
  peer_set const simplex{peer::lemon_network_simplex};
  target const against_scaling{{peer::lemon_cost_scaling}, 2.5, 5};
  return {
      dense(64, lemon() + peer::dlib + peer::boost_graph, small),
      dense(256, lemon() + peer::dlib + peer::boost_graph, small),
      dense(1024, simplex, std::nullopt),
      collapsed(1024, 128, simplex, target{simplex, 15, 40}),
      collapsed(4096, 512, simplex, target{simplex, 20, 40}),
      collapsed(1000, 1250, simplex, std::nullopt),
      classes(256, 32, lemon() + peer::boost_graph, std::nullopt),
      classes(1024, 128, lemon(), against_scaling),
      classes(4096, 512, lemon(), against_scaling),
      classes(100, 125, lemon() + peer::boost_graph, std::nullopt),
      classes(1000, 1250, lemon() + peer::boost_graph, std::nullopt),
      dense_warm(1024),
      classes_warm(1024, target{{peer::lemon_cost_scaling}, 100, 250}),
      classes_warm(4096, target{{peer::lemon_cost_scaling}, 100, 250}),
  };
}

}  // namespace berth_bench
