// SPDX-License-Identifier: BSL-1.0
// Compositions whose order is that of arrival, or of classes and then arrival.
#include <berth/admission/tenant_quota.hpp>
#include <berth/allocators/easy_backfill.hpp>
#include <berth/allocators/rigid.hpp>
#include <berth/concepts/component.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>
#include <berth/model/suspension.hpp>
#include <berth/observers/digest_observer.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/placements/first_fit.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/policies/then.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <tests/support/adapted_scheduler.hpp>
#include <tests/support/compositions.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace tests {

namespace {

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

}  // namespace

/// In order of arrival, and nobody overtakes.
composition const strict_fifo{
    "fifo strict, first fit",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(
          nodes, config, berth::fifo{}, berth::rigid{berth::queue_order::strict},
          berth::first_fit{}, berth::never_preempt{}, berth::digest_observer{}));
    }};

/// What make_scheduler gives by default: whoever does not fit lets others pass.
composition const skipping_fifo{
    "fifo, consolidated, lost work",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(nodes, config, berth::fifo{}, berth::rigid{},
                                           berth::digest_observer{}));
    }};

/// The head of the queue is promised a start, and others fill the gaps before it.
composition const backfill{
    "fifo, EASY backfilling, consolidated",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(nodes, config, berth::fifo{}, berth::easy_backfill{},
                                           berth::never_preempt{}, berth::digest_observer{}));
    }};

/// Higher classes displace lower ones at once.
composition const classes{"priority classes, first fit, lost work",
                          [](berth::cluster const& nodes, berth::scheduler_config const& config) {
                            return adapted(berth::make_scheduler(
                                nodes, config, berth::priority_class{}, berth::first_fit{},
                                berth::lost_work{}, berth::digest_observer{}));
                          }};

/// The same, with the default placement.
composition const classes_together{
    "priority classes, consolidated, lost work",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(
          berth::make_scheduler(nodes, config, berth::priority_class{}, berth::digest_observer{}));
    }};

/// Higher classes displace lower ones, which work on until a boundary: orders are withdrawn.
composition const classes_at_boundaries{
    "priority classes, consolidated, stops at boundaries",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(nodes, config, berth::priority_class{},
                                           berth::consolidated{}, half_hour_boundary{},
                                           berth::digest_observer{}));
    }};

/// Preemption and a promise to the head of the queue at once.
composition const classes_with_promise{
    "priority classes then service, EASY, lost work",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      return adapted(berth::make_scheduler(
          nodes, config, berth::then{berth::priority_class{}, berth::least_attained_service{}},
          berth::easy_backfill{}, berth::lost_work{}, berth::digest_observer{}));
    }};

/// A queue, one below it, and one beside them, with every kind of limit.
composition const tenants{
    "tenants with quotas, classes, consolidated, lost work",
    [](berth::cluster const& nodes, berth::scheduler_config const& config) {
      std::vector<berth::tenant_spec> const queues{
          {.nominal = 6, .weight = 2, .borrowing = 12},
          {.nominal = 4, .lending = 2, .parent = berth::tenant_id{0}},
          {.nominal = 8, .weight = 0}};
      auto quotas = berth::tenant_quota::of(
          queues, {.after_recall = {std::chrono::minutes{1}, 2, std::chrono::minutes{10}},
                   .stops_per_minute = 3});
      return adapted(berth::make_scheduler(nodes, config, berth::priority_class{},
                                           std::move(*quotas), berth::digest_observer{}));
    }};

}  // namespace tests
