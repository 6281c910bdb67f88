// SPDX-License-Identifier: BSL-1.0
// The search for a place for one task: Dijkstra's algorithm over the places, along ways that tasks
// could take and branches of the tree, from the task to the nearest free slot or the cheapest task
// to stay out (successive shortest paths; Ahuja, Magnanti, Orlin, Network Flows, 1993, section
// 9.7). It ends at the first goal, and only the prices of places nearer than that rise.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/task_flow_state.hpp>
#include <berth/solve/task_flow_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class task_flow_forward {
  using state = task_flow_state<Cost>;
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using place_record = typename state::place_record;
  using task_record = typename state::task_record;

 public:
  task_flow_forward(task_flow_problem<Cost> const& problem, state& books) noexcept
      : problem_{problem}, books_{books} {}

  /// Gives a waiting task its cheapest way if that leads to a free slot as prices are; if not,
  /// false, and nothing has changed.
  [[nodiscard]] bool place_directly(std::uint32_t task) noexcept {
    choice const best = cheapest_way(task);
    if (best.price == traits::unreachable) {
      return false;
    }
    if (best.way == state::none) {
      books_.stay_out(task, best.price);
      return true;
    }
    task_flow_way<Cost> const& way = problem_.ways_of(task)[best.way];
    std::uint32_t const machine = open_machine(way.place);
    if (machine == state::none) {
      return false;
    }
    ++books_.places[machine].used;
    for (std::uint32_t place = machine; place != way.place; place = books_.places[place].parent) {
      books_.add_flow(place, 1);
    }
    books_.enter(task, best.way, way.place, traits::to_raw(way.cost),
                 stored_exit(best.other, traits::to_raw(way.cost)));
    return true;
  }

  /// What a task pays at least at the present prices; unreachable if it can neither go nor stay.
  [[nodiscard]] raw least_price(std::uint32_t task) const noexcept {
    return cheapest_way(task).price;
  }

  /// Gives a waiting task a place, moving others along a shortest path; false if it has to go and
  /// cannot.
  [[nodiscard]] bool place(std::uint32_t task) noexcept {
    goal_ = traits::unreachable;
    choice const best = cheapest_way(task);
    if (best.price != traits::unreachable) {
      look_from(task, state::none, raw{} - best.price);
      books_.frontier.settle_below(goal_, [this](std::uint32_t place) { settle(place); });
    }
    bool const is_found = goal_ != traits::unreachable;
    if (is_found) {
      raise_prices();
      move_along_path();
    }
    books_.frontier.forget();
    return is_found;
  }

 private:
  // A step is a way of a task (task << way_shift | way) or a branch of the tree.
  static constexpr std::uint32_t down = std::uint32_t{1} << 30;  ///< from the parent
  static constexpr std::uint32_t up = std::uint32_t{1} << 31;    ///< from the child in low bits

  struct choice {
    std::uint32_t way = state::none;  ///< none: to stay out
    raw price = traits::unreachable;
    raw other = traits::unreachable;  ///< of the second cheapest
    constexpr void offer(std::uint32_t candidate, raw at) noexcept {
      if (at < price) {
        other = price;
        price = at;
        way = candidate;
      } else if (at < other) {
        other = at;
      }
    }
  };
  [[nodiscard]] choice cheapest_way(std::uint32_t task) const noexcept {
    choice best;
    auto const ways = problem_.ways_of(task);
    for (std::uint32_t way = 0; way < ways.size(); ++way) {
      if (!ways[way].cost.is_forbidden()) {
        best.offer(way, traits::to_raw(ways[way].cost) + books_.places[ways[way].place].price);
      }
    }
    if (Cost const out = problem_.unscheduled_cost[task]; !out.is_forbidden()) {
      best.offer(state::none, traits::to_raw(out));
    }
    return best;
  }
  [[nodiscard]] raw stored_exit(raw other, raw cost) const noexcept {
    return other == traits::unreachable ? task_flow_far<raw> : other - cost + books_.fallen;
  }

  /// A machine with a free slot under `place`, down branches without a reduced cost; or none.
  /// Prices must not change between calls with the same cursors.
  [[nodiscard]] std::uint32_t open_machine(std::uint32_t place) noexcept {
    place_record& from = books_.places[place];
    if (from.is_machine()) {
      return from.has_room() ? place : state::none;
    }
    for (; from.cursor < from.child_count; ++from.cursor) {
      std::uint32_t const child = books_.children[from.first_child + from.cursor];
      if (books_.places[child].cost + books_.places[child].price == from.price) {
        if (std::uint32_t const machine = open_machine(child); machine != state::none) {
          return machine;
        }
      }
    }
    return state::none;
  }

  void settle(std::uint32_t place) noexcept {
    place_record& at = books_.places[place];
    raw const level =
        books_.frontier.nearest() - at.price;  // what the next place's own price is added to
    if (level + books_.exit_of(at.exit) < goal_) {
      raw least = task_flow_far<raw>;
      for (std::uint32_t task = at.first_task; task != state::none;
           task = books_.tasks[task].next) {
        task_record& record = books_.tasks[task];
        if (level + books_.exit_of(record.exit) < goal_) {
          record.exit = stored_exit(look_from(task, record.way, level - record.cost), record.cost);
        }
        least = std::min(least, record.exit);
      }
      at.exit = least;
    }
    for (std::uint32_t i = 0; i < at.child_count; ++i) {
      std::uint32_t const child = books_.children[at.first_child + i];
      place_record const& to = books_.places[child];
      if (raw const distance = level + to.cost + to.price; distance < goal_) {
        reach(child, distance, down);
      }
    }
    if (at.flow > 0 && books_.frontier.nearest() < books_.frontier.distance(at.parent)) {
      reach(at.parent, books_.frontier.nearest(),
            up | place);  // a branch in use has no reduced cost
    }
  }

  /// Looks at all ways of a task but `current`; `base` plus a way's price is the distance. Returns
  /// the least price.
  raw look_from(std::uint32_t task, std::uint32_t current, raw base) noexcept {
    raw least = traits::unreachable;
    task_flow_way<Cost> const* const ways =
        problem_.ways.data() + std::size_t{task} * problem_.ways_per_task;
    for (std::uint32_t way = 0; way < problem_.ways_per_task; ++way) {
      if (way == current || ways[way].cost.is_forbidden()) {
        continue;
      }
      raw const price = traits::to_raw(ways[way].cost) + books_.places[ways[way].place].price;
      least = std::min(least, price);
      if (base + price < goal_) {
        reach(ways[way].place, base + price, task << books_.way_shift | way);
      }
    }
    if (Cost const out = problem_.unscheduled_cost[task]; !out.is_forbidden()) {
      raw const price = traits::to_raw(out);
      least = std::min(least, price);
      if (base + price < goal_) {
        goal_ = base + price;
        goal_task_ = task;
        goal_place_ = state::none;
      }
    }
    return least;
  }

  /// A step to `place`, at a distance below that of the goal.
  void reach(std::uint32_t place, raw distance, std::uint32_t step) noexcept {
    if (books_.places[place].has_room()) {
      goal_ = distance;
      goal_place_ = place;
      books_.frontier.set_via(place, step);
    } else {
      books_.frontier.reach(place, distance, step);
    }
  }

  void raise_prices() noexcept {
    books_.frontier.for_each_below(goal_, [this](std::uint32_t place, raw rise) {
      books_.places[place].price = books_.places[place].price + rise;
    });
  }

  void move_along_path() noexcept {
    std::uint32_t place = goal_place_;
    if (place != state::none) {
      ++books_.places[place].used;
    } else {
      place = books_.tasks[goal_task_].place;
      if (place != state::waiting) {
        books_.leave(goal_task_);
      }
      books_.stay_out(goal_task_, traits::to_raw(problem_.unscheduled_cost[goal_task_]));
    }
    while (place != state::waiting) {
      std::uint32_t const step = books_.frontier.via(place);
      if ((step & up) != 0) {
        place = step & ~up;
        books_.add_flow(place, -1);
      } else if ((step & down) != 0) {
        books_.add_flow(place, 1);
        place = books_.places[place].parent;
      } else {
        place = move(step >> books_.way_shift, step & ((1u << books_.way_shift) - 1));
      }
    }
  }
  /// Moves a task to another of its ways; returns where it was.
  std::uint32_t move(std::uint32_t task, std::uint32_t way) noexcept {
    std::uint32_t const from = books_.tasks[task].place;
    if (from != state::waiting) {
      books_.leave(task);
    }
    task_flow_way<Cost> const& to = problem_.ways_of(task)[way];
    books_.enter(task, way, to.place, traits::to_raw(to.cost), raw{} - task_flow_far<raw>);
    return from;
  }

  task_flow_problem<Cost> const& problem_;
  state& books_;
  raw goal_{};                              ///< distance of the nearest goal so far
  std::uint32_t goal_place_ = state::none;  ///< a machine with a free slot; none: goal_task_
  std::uint32_t goal_task_ = state::none;   ///< may stay out
};

}  // namespace detail
BERTH_NAMESPACE_END
