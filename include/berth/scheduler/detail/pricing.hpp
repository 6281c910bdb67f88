// SPDX-License-Identifier: BSL-1.0
// The price of a place for a gang, in GPU-time: what the placement says, and what a slower GPU type
// costs.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/victims.hpp>
#include <berth/scheduler/detail/workspace.hpp>
#include <berth/solve/cost_traits.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Staying without a place outranks displacing anybody, and costs more for those that are earlier
/// in rank order. Leaving out an earlier gang of the same size for a later one does not pay either,
/// whoever would be displaced: at most `gangs` of them are matched together, and their places in
/// rank order lie further apart than the victims of all of them weigh (where gangs displace; there
/// are at most max_evicting then).
[[nodiscard]] constexpr rank_cost cost_of_waiting(std::uint32_t order, std::size_t gangs) noexcept {
  constexpr std::int64_t highest = cost_traits<rank_cost>::limit;
  return {highest - order * (highest / 2 / static_cast<std::int64_t>(gangs)), gpu_time::zero()};
}
static_assert(cost_traits<rank_cost>::limit / 2 / std::int64_t{workspace::max_evicting} >=
              std::int64_t{workspace::max_evicting} * above_victims_of_a_node);

/// GPU-time lost by running the rest of the job on `type` instead of the fastest type it allows.
/// Jobs of unknown length count as one hour.
[[nodiscard]] inline gpu_time slow_type_loss(job_view const& job, gpu_type type,
                                             std::int32_t gpus) noexcept {
  std::int32_t const best = job.best_speed();
  std::int32_t const here = job.form().speed[static_cast<std::size_t>(type)];
  if (here >= best) {
    return gpu_time::zero();
  }
  duration const left = job.remaining().p50 == forever
                            ? duration{std::chrono::hours{1}}
                            : std::min(job.remaining().p50, max_duration);
  std::int64_t const thousandths = std::int64_t{1000} * (best - here) / here;
  return gpu_time{gpus, duration{gpu_time{thousandths, left}.count() / 1000}};
}

template <class Engine>
[[nodiscard]] rank_cost price_of_place(Engine const& e, std::uint32_t job,
                                       berth_view const& place) noexcept {
  if (e.work.effort == batch_effort::tightest) {  // what the packer would take
    return rank_cost{0, gpu_time{place.free_after * max_gpu_types + static_cast<int>(place.type)}};
  }
  job_view const view = e.state.view(job);
  gpu_time const score = e.parts.placement.score(view, place, e.context());
  gpu_time const price = clamped(score + slow_type_loss(view, place.type, place.gpus));
  return price.is_forbidden() ? rank_cost::forbidden() : rank_cost{0, price};
}

}  // namespace detail
BERTH_NAMESPACE_END
