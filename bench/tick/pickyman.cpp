// SPDX-License-Identifier: BSL-1.0
// The tick of the pickyman preset: every job may displace every longer one, if the exchange pays.
#include <berth/presets/pickyman.hpp>

#include <bench/tick/presets.hpp>

berth_bench::row berth_bench::measure_pickyman(setting const& what) {
  return measure(what, true,
                 [](berth::cluster const& nodes, berth::scheduler_config const& config) {
                   return berth::presets::pickyman(nodes, config);
                 });
}
