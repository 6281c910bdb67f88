// SPDX-License-Identifier: BSL-1.0
// Compositions whose order follows what jobs have got, or what they still need.
#include <berth/allocators/ordered_division.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/observers/digest_observer.hpp>
#include <berth/placements/cache_aware.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/placements/fragmentation_aware.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/patient.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/predictors/calibrated.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/predictors/observed_rate.hpp>
#include <berth/predictors/traffic.hpp>
#include <berth/preemption/epoch_boundary.hpp>
#include <berth/preemption/free_of_charge.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <tests/support/adapted_scheduler.hpp>
#include <tests/support/compositions.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

namespace tests {

/// Tiresias with levels and promotions that short tests reach.
composition const tiresias_like{
    "least attained service, consolidated, lost work",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      berth::least_attained_service policy;
      policy.thresholds[0] = berth::gpu_time{1, std::chrono::minutes{5}};
      policy.promote_after = 8;
      return adapted(berth::make_scheduler(nodes, config, policy, berth::consolidated{},
                                           berth::lost_work{}, berth::digest_observer{}));
    }};

/// By what is left of the work, by the rate that was observed.
composition const shortest_first{
    "shortest remaining, fragmentation aware, observed rate",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(nodes, config, berth::shortest_remaining{},
                                           berth::fragmentation_aware{}, berth::observed_rate{},
                                           berth::free_of_charge{}, berth::digest_observer{}));
    }};

/// For jobs with epochs, state and data: it asks for all that a host may say of them.
composition const shortest_at_epochs{
    "shortest remaining, cache aware, traffic, epoch boundaries",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(nodes, config, berth::shortest_remaining{},
                                           berth::cache_aware<>{}, berth::traffic{},
                                           berth::epoch_boundary{}, berth::digest_observer{}));
    }};

/// Preset pickyman, part by part.
composition const weighing{
    "patient shortest remaining, consolidated, epoch boundaries, ordered division, calibrated",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(
          nodes, config, berth::patient{berth::shortest_remaining{}}, berth::consolidated{},
          berth::epoch_boundary{}, berth::ordered_division{}, berth::calibrated<berth::declared>{},
          berth::digest_observer{}));
    }};

/// The same with a predictor that never believes what it learned, which is in no snapshot.
composition const weighing_unlearned{
    "as preset pickyman, but nothing is learned",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      berth::calibrated<berth::declared> unlearned;
      unlearned.enough = std::numeric_limits<std::uint32_t>::max();
      return adapted(berth::make_scheduler(
          nodes, config, berth::patient{berth::shortest_remaining{}}, berth::cache_aware<>{},
          berth::epoch_boundary{}, berth::ordered_division{}, unlearned, berth::digest_observer{}));
    }};

}  // namespace tests
