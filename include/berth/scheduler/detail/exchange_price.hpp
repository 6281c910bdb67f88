// SPDX-License-Identifier: BSL-1.0
// What an exchange costs and whether it pays, where the allocator weighs exchanges; everywhere else
// these are the prices of the victims and of the place as they are.
#pragma once

#include <berth/concepts/exchange.hpp>
#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/scheduler/detail/foresee.hpp>
#include <berth/scheduler/detail/state.hpp>
#include <berth/scheduler/detail/workspace.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Costs go to the solvers within their documented range.
[[nodiscard]] constexpr gpu_time clamped(gpu_time cost) noexcept {
  constexpr std::int64_t limit = std::int64_t{1} << 39;
  return cost.is_forbidden() ? cost : gpu_time{std::clamp(cost.count(), -limit, limit)};
}

template <class Engine>
inline constexpr bool weighs_exchanges = weighing_allocator<typename Engine::allocator_type>;

/// Job time in the cells of a matching.
[[nodiscard]] constexpr gpu_time as_cost(duration job_time) noexcept {
  return job_time == forever ? gpu_time::forbidden() : clamped(gpu_time{job_time.count()});
}

/// What a victim costs by itself: GPU-time destroyed, or what the allocator says that it loses.
template <class Engine>
[[nodiscard]] victim_price price_of_victim(Engine const& e, std::uint32_t slot) noexcept {
  job_view const view = e.state.view(slot);
  tick_context const now = e.context();
  if constexpr (weighs_exchanges<Engine>) {
    suspension const how = e.parts.preemption.suspend(view, now);
    duration const resume = e.parts.preemption.resume(view, now);
    gpu_time const loss = how.allowed ? as_cost(e.parts.allocator.loss(view, how, resume, now))
                                      : gpu_time::forbidden();
    return {
        e.state.tick_number, {0, std::max(loss, gpu_time::zero())}, false, how.drain + how.save};
  } else {
    gpu_time const price = clamped(price_of_stopping(e.parts.preemption, view, now));
    return {e.state.tick_number, {0, std::max(price, gpu_time::zero())}, false, duration{0}};
  }
}

/// What each victim costs on top, because of who takes its place.
template <class Engine>
void begin_exchange(Engine& e, std::uint32_t job) noexcept {
  if constexpr (weighs_exchanges<Engine>) {
    e.work.each_victim = {0, as_cost(e.parts.allocator.stay(e.state.view(job), e.context()))};
  }
}

/// The price of a place, in what is counted here.
template <class Engine>
[[nodiscard]] rank_cost price_of_seat(Engine const& e, rank_cost place) noexcept {
  if constexpr (weighs_exchanges<Engine>) {
    return place.is_forbidden()
               ? place
               : rank_cost{0, as_cost(e.parts.allocator.worth(place.time, e.context()))};
  } else {
    return place;
  }
}

/// The whole price of seating `job` where `victims` leave at the price `of_victims`, and the place
/// itself costs `seat`; forbidden if that does not pay.
template <class Engine, class Victims>
[[nodiscard]] rank_cost price_of_exchange(Engine& e, std::uint32_t job, rank_cost of_victims,
                                          gpu_time seat, Victims const& victims) noexcept {
  if (of_victims.is_forbidden() || seat.is_forbidden()) {
    return rank_cost::forbidden();
  }
  if constexpr (weighs_exchanges<Engine>) {
    duration last{0};
    for (std::uint32_t const victim : victims) {
      last = std::max(last, e.work.victims[victim].leaves_in);
    }
    gpu_time idle = seat;
    for (std::uint32_t const victim : victims) {
      idle += gpu_time{e.state.jobs[victim].gpus_held, last - e.work.victims[victim].leaves_in};
    }
    duration const worth = e.parts.allocator.worth(idle, e.context());
    duration const cost{of_victims.time.count() + last.count() + worth.count()};
    duration const wait = wait_without_exchange(e, job);
    bool const pays = e.parts.allocator.pays(e.state.view(job), wait, cost, e.context());
    return pays ? rank_cost{of_victims.rank, as_cost(cost)} : rank_cost::forbidden();
  } else {
    return {of_victims.rank, clamped(of_victims.time + seat)};
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
