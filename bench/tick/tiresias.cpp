// SPDX-License-Identifier: BSL-1.0
// The tick of the tiresias preset: two queues by attained service, the lower one displaces.
#include <bench/tick/presets.hpp>

berth_bench::row berth_bench::measure_tiresias(setting const& what) {
  return measure(what, true,
                 [](berth::cluster const& nodes, berth::scheduler_config const& config) {
                   return berth::presets::tiresias(nodes, config);
                 });
}
