// SPDX-License-Identifier: BSL-1.0
// The search for a task for one free slot that still has a price: Dijkstra's algorithm against the
// direction of the ways, from the machine to the nearest task that would rather come in than stay
// out, or to the machine that can give one up for the least. Prices of places nearer than that
// fall. If nobody is worth it, the price of the slot itself falls to zero.
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
class task_flow_backward {
  using state = task_flow_state<Cost>;
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using place_record = typename state::place_record;

 public:
  task_flow_backward(task_flow_problem<Cost> const& problem, state& books) noexcept
      : problem_{problem}, books_{books} {}

  /// One search for `machine`, which has a free slot and a price above zero: afterwards it has one
  /// free slot less, or the price zero.
  void fill(std::uint32_t machine) noexcept {
    list_ways();
    goal_ = books_.places[machine].price;
    goal_place_ = machine;
    goal_task_ = state::none;
    books_.frontier.reach(machine, raw{}, 0);
    books_.frontier.settle_below(goal_, [this](std::uint32_t place) { settle(place); });
    lower_prices();
    move_along_path(machine);
    books_.frontier.forget();
  }

  /// Enters the ways of a task into the lists, if they are kept.
  void list(std::uint32_t task) noexcept {
    if (!books_.has_way_lists) {
      return;
    }
    auto const ways = problem_.ways_of(task);
    for (std::uint32_t way = 0; way < ways.size(); ++way) {
      std::uint32_t const index = task << books_.way_shift | way;
      if (ways[way].cost.is_forbidden()) {
        books_.way_links[index] = {state::none, unlisted};
        continue;
      }
      std::uint32_t& first = books_.first_way[ways[way].place];
      books_.way_links[index] = {first, head | ways[way].place};
      if (first != state::none) {
        books_.way_links[first].previous = index;
      }
      first = index;
    }
  }
  /// Takes them out again; does not look at the problem, in which they may have changed.
  void unlist(std::uint32_t task) noexcept {
    if (!books_.has_way_lists) {
      return;
    }
    for (std::uint32_t way = 0; way < problem_.ways_per_task; ++way) {
      auto const [next, previous] = books_.way_links[task << books_.way_shift | way];
      if (previous == unlisted) {
        continue;
      }
      if (next != state::none) {
        books_.way_links[next].previous = previous;
      }
      ((previous & head) != 0 ? books_.first_way[previous & ~head]
                              : books_.way_links[previous].next) = next;
    }
  }

 private:
  static constexpr std::uint32_t up = std::uint32_t{1} << 31;    ///< to the parent
  static constexpr std::uint32_t down = std::uint32_t{1} << 30;  ///< to the child in low bits
  // What stands before the first way of a list: its place.
  static constexpr std::uint32_t head = std::uint32_t{1} << 31;
  static constexpr std::uint32_t unlisted = state::none;

  void list_ways() noexcept {
    if (!books_.has_way_lists) {
      books_.has_way_lists = true;
      std::fill_n(books_.first_way.begin(), books_.place_count, state::none);
      for (std::size_t task = books_.task_count; task-- > 0;) {
        list(static_cast<std::uint32_t>(task));
      }
    }
  }

  void settle(std::uint32_t place) noexcept {
    place_record const& at = books_.places[place];
    raw const level = books_.frontier.nearest() + at.price;
    if (at.is_machine() && level < goal_) {
      goal_ = level;  // it gives up a task, and its price is gone
      goal_place_ = place;
      goal_task_ = state::none;
    }
    for (std::uint32_t index = books_.first_way[place]; index != state::none;
         index = books_.way_links[index].next) {
      consider(index, level);
    }
    if (at.parent != state::none) {
      raw const distance = level + at.cost - books_.places[at.parent].price;
      if (distance < goal_) {
        books_.frontier.reach(at.parent, distance, down | place);
      }
    }
    for (std::uint32_t i = 0; i < at.child_count; ++i) {
      std::uint32_t const child = books_.children[at.first_child + i];
      if (books_.places[child].flow > 0 && books_.frontier.nearest() < goal_) {
        books_.frontier.reach(child, books_.frontier.nearest(), up);
      }
    }
  }

  /// A way into a place at `level`: its task might move there from where it is.
  void consider(std::uint32_t index, raw level) noexcept {
    std::uint32_t const task = index >> books_.way_shift;
    std::uint32_t const way = index & ((1u << books_.way_shift) - 1);
    auto const& record = books_.tasks[task];
    if (record.place == state::waiting || record.way == way) {
      return;
    }
    raw const cost =
        traits::to_raw(problem_.ways[std::size_t{task} * problem_.ways_per_task + way].cost);
    raw distance = level + cost - record.cost;
    if (record.place == state::unscheduled) {
      if (distance < goal_) {
        goal_ = distance;
        goal_place_ = state::none;
        goal_task_ = index;
      }
      return;
    }
    distance = distance - books_.places[record.place].price;
    if (distance < goal_) {
      books_.frontier.reach(record.place, distance, index);
    }
  }

  void lower_prices() noexcept {
    books_.frontier.for_each_below(goal_, [this](std::uint32_t place, raw fall) {
      books_.places[place].price = books_.places[place].price - fall;
    });
    books_.note_fall(goal_);
  }

  void move_along_path(std::uint32_t machine) noexcept {
    if (goal_place_ == machine) {
      return;
    }
    std::uint32_t place = goal_place_;
    if (place != state::none) {
      --books_.places[place].used;
    } else {
      place = move(goal_task_);
    }
    while (place != machine) {
      std::uint32_t const step = books_.frontier.via(place);
      if ((step & up) != 0) {
        books_.add_flow(place, -1);
        place = books_.places[place].parent;
      } else if ((step & down) != 0) {
        place = step & ~down;
        books_.add_flow(place, 1);
      } else {
        place = move(step);
      }
    }
    ++books_.places[machine].used;
  }
  /// Moves a task to another of its ways; returns where that leads.
  std::uint32_t move(std::uint32_t index) noexcept {
    std::uint32_t const task = index >> books_.way_shift;
    std::uint32_t const way = index & ((1u << books_.way_shift) - 1);
    task_flow_way<Cost> const& to = problem_.ways_of(task)[way];
    books_.leave(task);
    books_.enter(task, way, to.place, traits::to_raw(to.cost), raw{} - task_flow_far<raw>);
    return to.place;
  }

  task_flow_problem<Cost> const& problem_;
  state& books_;
  raw goal_{};
  std::uint32_t goal_place_ = state::none;  ///< a machine that gives up a task; none: goal_task_
  std::uint32_t goal_task_ = state::none;   ///< the way of a task that is out
};

}  // namespace detail
BERTH_NAMESPACE_END
