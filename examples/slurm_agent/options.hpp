// SPDX-License-Identifier: BSL-1.0
// The command line of berth-slurm.
#pragma once

#include <cstdint>
#include <string>

#include "agent.hpp"
#include "journal.hpp"

namespace slurm_agent {

struct options {
  std::string partition;
  std::string scheduler = "pickyman";
  std::string snapshot_file;
  std::string timings_file;
  std::uint16_t metrics_port = 0;  ///< 0 = none
  int signal = 0;
  double least_pause = 0.1;  ///< seconds between cycles while something is under way
  double most_pause = 1.0;   ///< and while nothing is
  bool dry_run = false;
  bool list = false;
  severity log_from = severity::info;
  agent_settings settings;
};

struct parse_outcome {
  options chosen;
  int exit_code = 0;
  bool stop = false;  ///< end now with exit_code
};

[[nodiscard]] parse_outcome parse(int argc, char** argv);

}  // namespace slurm_agent
