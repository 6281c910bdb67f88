// SPDX-License-Identifier: BSL-1.0
// What a simulation is asked to do, and how it says that something is wrong.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/execution_model.hpp>

#include <cstdint>
#include <functional>
#include <stdexcept>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct simulation_options {
  execution_model model;
  bool record_segments = false;  ///< who sat where: for pictures
  bool measure_ticks = true;
  bool check = false;                             ///< check_invariants() after every tick; slow
  std::function<void(std::int64_t)> on_progress;  ///< told how many jobs have finished
};

/// A bug found while simulating: of berth, or of the simulator.
struct simulation_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sim

BERTH_NAMESPACE_END
