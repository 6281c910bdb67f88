// SPDX-License-Identifier: BSL-1.0
// What task_flow keeps between solves: who is where, how many go down each branch of the tree, and
// the prices. The moves here keep the books; whether a move is a good one is for the searches.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/task_flow_frontier.hpp>
#include <berth/solve/task_flow_problem.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Longer than every path, and short enough to be added to: prices and distances stay below a
/// quarter of it.
template <class Raw>
inline constexpr Raw task_flow_far = Raw{std::int64_t{1} << 61};

template <solver_cost Cost>
struct task_flow_state {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using problem = task_flow_problem<Cost>;

  static constexpr std::uint32_t unscheduled = no_place;
  static constexpr std::uint32_t waiting = no_place - 1;  ///< not yet dealt with
  static constexpr std::uint32_t none = no_place;

  /// A task and the place that its way leads to; tasks at one place are a list.
  struct task_record {
    std::uint32_t place;
    std::uint32_t way;
    std::uint32_t next;
    std::uint32_t previous;
    raw cost;
    raw exit;  ///< see exit_of
  };
  struct place_record {
    raw price;
    raw cost;  ///< from the parent
    raw exit;  ///< least exit of the tasks here, see exit_of
    std::uint32_t parent;
    std::uint32_t first_task;
    std::uint32_t first_child;  ///< into children
    std::uint32_t child_count;
    std::uint32_t cursor;  ///< children before it are known to have no room
    std::int32_t slots;
    std::int32_t used;  ///< slots of a machine that are taken
    std::int32_t flow;  ///< tasks that come down from the parent

    [[nodiscard]] bool is_machine() const noexcept { return child_count == 0; }
    [[nodiscard]] bool has_room() const noexcept { return used < slots; }
  };

  std::vector<task_record> tasks;
  std::vector<place_record> places;
  std::vector<std::uint32_t> children;
  std::vector<raw> scratch;  ///< per task
  // The answer as far as it is about tasks. The machine of a task that entered at an aggregator is
  // that of the last answer until dispatch() has settled who takes which.
  std::vector<std::uint32_t> machine;
  std::vector<std::uint32_t> way;
  std::size_t task_count = 0;
  std::size_t place_count = 0;
  std::int64_t slot_count = 0;
  raw total{};
  /// How far prices may have fallen, all searches together.
  raw fallen{};

  task_flow_frontier<raw> frontier;  ///< of one search

  // The ways that lead to a place, as lists: only the backward search needs them, so they are
  // built when it first runs, in memory that is not even touched before.
  struct way_link {
    std::uint32_t next;
    std::uint32_t previous;
  };
  std::unique_ptr<way_link[]> way_links;
  std::vector<std::uint32_t> first_way;
  unsigned way_shift = 0;  ///< of a way's index: task << way_shift | number
  bool has_way_lists = false;

  void reserve(std::size_t task_limit, std::size_t place_limit, std::size_t way_limit) {
    tasks.resize(task_limit);
    scratch.resize(task_limit);
    machine.resize(task_limit);
    way.resize(task_limit);
    places.resize(place_limit);
    children.resize(place_limit);
    frontier.reserve(place_limit, traits::unreachable);
    first_way.resize(place_limit);
    way_shift = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(way_limit, 1) - 1));
    way_links = std::make_unique_for_overwrite<way_link[]>(task_limit << way_shift);
  }

  /// Reads the tree; nobody is anywhere, all tasks wait, and machines are free.
  void open(problem const& from) noexcept {
    task_count = from.tasks();
    place_count = from.places.size();
    fallen = raw{};
    has_way_lists = false;
    std::fill_n(machine.begin(), task_count, no_place);
    read_tree(from.places);
    set_machine_prices(raw{});
    set_aggregator_prices();
    empty_all();
  }
  void empty_all() noexcept {
    total = raw{};
    for (std::size_t place = 0; place < place_count; ++place) {
      place_record& record = places[place];
      record.exit = task_flow_far<raw>;
      record.first_task = none;
      record.cursor = 0;
      record.used = 0;
      record.flow = 0;
    }
    for (std::size_t task = 0; task < task_count; ++task) {
      tasks[task].place = waiting;
    }
  }

  void set_machine_prices(raw price) noexcept {
    for (std::size_t place = 0; place < place_count; ++place) {
      if (places[place].is_machine()) {
        places[place].price = price;
      }
    }
  }
  /// An aggregator costs what its cheapest child does.
  void set_aggregator_prices() noexcept {
    for (std::size_t place = 0; place < place_count; ++place) {
      place_record& record = places[place];
      if (!record.is_machine()) {
        record.price = traits::unreachable;
        for (std::uint32_t i = 0; i < record.child_count; ++i) {
          place_record const& child = places[children[record.first_child + i]];
          record.price = std::min(record.price, child.cost + child.price);
        }
      }
    }
  }

  /// What a task at `place` pays beyond its way when it goes elsewhere by the cheapest other way,
  /// without the price of `place`: a lower bound, since it is not renewed when prices rise. Prices
  /// that fell are made up for by `fallen`.
  [[nodiscard]] raw exit_of(raw stored) const noexcept { return stored - fallen; }

  /// Puts a task that is waiting where `way` leads. The flow from there down is the caller's.
  void enter(std::uint32_t task, std::uint32_t by_way, std::uint32_t place, raw cost,
             raw exit) noexcept {
    place_record& to = places[place];
    tasks[task] = {place, by_way, to.first_task, none, cost, exit};
    way[task] = by_way;
    if (to.is_machine()) {
      machine[task] = place;
    }
    if (to.first_task != none) {
      tasks[to.first_task].previous = task;
    }
    to.first_task = task;
    to.exit = std::min(to.exit, exit);
    total = total + cost;
  }
  void stay_out(std::uint32_t task, raw cost) noexcept {
    tasks[task] = {unscheduled, none, none, none, cost, raw{}};
    way[task] = machine[task] = none;
    total = total + cost;
  }
  /// Takes a task out of its place, or back from staying out.
  void leave(std::uint32_t task) noexcept {
    task_record& record = tasks[task];
    if (record.place != unscheduled) {
      place_record& from = places[record.place];
      (record.previous == none ? from.first_task : tasks[record.previous].next) = record.next;
      if (record.next != none) {
        tasks[record.next].previous = record.previous;
      }
      if (from.first_task == none) {
        from.exit = task_flow_far<raw>;
      }
    }
    total = total - record.cost;
    record.place = waiting;
  }
  /// Takes a task out together with the slot it has.
  void withdraw(std::uint32_t task) noexcept {
    if (std::uint32_t const entry = tasks[task].place; entry != unscheduled) {
      --places[machine[task]].used;
      for (std::uint32_t place = machine[task]; place != entry; place = places[place].parent) {
        add_flow(place, -1);
      }
    }
    leave(task);
    machine[task] = none;
  }
  /// Reads the slots anew; says whether a machine has less than are used.
  [[nodiscard]] bool set_slots(std::span<task_flow_place<Cost> const> from) noexcept {
    bool is_short = false;
    for (std::size_t place = 0; place < place_count; ++place) {
      slot_count += from[place].slots - places[place].slots;
      places[place].slots = from[place].slots;
      places[place].cursor = 0;
      is_short = is_short || places[place].used > places[place].slots;
    }
    return is_short;
  }
  /// One task more, or with -1 one less, comes to `place` from its parent.
  void add_flow(std::uint32_t place, std::int32_t units) noexcept {
    places[place].flow += units;
    total = units > 0 ? total + places[place].cost : total - places[place].cost;
  }

  /// A machine may ask a price only if it is full.
  [[nodiscard]] bool has_idle_price(std::uint32_t place) const noexcept {
    return places[place].has_room() && raw{} < places[place].price;
  }
  /// Whether prices and distances can be added to a price without leaving the safe range.
  [[nodiscard]] static bool is_small(raw price) noexcept {
    return traits::is_price(traits::from_raw(price), std::int64_t{1} << 59);
  }
  [[nodiscard]] bool can_sum_prices() const noexcept {
    return std::ranges::all_of(std::span{places}.first(place_count), [](place_record const& place) {
      return traits::is_price(traits::from_raw(place.price), std::int64_t{1} << 41);
    });
  }
  /// Prices have fallen by up to `drop`.
  void note_fall(raw drop) noexcept {
    fallen = fallen + drop;
    if (!is_small(fallen)) {
      fallen = raw{};
      for (task_record& task : std::span{tasks}.first(task_count)) {
        task.exit = raw{} - task_flow_far<raw>;
      }
      for (place_record& place : std::span{places}.first(place_count)) {
        place.exit = raw{} - task_flow_far<raw>;
      }
    }
  }

 private:
  void read_tree(std::span<task_flow_place<Cost> const> from) noexcept {
    slot_count = 0;
    for (std::size_t place = 0; place < place_count; ++place) {
      places[place].cost = traits::to_raw(from[place].cost);
      places[place].parent = from[place].parent;
      places[place].slots = from[place].slots;
      places[place].child_count = 0;
      slot_count += from[place].slots;
    }
    for (std::size_t place = 0; place < place_count; ++place) {
      if (places[place].parent != no_place) {
        ++places[places[place].parent].child_count;
      }
    }
    std::uint32_t end = 0;  // of the children of a place; they are entered from the back
    for (std::size_t place = 0; place < place_count; ++place) {
      end += places[place].child_count;
      places[place].first_child = end;
    }
    for (std::size_t place = place_count; place-- > 0;) {
      if (std::uint32_t const parent = places[place].parent; parent != no_place) {
        children[--places[parent].first_child] = static_cast<std::uint32_t>(place);
      }
    }
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
