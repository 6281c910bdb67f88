// SPDX-License-Identifier: BSL-1.0
// The solvers beside Boost.Graph's min-cost flow on the same input in one run. Both optima are
// compared before anything is timed: a faster wrong answer does not pass.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/interop/boost_graph.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/matcher.hpp>
#include <berth/solve/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using berth::gpu_time;

struct square_input {
  explicit square_input(std::size_t n) : size{n}, cells(n * n), unmatched(n, gpu_time{2'000'000}) {
    berth::random_source random{n};
    for (gpu_time& cell : cells) {
      cell = gpu_time{static_cast<std::int64_t>(random.below(1'000'000))};
    }
  }
  berth::assignment_problem<gpu_time> problem() const {
    return {berth::cost_matrix_view<gpu_time>{cells, size, size}, unmatched};
  }
  std::size_t size;
  std::vector<gpu_time> cells;
  std::vector<gpu_time> unmatched;
};

struct class_input {
  class_input(std::size_t rows, std::size_t columns)
      : rows_{rows},
        columns_{columns},
        cells(rows * columns),
        supply(rows),
        capacity(columns),
        unmatched(rows, gpu_time{40'000}) {
    berth::random_source random{rows};
    for (gpu_time& cell : cells) {
      cell = gpu_time{static_cast<std::int64_t>(random.below(10'000))};
    }
    for (std::int32_t& units : supply) {
      units = static_cast<std::int32_t>(random.between(1, 8));
    }
    for (std::int32_t& room : capacity) {
      room = static_cast<std::int32_t>(random.between(1, 8));
    }
  }
  berth::transport_problem<gpu_time> problem() const {
    return {berth::cost_matrix_view<gpu_time>{cells, rows_, columns_}, supply, capacity, unmatched};
  }
  std::size_t rows_;
  std::size_t columns_;
  std::vector<gpu_time> cells;
  std::vector<std::int32_t> supply;
  std::vector<std::int32_t> capacity;
  std::vector<gpu_time> unmatched;
};

/// Times `matcher` on the input after checking its optimum against Boost.Graph's and its
/// certificate.
template <class Matcher, class Input>
void run(benchmark::State& state, Matcher const& matcher, Input const& input,
         berth::workspace_of<Matcher, decltype(input.problem())>& memory) {
  auto const problem = input.problem();
  berth::boost_graph_matcher const oracle;
  berth::workspace_of<berth::boost_graph_matcher, decltype(input.problem())> oracle_memory;
  bool const solved = matcher.solve(problem, memory) == berth::solve_status::optimal &&
                      oracle.solve(problem, oracle_memory) == berth::solve_status::optimal;
  if (!solved || memory.solution().total != oracle_memory.solution().total ||
      !berth::certify(problem, memory.solution()).holds()) {
    state.SkipWithError("the optimum is wrong");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(matcher.solve(problem, memory));
  }
}

void assignment(benchmark::State& state) {
  auto const n = static_cast<std::size_t>(state.range(0));
  square_input const input{n};
  berth::assignment_workspace<gpu_time> memory{n, n};
  run(state, berth::assignment_matcher{}, input, memory);
}
void assignment_boost_graph(benchmark::State& state) {
  square_input const input{static_cast<std::size_t>(state.range(0))};
  berth::workspace_of<berth::boost_graph_matcher, decltype(input.problem())> memory;
  run(state, berth::boost_graph_matcher{}, input, memory);
}
void transport(benchmark::State& state) {
  auto const n = static_cast<std::size_t>(state.range(0));
  class_input const input{n, n};
  berth::transport_workspace<gpu_time> memory{n, n};
  run(state, berth::transport_matcher{}, input, memory);
}
void transport_boost_graph(benchmark::State& state) {
  auto const n = static_cast<std::size_t>(state.range(0));
  class_input const input{n, n};
  berth::workspace_of<berth::boost_graph_matcher, decltype(input.problem())> memory;
  run(state, berth::boost_graph_matcher{}, input, memory);
}

BENCHMARK(assignment)->Arg(16)->Arg(64)->Arg(128);
BENCHMARK(assignment_boost_graph)->Arg(16)->Arg(64)->Arg(128);
BENCHMARK(transport)->Arg(16)->Arg(50);
BENCHMARK(transport_boost_graph)->Arg(16)->Arg(50);

}  // namespace
