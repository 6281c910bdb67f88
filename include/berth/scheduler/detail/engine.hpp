// SPDX-License-Identifier: BSL-1.0
// State, components and working memory of one scheduler: what the stages of a tick work on.
#pragma once

#include <berth/concepts/admission_policy.hpp>
#include <berth/concepts/exchange.hpp>
#include <berth/concepts/gang_allocator.hpp>
#include <berth/concepts/observer.hpp>
#include <berth/concepts/placement_policy.hpp>
#include <berth/concepts/preemption_cost.hpp>
#include <berth/concepts/quota_admission.hpp>
#include <berth/concepts/scheduling_policy.hpp>
#include <berth/concepts/sizing_allocator.hpp>
#include <berth/concepts/throughput_predictor.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/scheduler/detail/state.hpp>
#include <berth/scheduler/detail/workspace.hpp>

#include <cstdint>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <scheduling_policy Policy, placement_policy Placement, preemption_cost Preemption,
          gang_allocator Allocator, throughput_predictor Predictor, admission_policy Admission,
          decision_observer Observer>
struct components {
  [[no_unique_address]] Policy policy;
  [[no_unique_address]] Placement placement;
  [[no_unique_address]] Preemption preemption;
  [[no_unique_address]] Allocator allocator;
  [[no_unique_address]] Predictor predictor;
  [[no_unique_address]] Admission admission;
  [[no_unique_address]] Observer observer;

  /// What the components keep per job.
  struct job_data {
    [[no_unique_address]] job_data_of<Policy> policy{};
    [[no_unique_address]] job_data_of<Predictor> predictor{};
  };
};

template <class Components>
struct engine {
  using job_data = typename Components::job_data;
  using placement_type = decltype(Components::placement);
  using preemption_type = decltype(Components::preemption);
  using allocator_type = decltype(Components::allocator);
  using predictor_type = decltype(Components::predictor);
  using admission_type = decltype(Components::admission);

  /// Do stops that are found out of the question stay so until something happens? Whether one pays
  /// changes with the clock: a victim nears its boundary, another outlasts its estimate.
  static constexpr bool refuses_stops_timelessly =
      allows_timelessly<preemption_type> && !weighing_allocator<allocator_type>;

  engine(scheduler_config const& limits, int type_count, Components chosen)
      : state{limits, type_count},
        parts{std::move(chosen)},
        data(limits.max_jobs),
        work{limits, type_count} {
    if constexpr (sizing_allocator<allocator_type>) {
      state.ladders.reserve(limits.max_jobs, limits.max_rungs);
      work.sizing.reserve(limits.max_jobs, limits.max_rungs, limits.max_gpus);
    }
    if constexpr (quota_admission<admission_type>) {
      state.standing.resize(limits.max_jobs);
      work.by_rank.reserve(limits.max_jobs);
    }
    if constexpr (weighing_allocator<allocator_type>) {
      work.starts.reserve(limits.max_nodes, limits.max_gpus, limits.max_jobs);
    }
  }

  [[nodiscard]] tick_context context() const noexcept {
    tick_context told;
    told.now = state.now;
    told.gpu_total = state.books.gpu_total();
    told.gpus_offered = state.books.offered();
    told.jobs_leaving = state.leaving;
    told.jobs_waiting = static_cast<std::int64_t>(state.queues.size() - state.queues.hopeless() +
                                                  work.batch.size());
    told.longest_fluid_wait = state.fluid.longest;
    return told;
  }
  [[nodiscard]] priority_key key_of(std::uint32_t slot) noexcept {
    return ask_priority(parts.policy, state.view(slot), data[slot].policy, context());
  }

  core_state state;
  Components parts;
  std::vector<job_data> data;
  workspace work;
};

}  // namespace detail
BERTH_NAMESPACE_END
