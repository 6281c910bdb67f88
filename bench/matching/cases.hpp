// SPDX-License-Identifier: BSL-1.0
// The inputs of the comparison. Each case draws its input when it runs, so that only one lives at a
// time.
#pragma once

#include <bench/matching/measure.hpp>
#include <bench/matching/row.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace berth_bench {

/// The seed of every input of the bench.
inline constexpr std::uint64_t bench_seed = 1;

/// Changes of a warm row: of 1 % of the rows each.
inline constexpr std::size_t bench_ticks = 9;

struct bench_case {
  row head;              ///< what is known beforehand
  bool is_slow = false;  ///< some solver needs more than about a second
  std::function<row(row const& head, measuring const& how)> run;
};

[[nodiscard]] inline row cold_row(std::string shape, std::string kind, std::size_t rows,
                                  std::size_t columns) {
  row head;
  head.shape = std::move(shape);
  head.kind = std::move(kind);
  head.rows = rows;
  head.columns = columns;
  return head;
}
[[nodiscard]] inline row warm_row(std::string shape, std::string kind, std::size_t rows,
                                  std::size_t columns) {
  row head = cold_row(std::move(shape), std::move(kind), rows, columns);
  head.is_warm = true;
  return head;
}

// Which public solvers take part where. Those left out need longer than the patience of a reader.
[[nodiscard]] inline peer_set lemon() {
  return {peer::lemon_network_simplex, peer::lemon_cost_scaling, peer::lemon_capacity_scaling};
}
[[nodiscard]] inline peer_set operator+(peer_set all, peer one) {
  all.push_back(one);
  return all;
}

/// The changes of a warm row, each of `count` rows of the shape that `source` has drawn.
template <class Source>
[[nodiscard]] auto draw_changes(Source& source, std::size_t count) {
  std::vector<decltype(source.change(count))> changes;
  for (std::size_t tick = 0; tick < bench_ticks; ++tick) {
    changes.push_back(source.change(count));
  }
  return changes;
}

std::vector<bench_case> assignment_cases();  ///< S1, S2, and S4 on them
std::vector<bench_case> positional_cases();  ///< S1c, S2c, AlloX uncollapsed, and S4 on them
std::vector<bench_case> transport_cases();   ///< S3, S3c, the records, and S4 on them
std::vector<bench_case> task_flow_cases();   ///< S5, and S4 on it

}  // namespace berth_bench
