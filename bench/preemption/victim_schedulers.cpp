// SPDX-License-Identifier: BSL-1.0
#include <berth/policies/shortest_remaining.hpp>
#include <berth/preemption/fit_gpp.hpp>
#include <berth/preemption/gfs.hpp>
#include <berth/preemption/youngest_first.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <bench/preemption/play.hpp>
#include <bench/preemption/schedulers.hpp>

#include <array>

namespace berth_bench {
namespace {

template <class Cost>
berth::sim::run_result shortest_remaining_with(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::make_scheduler(nodes, config, berth::shortest_remaining{}, Cost{});
  });
}

}  // namespace

std::span<named_scheduler const> victim_schedulers() {
  static constexpr std::array<named_scheduler, 3> all{{
      {"youngest_first", shortest_remaining_with<berth::youngest_first<>>},
      {"fit_gpp", shortest_remaining_with<berth::fit_gpp<>>},
      {"gfs", shortest_remaining_with<berth::gfs>},
  }};
  return all;
}

}  // namespace berth_bench
