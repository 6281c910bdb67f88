// SPDX-License-Identifier: BSL-1.0
#include <berth/policies/shortest_job.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/preemption/free_of_charge.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/fifo_scheduler.hpp>
#include <berth/presets/tiresias.hpp>

#include <bench/preemption/play.hpp>
#include <bench/preemption/schedulers.hpp>

#include <array>

namespace berth_bench {
namespace {

berth::sim::run_result fifo(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::presets::fifo(nodes, config);
  });
}
berth::sim::run_result shortest_job(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::make_scheduler(nodes, config, berth::shortest_job{}, berth::never_preempt{});
  });
}
berth::sim::run_result shortest_remaining(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::make_scheduler(nodes, config, berth::shortest_remaining{},
                                 berth::free_of_charge{});
  });
}
berth::sim::run_result tiresias(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::presets::tiresias(nodes, config);
  });
}

}  // namespace

std::span<named_scheduler const> usual_schedulers() {
  static constexpr std::array<named_scheduler, 4> all{{
      {"fifo", fifo},
      {"shortest_job", shortest_job},
      {"shortest_remaining", shortest_remaining, true},
      {"tiresias", tiresias},
  }};
  return all;
}

}  // namespace berth_bench
