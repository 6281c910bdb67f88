// SPDX-License-Identifier: BSL-1.0
// berth's solvers beside the public ones on every shape of a scheduling tick, in one process and on
// the same input: times, memory, ratios. A faster wrong answer does not pass: all optima have to
// agree and berth's certificates have to hold, or the program fails.
#include <bench/matching/cases.hpp>
#include <bench/matching/report.hpp>
#include <bench/support/instructions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using namespace berth_bench;

struct options {
  std::vector<std::string> shapes;
  std::string json;
  measuring how;
  bool is_quick = false;
  bool counts_instructions = false;
};

std::vector<bench_case> all_cases() {
  std::vector<bench_case> all;
  for (auto const& family :
       {assignment_cases(), positional_cases(), transport_cases(), task_flow_cases()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

/// `S4` are the warm rows of every shape, `S3` the cold and warm ones of that shape.
bool is_chosen(bench_case const& candidate, options const& chosen) {
  auto const names = [&chosen](std::string const& name) {
    return std::find(chosen.shapes.begin(), chosen.shapes.end(), name) != chosen.shapes.end();
  };
  bool const is_named = chosen.shapes.empty() || names(candidate.head.shape) ||
                        (candidate.head.is_warm && names("S4"));
  return is_named && !(candidate.is_slow && (chosen.is_quick || is_under_callgrind()));
}

/// What holds, in one line for each kind of promise; false if anything is wrong.
bool summarise(std::vector<row> const& rows) {
  std::size_t promised = 0;
  std::size_t held = 0;
  std::size_t aimed = 0;
  std::size_t beside_boost_graph = 0;
  std::size_t far_from_boost_graph = 0;
  std::size_t wrong = 0;
  for (row const& measured : rows) {
    promised += measured.holds() ? 1u : 0u;
    held += measured.holds().value_or(false) ? 1u : 0u;
    aimed += measured.reaches_aim() ? 1u : 0u;
    if (measurement const* const boost_graph = measured.of(peer::boost_graph)) {
      ++beside_boost_graph;
      bool const is_far = measured.ratio_to(*boost_graph) >= row::least_over_boost_graph;
      far_from_boost_graph += is_far ? 1u : 0u;
      if (!is_far) {
        fmt::print("only {} of Boost.Graph: {}\n", times(measured.ratio_to(*boost_graph)),
                   label_of(measured));
      }
    }
    if (measured.warm_allocations != 0) {
      fmt::print("allocates while warm, {} times: {}\n", measured.warm_allocations,
                 label_of(measured));
    }
    wrong += measured.optimum_agrees && measured.is_certified ? 0u : 1u;
  }
  fmt::print(
      "{} of {} promised ratios hold, {} of them reach the aim; {} of {} inputs with "
      "Boost.Graph are {}× or more\n",
      held, promised, aimed, far_from_boost_graph, beside_boost_graph, row::least_over_boost_graph);
  fmt::print("{}\n", wrong == 0 ? "all optima agree, all certificates hold"
                                : fmt::format("WRONG: {} rows", wrong));
  return wrong == 0;
}

/// Everybody allocates anew for every solve from nothing. Without this the C library would give
/// large blocks back and get them again, page by page: the time of the system, and not of a solver.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

int compare(options const& chosen) {
  keep_freed_memory();
  std::vector<row> rows;
  for (bench_case const& each : all_cases()) {
    if (!is_chosen(each, chosen)) {
      continue;
    }
    fmt::print(stderr, "{}\n", label_of(each.head));
    rows.push_back(each.run(each.head, chosen.how));
  }
  if (rows.empty()) {
    throw std::invalid_argument{"no shape of that name: S1 S2 S1c S2c S3 S3c S4 S5"};
  }
  if (is_under_callgrind()) {
    return 0;
  }
  fmt::print("milliseconds of one core, seed {}\n{}", bench_seed, to_table(rows));
  bool const is_right = summarise(rows);
  if (!chosen.json.empty()) {
    std::ofstream file{chosen.json};
    file << to_json(rows).dump(1) << '\n';
    if (!file.flush()) {
      throw std::runtime_error{"cannot write " + chosen.json};
    }
  }
  return is_right ? 0 : 1;
}

/// The quick cases again, under callgrind, with one solve each.
int count(options const& chosen, std::string const& program) {
  std::vector<std::string> arguments{"--quick"};
  if (!chosen.shapes.empty()) {
    arguments.push_back(fmt::format("--shapes={}", fmt::join(chosen.shapes, ",")));
  }
  std::vector<std::vector<std::string>> lines{{"input", "solver", "", "instructions"}};
  for (instruction_count const& each : run_under_callgrind(program, arguments)) {
    auto const bar = each.what.find('|');
    lines.push_back({each.what.substr(0, bar), short_name(each.what.substr(bar + 1)), "",
                     fmt::format("{}", each.instructions)});
  }
  if (lines.size() == 1) {
    fmt::print(stderr, "matching_bench: nothing was counted; is valgrind installed?\n");
    return 2;
  }
  fmt::print("{}", to_table(lines));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  options chosen;
  CLI::App app{"berth's solvers beside LEMON, dlib and Boost.Graph on the shapes of a tick"};
  app.add_option("--shapes", chosen.shapes, "only these: S1 S2 S1c S2c S3 S3c S4 (warm) S5")
      ->delimiter(',');
  app.add_option("--repeat", chosen.how.repeats, "turns of each solver")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", chosen.json, "write the rows to this file");
  app.add_flag("--quick", chosen.is_quick, "only inputs on which every solver is quick");
  app.add_flag("--instructions", chosen.counts_instructions,
               "count instructions instead of time, on the quick inputs; needs valgrind");
  CLI11_PARSE(app, argc, argv);
  try {
    return chosen.counts_instructions ? count(chosen, argv[0]) : compare(chosen);
  } catch (std::exception const& error) {
    fmt::print(stderr, "matching_bench: {}\n", error.what());
    return 2;
  }
}
