// SPDX-License-Identifier: BSL-1.0
// The figures as Prometheus text on the loopback interface.
#pragma once

#include <cstdint>
#include <memory>

#include "figures.hpp"

namespace slurm_agent {

/// Serves http://127.0.0.1:port/metrics. Null if this program was built without prometheus-cpp.
/// Throws std::exception where the port is in use.
[[nodiscard]] std::unique_ptr<figures_sink> serve_figures(std::uint16_t port);

}  // namespace slurm_agent
