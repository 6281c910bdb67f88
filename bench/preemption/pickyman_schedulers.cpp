// SPDX-License-Identifier: BSL-1.0
#include <berth/allocators/ordered_division.hpp>
#include <berth/policies/patient.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/predictors/calibrated.hpp>
#include <berth/preemption/epoch_boundary.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/presets/pickyman.hpp>

#include <bench/preemption/play.hpp>
#include <bench/preemption/schedulers.hpp>

#include <array>
#include <cstdint>

namespace berth_bench {
namespace {

berth::sim::run_result published(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::make_scheduler(nodes, config, berth::shortest_remaining{},
                                 berth::epoch_boundary{}, berth::ordered_division::as_published());
  });
}
berth::sim::run_result preset(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::presets::pickyman(nodes, config);
  });
}
template <std::int64_t Percent>
berth::sim::run_result with_patience(world const& in) {
  return play(in, [](auto const& nodes, auto const& config) {
    return berth::make_scheduler(
        nodes, config, berth::patient{berth::shortest_remaining{}, Percent}, berth::consolidated{},
        berth::epoch_boundary{}, berth::ordered_division{}, berth::calibrated<berth::declared>{});
  });
}

}  // namespace

std::span<named_scheduler const> pickyman_schedulers() {
  static constexpr std::array<named_scheduler, 2> all{{
      {"pickyman_published", published, true},
      {"pickyman", preset, true},
  }};
  return all;
}

std::span<named_scheduler const> patience_schedulers() {
  static constexpr std::array<named_scheduler, 4> all{{
      {"pickyman_80", with_patience<80>},
      {"pickyman_100", with_patience<100>},
      {"pickyman_120", with_patience<120>},
      {"pickyman_150", with_patience<150>},
  }};
  return all;
}

}  // namespace berth_bench
