// SPDX-License-Identifier: BSL-1.0
// The schedulers of the study, by name.
#pragma once

#include <bench/preemption/world.hpp>
#include <berth_sim/metrics.hpp>

#include <span>
#include <string>
#include <string_view>

namespace berth_bench {

/// Throws berth::sim::simulation_error.
using play_function = berth::sim::run_result (*)(world const&);

struct named_scheduler {
  std::string_view name;
  play_function play;
  bool also_with_errors = false;  ///< one of those that are played with wrong predictions too
};

[[nodiscard]] std::span<named_scheduler const>
usual_schedulers();  ///< that ignore what a stop costs
[[nodiscard]] std::span<named_scheduler const> victim_schedulers();  ///< that choose whom to stop
[[nodiscard]] std::span<named_scheduler const> pickyman_schedulers();
/// The preset with another patience: not played unless asked for.
[[nodiscard]] std::span<named_scheduler const> patience_schedulers();

}  // namespace berth_bench
