// SPDX-License-Identifier: BSL-1.0
// berth-scenario FILE...: runs cases (docs/scenarios.md) on a real scheduler, one line a case. Exit
// status: 0 all passed or unsupported, 1 some failed, 2 the command line or a file is wrong.
#include <berth_sim/scenario/read_cases.hpp>
#include <berth_sim/scenario/run_case.hpp>
#include <berth_sim/scenario/unsupported.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace scenario = berth::sim::scenario;

namespace {

constexpr int all_fine = 0;
constexpr int some_failed = 1;
constexpr int unreadable = 2;

struct options {
  std::vector<std::string> files;
  std::vector<std::string> cases;
  bool list = false;
  bool verbose = false;
};

std::string joined(std::vector<std::string> const& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

int list_cases(std::vector<scenario::situation> const& cases) {
  for (scenario::situation const& each : cases) {
    auto const missing = scenario::unsupported_features(each);
    fmt::print("{} {}{}\n", each.id, each.title,
               missing.empty() ? "" : " (unsupported: " + joined(missing) + ")");
  }
  return all_fine;
}

int run_cases(std::vector<scenario::situation> const& cases, bool verbose) {
  int passed = 0;
  int failed = 0;
  int unsupported = 0;
  for (scenario::situation const& each : cases) {
    scenario::case_report const report = scenario::run_case(each);
    switch (report.outcome) {
      case scenario::verdict::passed:
        ++passed;
        fmt::print("PASS {} {}\n", each.id, each.title);
        break;
      case scenario::verdict::unsupported:
        ++unsupported;
        fmt::print("UNSUPPORTED {} {}: {}\n", each.id, each.title, joined(report.differences));
        break;
      case scenario::verdict::failed:
        ++failed;
        fmt::print("FAIL {} {}\n", each.id, each.title);
        for (std::string const& difference : report.differences) {
          fmt::print("  {}\n", difference);
        }
        break;
    }
    for (std::string const& line : report.log) {
      if (verbose) {
        fmt::print("    {}\n", line);
      }
    }
  }
  fmt::print("{} passed, {} failed, {} unsupported\n", passed, failed, unsupported);
  if (std::fflush(stdout) != 0) {
    return unreadable;
  }
  if (passed + failed + unsupported == 0) {
    fmt::print(stderr, "berth-scenario: no case was read\n");
    return unreadable;
  }
  return failed > 0 ? some_failed : all_fine;
}

int run(options const& said) {
  std::vector<scenario::situation> cases;
  for (std::string const& file : said.files) {
    auto read = scenario::read_case_file(file);
    if (!read) {
      fmt::print(stderr, "{}\n", berth::sim::to_string(read.error()));
      return unreadable;
    }
    std::move(read->begin(), read->end(), std::back_inserter(cases));
  }
  for (std::string const& wanted : said.cases) {
    bool const known = std::any_of(cases.begin(), cases.end(),
                                   [&](auto const& each) { return each.id == wanted; });
    if (!known) {
      fmt::print(stderr, "there is no case {}\n", wanted);
      return unreadable;
    }
  }
  if (!said.cases.empty()) {
    std::set<std::string> const wanted(said.cases.begin(), said.cases.end());
    cases.erase(std::remove_if(cases.begin(), cases.end(),
                               [&](auto const& each) { return wanted.count(each.id) == 0; }),
                cases.end());
  }
  return said.list ? list_cases(cases) : run_cases(cases, said.verbose);
}

}  // namespace

int main(int argc, char** argv) {
  options said;
  CLI::App app{"Runs scheduling cases on berth and compares what happens with what they expect."};
  app.add_option("FILE", said.files, "files of cases (JSON; see docs/scenarios.md)")->required();
  app.add_flag("--list", said.list, "only name the cases");
  app.add_option("--case", said.cases, "run only the case with this id; may be repeated")
      ->take_all();
  app.add_flag("--verbose", said.verbose, "print what happened in each case");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& why) {
    return app.exit(why) == 0 ? all_fine : unreadable;
  }
  try {
    return run(said);
  } catch (std::exception const& why) {
    fmt::print(stderr, "{}\n", why.what());
    return unreadable;
  }
}
