// SPDX-License-Identifier: BSL-1.0
#include <bench/support/instructions.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define BERTH_BENCH_CALLGRIND 1
#else
#define BERTH_BENCH_CALLGRIND 0
#endif

#include <unistd.h>

namespace berth_bench {
namespace {

/// The part of a dump that somebody asked for: which, and how many.
void read_dump(std::filesystem::path const& path, std::map<int, instruction_count>& into) {
  std::ifstream file{path};
  std::string const trigger = "desc: Trigger: Client Request: ";
  int part = 0;
  instruction_count read;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("part: ", 0) == 0) {
      part = std::stoi(line.substr(6));
    } else if (line.rfind(trigger, 0) == 0) {
      read.what = line.substr(trigger.size());
    } else if (line.rfind("totals: ", 0) == 0) {
      read.instructions = std::stoll(line.substr(8));
    }
  }
  if (!read.what.empty()) {
    into[part] = read;
  }
}

std::string quoted(std::string const& word) {
  std::string safe = "'";
  for (char const letter : word) {
    if (letter == '\'') {
      safe += "'\\'";
    }
    safe += letter;
  }
  safe += '\'';
  return safe;
}

}  // namespace

bool is_under_callgrind() {
#if BERTH_BENCH_CALLGRIND
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

#if BERTH_BENCH_CALLGRIND
void instruction_marks::begin() {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}
void instruction_marks::toggle() {
  CALLGRIND_TOGGLE_COLLECT;
}
void instruction_marks::dump(std::string const& what) {
  CALLGRIND_DUMP_STATS_AT(what.c_str());
}
void instruction_marks::end() {
  CALLGRIND_STOP_INSTRUMENTATION;
}
#else
void instruction_marks::begin() {}
void instruction_marks::toggle() {}
void instruction_marks::dump(std::string const&) {}
void instruction_marks::end() {}
#endif

void count_instructions(std::string const& what, std::function<void()> const& call) {
  instruction_marks::begin();
  instruction_marks::toggle();
  call();
  instruction_marks::toggle();
  instruction_marks::dump(what);
  instruction_marks::end();
}

std::vector<instruction_count> run_under_callgrind(std::string const& program,
                                                   std::vector<std::string> const& arguments) {
  if (BERTH_BENCH_CALLGRIND == 0 || std::system("valgrind --version >/dev/null 2>&1") != 0) {
    return {};
  }
  namespace files = std::filesystem;
  files::path const folder = files::temp_directory_path() / fmt::format("berth_bench_{}", getpid());
  files::create_directories(folder);
  std::string command = fmt::format(
      "valgrind --quiet --tool=callgrind --instr-atstart=no --collect-atstart=no "
      "--callgrind-out-file={} {}",
      quoted((folder / "count").string()), quoted(program));
  for (std::string const& argument : arguments) {
    command += ' ';
    command += quoted(argument);
  }
  bool const ran = std::system(command.c_str()) == 0;
  std::map<int, instruction_count> counts;
  for (files::directory_entry const& dump : files::directory_iterator{folder}) {
    read_dump(dump.path(), counts);
  }
  std::error_code ignored;
  files::remove_all(folder, ignored);
  std::vector<instruction_count> all;
  for (auto const& [part, count] : counts) {
    auto const same = std::find_if(all.begin(), all.end(), [&what = count.what](auto const& each) {
      return each.what == what;
    });
    if (same == all.end()) {
      all.push_back(count);
    } else {
      same->instructions += count.instructions;
    }
  }
  return ran ? all : std::vector<instruction_count>{};
}

}  // namespace berth_bench
