// SPDX-License-Identifier: BSL-1.0
// Counts instructions instead of time: the program runs itself under callgrind, which counts those
// between two marks. Slow, and the same on a busy machine as on an idle one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace berth_bench {

struct instruction_count {
  std::string what;
  std::int64_t instructions = 0;
};

/// Whether this program runs under callgrind and was built with its marks.
[[nodiscard]] bool is_under_callgrind();

/// Counts the instructions of a call, under the name of `what`. Under callgrind only.
void count_instructions(std::string const& what, std::function<void()> const& call);

/// Counts many short calls in one go: begin() once, toggle() before and after each of them, and
/// dump() when what was counted since the last dump is to have a name. Elsewhere toggle() costs a
/// few instructions and the others nothing.
namespace instruction_marks {
void begin();
void toggle();
void dump(std::string const& what);
void end();
}  // namespace instruction_marks

/// Runs `program` with `arguments` under callgrind and reads what was counted there, every name
/// once, in the order in which they came first; empty where there is no valgrind.
[[nodiscard]] std::vector<instruction_count> run_under_callgrind(
    std::string const& program, std::vector<std::string> const& arguments);

}  // namespace berth_bench
