// SPDX-License-Identifier: BSL-1.0
// What the command line of berth-replay says.
#pragma once

#include <berth_sim/execution_model.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace replay {

struct options {
  std::string jobs_file;
  std::string format = "synthetic";
  std::string throughputs_file;
  std::string cluster = "16x8";
  std::string nodes_file;
  std::vector<std::string> schedulers{"fifo", "easy_backfill", "tiresias", "shortest_remaining"};
  std::size_t limit = 0;
  double from = 0;
  double to = 0;
  std::uint64_t seed = 1;
  std::int32_t load_percent = 100;
  std::string json_file;
  std::string html_file;
  std::string trace_file;
  bool lenient = false;
  bool check = false;
  bool list = false;
  berth::sim::execution_model model;
};

/// Reads the command line; exits with a message on a mistake, as CLI11 does.
struct parse_outcome {
  options chosen;
  int exit_code = 0;
  bool stop = false;
};
parse_outcome parse(int argc, char** argv);

}  // namespace replay
