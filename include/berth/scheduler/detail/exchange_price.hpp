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

/// GPUs of a node that drain and nobody has been promised.
[[nodiscard]] inline gpu_mask surplus(node_book const& node) noexcept {
  return node.spec.health == node_health::up ? node.in(gpu_state::draining) & ~node.lost : 0;
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
  victim_price price;
  price.tick = e.state.tick_number;
  if constexpr (weighs_exchanges<Engine>) {
    suspension const how = e.parts.preemption.suspend(view, now);
    duration const resume = e.parts.preemption.resume(view, now);
    price.loss = how.allowed ? as_cost(e.parts.allocator.loss(view, how, resume, now))
                             : gpu_time::forbidden();
    price.leaves_in = leaves_in(how);
    price.cost.time = price.loss;
  } else {
    price.cost.time = clamped(price_of_stopping(e.parts.preemption, view, now));
  }
  price.cost.time = std::max(price.cost.time, gpu_time::zero());
  return price;
}

/// Where exchanges are weighed, levels do not count: what is left to run does.
template <class Engine>
void compare_victims(Engine& e, bool are_first) noexcept {
  workspace& w = e.work;
  auto const left = [&](std::uint32_t slot) {
    return std::min(e.state.view(slot).remaining().p50, max_duration);
  };
  if (are_first) {
    w.longest_left = duration{0};
    for (std::uint32_t const slot : w.victim_order) {
      w.longest_left = std::max(w.longest_left, left(slot));
    }
  }
  for (std::uint32_t const slot : w.victim_order) {
    duration const less = std::max(duration{0}, w.longest_left - left(slot));
    victim_price& price = w.victims[slot];
    price.cost = {0,
                  clamped(price.loss +
                          gpu_time{e.parts.allocator.returns_sooner(less, e.context()).count()})};
  }
}

/// What each victim costs on top, because `job` takes its place.
template <class Engine>
[[nodiscard]] rank_cost cost_of_stay(Engine const& e, std::uint32_t job) noexcept {
  if constexpr (weighs_exchanges<Engine>) {
    return {0, as_cost(e.parts.allocator.stay(e.state.view(job), e.context()))};
  } else {
    return {};
  }
}

/// It was weighed for `job`, and does not pay; of several places the cheapest is remembered.
/// Without victims `cost` is what any of them would have cost at least: it is told where none was
/// looked at.
inline void note_refusal(core_state& s, workspace& w, std::uint32_t job, std::int32_t victims,
                         duration wait, duration cost) noexcept {
  w.not_worth_it[job] = s.tick_number;
  exchange_note& note = s.exchanges[job];
  bool const is_other = note.decided != s.now || note.made;
  bool const says_more = victims > 0 && note.victims == 0;
  bool const says_less = victims == 0 && note.victims > 0;
  if (is_other || says_more || (!says_less && cost < note.cost)) {
    note = {s.jobs[job].id, s.now, false, victims, {}, wait, cost, forever};
  }
}

/// Could an exchange pay for `job` in which somebody stops who loses `loss`? It costs at least
/// that, and the time for which he is kept out. True where exchanges are not weighed. O(1) once the
/// starts of this tick are foreseen.
template <class Engine>
[[nodiscard]] bool may_pay(Engine& e, std::uint32_t job, gpu_time loss) noexcept {
  if constexpr (weighs_exchanges<Engine>) {
    job_view const view = e.state.view(job);
    tick_context const now = e.context();
    duration const stay = e.parts.allocator.stay(view, now);
    if (stay > max_duration) {
      return false;
    }
    duration const wait = wait_without_exchange(e, job);
    duration const least = stay + duration{loss.count()};
    bool const may = e.parts.allocator.pays(view, wait, least, now);
    core_state& s = e.state;
    std::uint32_t const last = s.yielding.first();
    if (!may && last != yield_order::nobody && s.waiter_key(job) < s.yielding.at(last).key) {
      note_refusal(s, e.work, job, 0, wait, least);
    }
    return may;
  } else {
    return true;
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

/// The stops that `victims` are about to be told pay for `job`, as price_of_exchange() has just
/// found. The next best place cost `next_best`.
template <class Engine, class Victims>
void note_exchange(Engine& e, std::uint32_t job, rank_cost next_best,
                   Victims const& victims) noexcept {
  core_state& s = e.state;
  exchange_note note{s.jobs[job].id, s.now, true, 0, {}, forever, forever, forever};
  for (std::uint32_t const victim : victims) {
    ++note.victims;
    note.lost += price_of_stopping(e.parts.preemption, s.view(victim), e.context());
  }
  if constexpr (weighs_exchanges<Engine>) {
    note.wait = wait_without_exchange(e, job);
    note.cost = e.work.weighed_cost;
    note.next_best = next_best.is_forbidden() ? forever : duration{next_best.time.count()};
  }
  s.exchanges[job] = note;
}

/// What it costs to use GPUs of a node that others leave already: when the last of those is gone,
/// and the time by which they are kept out longer than by the jobs that have them earmarked.
struct absorption {
  duration last{0};
  duration longer{0};
};
template <class Engine>
[[nodiscard]] absorption price_of_absorption(Engine const& e, std::uint32_t job,
                                             std::uint32_t node_slot) noexcept {
  absorption price;
  if constexpr (weighs_exchanges<Engine>) {
    core_state const& s = e.state;
    gpu_mask const left_over = surplus(s.books.node(node_slot));
    duration kept_out{0};
    s.books.for_each_booking(node_slot, [&](booking const& line) {
      if (line.kind == booking_kind::earmark) {
        kept_out = std::max(kept_out, e.parts.allocator.stay(s.view(line.job), e.context()));
      }
    });
    duration const stay = e.parts.allocator.stay(s.view(job), e.context());
    duration const more = std::max(duration{0}, std::min(stay, max_duration) - kept_out);
    s.books.for_each_booking(node_slot, [&](booking const& line) {
      if (line.kind == booking_kind::hold && (line.gpus & left_over) != 0) {
        price.last = std::max(price.last, saturating_sub(leaves_at(e, line.job), s.now));
        price.longer += kept_out > duration{0} ? more : duration{0};
      }
    });
  }
  return price;
}

/// The whole price of seating `job` where `victims` leave at the price `of_victims`, and the place
/// itself costs `seat`; forbidden if that does not pay. What was weighed stays in w.weighed_cost:
/// the price, by which places are compared, also says which victims would be back sooner.
template <class Engine, class Victims>
[[nodiscard]] rank_cost price_of_exchange(Engine& e, std::uint32_t job, rank_cost of_victims,
                                          gpu_time seat, Victims const& victims,
                                          absorption const& absorbed = {}) noexcept {
  if (of_victims.is_forbidden() || seat.is_forbidden()) {
    return rank_cost::forbidden();
  }
  if constexpr (weighs_exchanges<Engine>) {
    duration last = absorbed.last;
    for (std::uint32_t const victim : victims) {
      last = std::max(last, e.work.victims[victim].leaves_in);
    }
    gpu_time idle = seat;
    for (std::uint32_t const victim : victims) {
      idle += gpu_time{e.state.jobs[victim].gpus_held, last - e.work.victims[victim].leaves_in};
    }
    duration const worth = e.parts.allocator.worth(idle, e.context());
    duration const around = last + worth + absorbed.longer;
    duration const stay =
        std::min(e.parts.allocator.stay(e.state.view(job), e.context()), max_duration);
    duration cost = around;
    for (std::uint32_t const victim : victims) {
      cost += duration{e.work.victims[victim].loss.count()} + stay;
    }
    e.work.weighed_cost = cost;
    duration const wait = wait_without_exchange(e, job);
    bool const pays = e.parts.allocator.pays(e.state.view(job), wait, cost, e.context());
    if (!pays) {
      note_refusal(e.state, e.work, job, static_cast<std::int32_t>(std::size(victims)), wait, cost);
      return rank_cost::forbidden();
    }
    return {0, as_cost(duration{of_victims.time.count()} + around)};
  } else {
    return {of_victims.rank, clamped(of_victims.time + seat)};
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
