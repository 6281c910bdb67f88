// SPDX-License-Identifier: BSL-1.0
// Shapes S3 and S3c: capacitated transportation, sparse and of classes; and the records that
// collapse to those classes.
#include <bench/matching/berth_collapse.hpp>
#include <bench/matching/berth_transport.hpp>
#include <bench/matching/cases.hpp>
#include <bench/matching/shapes/records.hpp>
#include <bench/matching/shapes/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace berth_bench {
namespace {

constexpr std::size_t cluster_jobs = 10'000;
constexpr std::size_t cluster_nodes = 12'500;

peer_set simplex() {
  return {peer::lemon_network_simplex};
}

bench_case sparse(std::size_t jobs, std::size_t nodes, peer_set peers,
                  std::optional<target> promise) {
  row head = cold_row("S3", "uni", jobs, nodes);
  head.promise = promise;
  return {head, jobs > 200, [=](row const& known, measuring const& how) {
            transport_shape const shape = transport_source{jobs, nodes, bench_seed}.shape();
            return measure_cold<berth_transport>(known, how, shape, shape, peers);
          }};
}

bench_case sparse_warm(std::size_t jobs, std::optional<target> promise) {
  row head = warm_row("S3", "uni", jobs, jobs);
  head.promise = promise;
  return {head, false, [=](row const& known, measuring const& how) {
            transport_source source{jobs, jobs, bench_seed};
            transport_shape const shape = source.shape();
            return measure_warm<berth_transport>(known, how, shape,
                                                 draw_changes(source, jobs / 100), simplex());
          }};
}

bench_case classes(std::size_t count, std::uint64_t percent) {
  row head = cold_row("S3c", fmt::format("{} %", percent), count, count);
  if (count == 500) {
    head.promise = target{simplex(), 1.4, 2.2};
  }
  bool const is_small = count * count * percent <= 500'000;
  peer_set const peers = is_small ? lemon() + peer::boost_graph : lemon();
  return {head, !is_small, [=](row const& known, measuring const& how) {
            transport_shape const shape =
                records_source{cluster_jobs, cluster_nodes, count, percent, bench_seed}.classes();
            return measure_cold<berth_transport>(known, how, shape, shape, peers);
          }};
}

bench_case classes_warm(std::size_t count, std::uint64_t percent, std::optional<target> promise) {
  row head = warm_row("S3c", fmt::format("{} %", percent), count, count);
  head.promise = promise;
  return {head, false, [=](row const& known, measuring const& how) {
            records_source source{cluster_jobs, cluster_nodes, count, percent, bench_seed};
            transport_shape const shape = source.classes();
            std::vector<supply_change> changes;
            transport_shape now = shape;
            for (std::size_t tick = 0; tick < bench_ticks; ++tick) {
              changes.push_back(source.change(now, cluster_jobs / 100, 10));
              apply(changes.back(), now);
            }
            return measure_warm<berth_transport>(known, how, shape, changes, simplex());
          }};
}

/// From the records to a node for each job, against the network with an arc per job and node.
bench_case records(std::size_t jobs, std::size_t nodes, std::size_t classes, peer_set peers,
                   std::optional<target> promise) {
  row head = cold_row("S3c", fmt::format("records, {} classes", classes), jobs, nodes);
  head.promise = promise;
  return {head, jobs > 1000, [=](row const& known, measuring const& how) {
            records_source const source{jobs, nodes, classes, 10, bench_seed};
            transport_shape const uncollapsed = source.uncollapsed();
            return measure_cold<berth_collapsed_records>(known, how, source.records(), uncollapsed,
                                                         peers);
          }};
}

}  // namespace

std::vector<bench_case> transport_cases() {
  std::vector<bench_case> cases{
      sparse(200, 200, lemon() + peer::boost_graph, std::nullopt),
      sparse(1000, 1000, lemon(), target{simplex(), 1.6, 2.5}),
  };
  for (std::size_t const count : {50u, 200u, 500u}) {
    for (std::uint64_t const percent : {10u, 50u, 100u}) {
      cases.push_back(classes(count, percent));
    }
  }
  cases.push_back(records(400, 500, 50, lemon() + peer::boost_graph, std::nullopt));
  cases.push_back(
      records(cluster_jobs, cluster_nodes, 500, simplex(), target{simplex(), 150, 400, false, 50}));
  cases.push_back(sparse_warm(1000, target{simplex(), 3.5, 8}));
  cases.push_back(classes_warm(200, 10, std::nullopt));
  cases.push_back(classes_warm(500, 10, target{simplex(), 6, 12}));
  cases.push_back(classes_warm(500, 50, target{simplex(), 6, 12}));
  return cases;
}

}  // namespace berth_bench
