// SPDX-License-Identifier: BSL-1.0
// Preemption in full: every job may displace every longer one, and what is lost since the last
// checkpoint chooses among victims.
#include <berth/placements/consolidated.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <bench/tick/presets.hpp>

berth_bench::row berth_bench::measure_pickyman_style(setting const& what) {
  return measure(what, true,
                 [](berth::cluster const& nodes, berth::scheduler_config const& config) {
                   return berth::make_scheduler(nodes, config, berth::shortest_remaining{},
                                                berth::lost_work{}, berth::consolidated{});
                 });
}
