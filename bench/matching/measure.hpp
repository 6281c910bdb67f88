// SPDX-License-Identifier: BSL-1.0
// Runs the solvers of one input and fills in its row. They take turns: whatever else the machine
// does meanwhile, it does to all of them.
#pragma once

#include <bench/matching/contender.hpp>
#include <bench/matching/peers.hpp>
#include <bench/matching/row.hpp>
#include <bench/support/instructions.hpp>
#include <bench/support/thread_clock.hpp>
#include <tests/support/counting_new.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace berth_bench {

struct measuring {
  std::size_t repeats = 5;          ///< turns of each
  double patience = 5;              ///< milliseconds of a turn, if one run is shorter
  std::size_t longest_series = 20;  ///< runs of a turn
};

[[nodiscard]] inline double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.empty() ? 0 : *middle;
}

/// Time and memory of one call.
struct sample {
  double milliseconds = 0;
  std::int64_t bytes = 0;
  std::uint64_t allocations = 0;
};

template <class Call>
sample measure_once(Call&& call) {
  std::int64_t const living = tests::living_bytes();
  std::uint64_t const before = tests::allocations();
  tests::restart_peak();
  double const start = thread_microseconds();
  call();
  double const end = thread_microseconds();
  return {(end - start) * 1e-3, tests::peak_bytes() - living, tests::allocations() - before};
}

/// Runs all of them in turns; once before it counts.
inline std::vector<measurement> alternate(std::vector<std::unique_ptr<contender>> const& contenders,
                                          measuring const& how, std::string const& label) {
  std::vector<measurement> measured;
  std::vector<std::vector<double>> times(contenders.size());
  if (is_under_callgrind()) {
    for (auto const& each : contenders) {
      count_instructions(label + "|" + each->name(), [&each] { each->solve(); });
      measured.push_back({each->name(), 0, 0});
    }
    return measured;
  }
  std::vector<std::size_t> series;  // a quick solver runs several times when its turn comes
  for (auto const& each : contenders) {
    sample const first = measure_once([&each] { each->solve(); });
    measured.push_back({each->name(), 0, first.bytes});
    series.push_back(std::clamp<std::size_t>(
        static_cast<std::size_t>(how.patience / std::max(first.milliseconds, 1e-3)), 1,
        how.longest_series));
  }
  for (std::size_t round = 0; round < how.repeats; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      for (std::size_t run = 0; run < series[i]; ++run) {
        times[i].push_back(measure_once([&each = *contenders[i]] { each.solve(); }).milliseconds);
      }
    }
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    measured[i].milliseconds = median(times[i]);
  }
  return measured;
}

/// Whether all of them have found the same.
[[nodiscard]] inline bool agree(std::vector<std::unique_ptr<contender>> const& contenders) {
  return std::all_of(contenders.begin(), contenders.end(), [&contenders](auto const& each) {
    return each->optimum() == contenders.front()->optimum();
  });
}

/// berth and its peers on `shape`, each from nothing. The peers may get another form of the same
/// input.
template <class Engine, class Shape, class PeerShape>
row measure_cold(row into, measuring const& how, Shape const& shape, PeerShape const& for_peers,
                 peer_set const& peers) {
  std::vector<std::unique_ptr<contender>> contenders = make_peers(peers, for_peers);
  contenders.insert(contenders.begin(), std::make_unique<cold_contender<Engine>>("berth", shape));
  into.peers = alternate(contenders, how, label_of(into));
  into.berth = into.peers.front();
  into.peers.erase(into.peers.begin());
  into.optimum_agrees = agree(contenders);
  into.is_certified = contenders.front()->is_certified();
  return into;
}

/// berth goes on from its last solution through `changes`; then it and its peers solve each changed
/// input from nothing. The chain of warm solves runs at a stretch, before the others and again
/// after them, and one more time to check every step of it.
template <class Engine, class Shape, class Change>
  requires warm_engine<Engine, Shape, Change>
row measure_warm(row into, measuring const& how, Shape const& start,
                 std::vector<Change> const& changes, peer_set const& peers) {
  std::vector<double> times;
  auto const run_chain = [&](auto&& after_step) {
    Engine engine{start};
    into.berth.bytes = measure_once([&engine] { engine.solve_cold(); }).bytes;
    for (Change const& change : changes) {
      engine.apply(change);
      after_step(engine, measure_once([&engine] { engine.solve_warm(); }));
    }
  };
  auto const keep_time = [&](Engine const&, sample const& step) {
    times.push_back(step.milliseconds);
    into.warm_allocations += step.allocations;
  };

  into.berth.name = "berth";
  if (is_under_callgrind()) {
    Engine engine{start};
    engine.solve_cold();
    engine.apply(changes.front());
    count_instructions(label_of(into) + "|berth", [&engine] { engine.solve_warm(); });
    return into;
  }
  std::size_t const chains = 1 + how.repeats / changes.size();
  for (std::size_t chain = 0; chain < chains; ++chain) {
    run_chain(keep_time);
  }
  std::vector<std::int64_t> optima;
  std::vector<std::vector<double>> cold_times;
  Shape shape = start;
  for (Change const& change : changes) {
    apply(change, shape);
    std::vector<std::unique_ptr<contender>> contenders = make_peers(peers, shape);
    contenders.insert(contenders.begin(),
                      std::make_unique<cold_contender<Engine>>("berth_cold", std::as_const(shape)));
    into.peers = alternate(contenders, {1, how.patience, how.longest_series}, label_of(into));
    cold_times.resize(into.peers.size());
    for (std::size_t i = 0; i < into.peers.size(); ++i) {
      cold_times[i].push_back(into.peers[i].milliseconds);
    }
    into.optimum_agrees = into.optimum_agrees && agree(contenders);
    into.is_certified = into.is_certified && contenders.front()->is_certified();
    optima.push_back(contenders.front()->optimum());
  }
  for (std::size_t chain = 0; chain < chains; ++chain) {
    run_chain(keep_time);
  }
  run_chain([&, step = std::size_t{0}](Engine const& engine, sample const&) mutable {
    into.optimum_agrees = into.optimum_agrees && engine.optimum() == optima[step++];
    into.is_certified = into.is_certified && engine.is_certified();
  });

  for (std::size_t i = 0; i < into.peers.size(); ++i) {
    into.peers[i].milliseconds = median(cold_times[i]);
  }
  into.berth.milliseconds = median(times);
  into.berth_cold = into.peers.front();
  into.peers.erase(into.peers.begin());
  return into;
}

}  // namespace berth_bench
