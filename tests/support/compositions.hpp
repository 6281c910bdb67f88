// SPDX-License-Identifier: BSL-1.0
// The compositions that properties are tested over: every shipped policy, placement, allocator and
// preemption cost is in one of them at least.
#pragma once

#include <berth/allocators/easy_backfill.hpp>
#include <berth/allocators/ordered_division.hpp>
#include <berth/allocators/rigid.hpp>
#include <berth/observers/digest_observer.hpp>
#include <berth/placements/cache_aware.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/placements/first_fit.hpp>
#include <berth/placements/fragmentation_aware.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/patient.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/policies/then.hpp>
#include <berth/predictors/calibrated.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/predictors/observed_rate.hpp>
#include <berth/predictors/traffic.hpp>
#include <berth/preemption/epoch_boundary.hpp>
#include <berth/preemption/free_of_charge.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

namespace tests {

struct strict_fifo {
  static constexpr char const* name = "fifo strict, first fit";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(nodes, config, berth::fifo{},
                                 berth::rigid{berth::queue_order::strict}, berth::first_fit{},
                                 berth::never_preempt{}, berth::digest_observer{});
  }
};
struct backfill {
  static constexpr char const* name = "fifo, EASY backfilling, consolidated";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(nodes, config, berth::fifo{}, berth::easy_backfill{},
                                 berth::never_preempt{}, berth::digest_observer{});
  }
};
struct tiresias_like {
  static constexpr char const* name = "least attained service, consolidated, lost work";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    berth::least_attained_service policy;
    policy.thresholds[0] = berth::gpu_time{1, std::chrono::minutes{5}};
    policy.promote_after = 8;
    return berth::make_scheduler(nodes, config, policy, berth::consolidated{}, berth::lost_work{},
                                 berth::digest_observer{});
  }
};
struct shortest_first {
  static constexpr char const* name = "shortest remaining, fragmentation aware, observed rate";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(nodes, config, berth::shortest_remaining{},
                                 berth::fragmentation_aware{}, berth::observed_rate{},
                                 berth::free_of_charge{}, berth::digest_observer{});
  }
};
struct classes {
  static constexpr char const* name = "priority classes, first fit, lost work";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(nodes, config, berth::priority_class{}, berth::first_fit{},
                                 berth::lost_work{}, berth::digest_observer{});
  }
};
/// Stops at the next full half hour of a run.
struct half_hour_boundary {
  using component_role = berth::preemption_role;
  static constexpr bool allows_timelessly = true;
  [[nodiscard]] berth::suspension suspend(berth::job_view const& job,
                                          berth::tick_context const&) const noexcept {
    constexpr berth::duration period = std::chrono::minutes{30};
    return {.mode = berth::suspension_mode::boundary, .drain = period - job.run_time() % period};
  }
  [[nodiscard]] berth::duration resume(berth::job_view const&,
                                       berth::tick_context const&) const noexcept {
    return std::chrono::seconds{30};
  }
};
struct classes_at_boundaries {
  static constexpr char const* name = "priority classes, consolidated, stops at boundaries";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(nodes, config, berth::priority_class{}, berth::consolidated{},
                                 half_hour_boundary{}, berth::digest_observer{});
  }
};
struct shortest_at_epochs {
  static constexpr char const* name = "shortest remaining, cache aware, traffic, epoch boundaries";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(nodes, config, berth::shortest_remaining{}, berth::cache_aware<>{},
                                 berth::traffic{}, berth::epoch_boundary{},
                                 berth::digest_observer{});
  }
};
/// Preset pickyman, part by part.
struct weighing {
  static constexpr char const* name =
      "patient shortest remaining, consolidated, epoch boundaries, ordered division, calibrated";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(nodes, config, berth::patient{berth::shortest_remaining{}},
                                 berth::consolidated{}, berth::epoch_boundary{},
                                 berth::ordered_division{}, berth::calibrated<berth::declared>{},
                                 berth::digest_observer{});
  }
};
/// The same with a predictor that never believes what it learned, which is in no snapshot.
struct weighing_unlearned {
  static constexpr char const* name = "as preset pickyman, but nothing is learned";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    berth::calibrated<berth::declared> unlearned;
    unlearned.enough = std::numeric_limits<std::uint32_t>::max();
    return berth::make_scheduler(nodes, config, berth::patient{berth::shortest_remaining{}},
                                 berth::cache_aware<>{}, berth::epoch_boundary{},
                                 berth::ordered_division{}, unlearned, berth::digest_observer{});
  }
};
struct classes_with_promise {
  static constexpr char const* name = "priority classes then service, EASY, lost work";
  static auto make(berth::cluster const& nodes, berth::scheduler_config const& config) {
    return berth::make_scheduler(
        nodes, config, berth::then{berth::priority_class{}, berth::least_attained_service{}},
        berth::easy_backfill{}, berth::lost_work{}, berth::digest_observer{});
  }
};

}  // namespace tests
