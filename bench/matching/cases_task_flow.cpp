// SPDX-License-Identifier: BSL-1.0
// Shape S5: the networks of Firmament.
#include <bench/matching/berth_task_flow.hpp>
#include <bench/matching/cases.hpp>
#include <bench/matching/shapes/task_flow.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace berth_bench {
namespace {

bench_case cold(std::size_t tasks, std::size_t machines, std::int32_t slots, peer_set peers,
                std::optional<target> promise) {
  row head = cold_row("S5", fmt::format("{} slots", slots), tasks, machines);
  head.promise = promise;
  return {
      head, tasks > 1000, [=](row const& known, measuring const& how) {
        task_flow_shape const shape = task_flow_source{tasks, machines, slots, bench_seed}.shape();
        return measure_cold<berth_task_flow>(known, how, shape, shape, peers);
      }};
}

bench_case warm(std::size_t tasks, std::size_t machines, std::int32_t slots, target promise) {
  row head = warm_row("S5", fmt::format("{} slots", slots), tasks, machines);
  head.promise = promise;
  return {head, false, [=](row const& known, measuring const& how) {
            task_flow_source source{tasks, machines, slots, bench_seed};
            task_flow_shape const shape = source.shape();
            return measure_warm<berth_task_flow>(known, how, shape,
                                                 draw_changes(source, tasks / 100),
                                                 {peer::lemon_network_simplex});
          }};
}

}  // namespace

std::vector<bench_case> task_flow_cases() {
  peer_set const with_boost = lemon() + peer::boost_graph;
  peer_set const simplex{peer::lemon_network_simplex};
  return {
      // Boost.Graph takes half a minute for the large ones.
      cold(1000, 100, 12, with_boost, std::nullopt),
      cold(1000, 1000, 2, with_boost, std::nullopt),
      cold(1000, 100, 8, with_boost, std::nullopt),
      cold(10'000, 1000, 12, lemon(), target{lemon(), 3, 6}),
      cold(10'000, 10'000, 2, lemon(), target{lemon(), 6, 10}),
      cold(10'000, 1000, 8, lemon(), target{lemon(), 1, 2}),
      warm(10'000, 1000, 12, target{simplex, 25, 60}),
      warm(10'000, 10'000, 2, target{simplex, 25, 60}),
      warm(10'000, 1000, 8, target{simplex, 8, 12}),
  };
}

}  // namespace berth_bench
