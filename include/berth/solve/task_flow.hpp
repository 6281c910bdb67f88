// SPDX-License-Identifier: BSL-1.0
// Exact min-cost flow of single tasks through a tree of places (task_flow_problem.hpp), cold, and
// warm after tasks or slots have changed, with integer costs.
// Method: tasks enter one by one along shortest paths, each found by a search that stops at the
// first goal (detail/task_flow_forward.hpp); freed slots are filled by a search against the ways
// (detail/task_flow_backward.hpp). Both accept any prices, so that those of the last solve serve
// the next. Where slots are scarce, plain successive shortest paths would take long ways to little
// effect; there an auction in a few rounds sets the prices first (detail/task_flow_opening.hpp),
// and what is left to search is as little as with slots in plenty. So one method serves both loads:
// Firmament races two (Gog et al., OSDI 2016, section 6).
// Complexity: a search is O((ways + tasks) log places) at worst and usually ends after a handful of
// places; one search a task that its cheapest way does not take, and at most one for each free slot
// with a price. Warm: O(tasks + places) to look for changes and to publish, with small constants,
// besides the searches. Memory: about 60 bytes and 8 for each way a task, 120 a place.
// Overflow rule: detail/task_flow_check.hpp. Ties: see task_flow_matcher.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/budget_meter.hpp>
#include <berth/solve/detail/task_flow_backward.hpp>
#include <berth/solve/detail/task_flow_check.hpp>
#include <berth/solve/detail/task_flow_dispatch.hpp>
#include <berth/solve/detail/task_flow_forward.hpp>
#include <berth/solve/detail/task_flow_opening.hpp>
#include <berth/solve/detail/task_flow_state.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/task_flow_problem.hpp>
#include <berth/solve/task_flow_workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

BERTH_NAMESPACE_BEGIN

/// The matcher for single tasks on a tree of places.
/// Ties: the answer depends on nothing but the problems solved in this workspace since the last
/// cold one, so it is the same on every platform; which of several optima it is, is not promised.
/// A task that enters at an aggregator keeps its machine while the optimum allows.
struct task_flow_matcher {
  template <class Problem>
  using workspace_for = task_flow_workspace<typename Problem::cost_type>;

  static constexpr std::size_t max_tasks = detail::max_flow_tasks;
  static constexpr std::size_t max_places = detail::max_flow_places;
  static constexpr std::int64_t max_slots = detail::max_flow_slots;  ///< of all machines
  static constexpr std::size_t max_ways = detail::max_flow_ways;     ///< of one task
  static constexpr std::size_t max_levels = detail::max_flow_levels;

  /// Solves from nothing. A step of the budget is a search; tasks that have to go are searched for
  /// whatever the budget says.
  /// optimal | feasible (the budget ended) | infeasible | cost_out_of_range | too_large (beyond a
  /// maximum above, or what was reserved) | malformed. Does not allocate.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(task_flow_problem<Cost> const& problem,
                                   task_flow_workspace<Cost>& workspace,
                                   solve_budget const& budget = {}) const noexcept {
    workspace.forget();
    if (problem.tasks() > workspace.tasks_ || problem.places.size() > workspace.places_ ||
        problem.ways_per_task > workspace.ways_) {
      return solve_status::too_large;
    }
    if (solve_status const refused = detail::refuse_task_flow(problem);
        refused != solve_status::optimal) {
      return refused;
    }
    auto& books = workspace.books_;
    books.open(problem);
    bool const is_scarce = books.slot_count < static_cast<std::int64_t>(books.task_count);
    std::size_t waiting = 0;
    if (!is_scarce) {
      waiting = place_all_directly(problem, workspace);
    }
    if (is_scarce || waiting > books.task_count / crowded_share) {
      detail::task_flow_opening<Cost>{problem, books}.set_prices();
      waiting = place_all_directly(problem, workspace);
    }
    return search_and_publish(problem, workspace, waiting, budget);
  }

  /// Solves from the last answer in this workspace, whatever its status: the same problem in which
  /// only the ways and the unscheduled costs of the tasks named in `changed` and the slots of any
  /// machine may differ. The same optimum as solve(), which it calls if there is no answer, or one
  /// of another size or with another tree.
  /// Statuses as for solve(); malformed also if `changed` names a task that is not there.
  template <solver_cost Cost>
  [[nodiscard]] solve_status resolve(task_flow_problem<Cost> const& problem,
                                     task_flow_workspace<Cost>& workspace,
                                     std::span<std::uint32_t const> changed,
                                     solve_budget const& budget = {}) const noexcept {
    if (!can_go_on(problem, workspace) || changed.size() > problem.tasks() / crowded_share) {
      return solve(problem, workspace, budget);
    }
    if (solve_status const refused = refuse_changes(problem, changed);
        refused != solve_status::optimal) {
      workspace.forget();
      return refused;
    }
    std::size_t const waiting = take_out(problem, workspace, changed);
    return search_and_publish(problem, workspace, waiting, budget);
  }

 private:
  // If more than one task in so many does not get its cheapest way, the machines are crowded,
  // however many slots there are; and if as many have changed, an old answer is of no use.
  static constexpr std::size_t crowded_share = 4;

  /// Places whom it can without a search; writes the others to waiting_ and returns how many.
  template <solver_cost Cost>
  static std::size_t place_all_directly(task_flow_problem<Cost> const& problem,
                                        task_flow_workspace<Cost>& workspace) noexcept {
    workspace.books_.empty_all();
    detail::task_flow_forward<Cost> forward{problem, workspace.books_};
    std::size_t waiting = 0;
    for (std::uint32_t task = 0; task < workspace.books_.task_count; ++task) {
      if (!forward.place_directly(task)) {
        workspace.waiting_[waiting++] = task;
      }
    }
    return waiting;
  }

  /// Whether the books are about this tree, so that there is nothing left to check in it but slots.
  template <solver_cost Cost>
  static bool can_go_on(task_flow_problem<Cost> const& problem,
                        task_flow_workspace<Cost> const& workspace) noexcept {
    auto const& books = workspace.books_;
    if (workspace.solved_ways_ != problem.ways_per_task || books.task_count != problem.tasks() ||
        books.place_count != problem.places.size() ||
        detail::refuse_sizes(problem) != solve_status::optimal) {
      return false;
    }
    std::int64_t slots = 0;
    std::int64_t changed = 0;
    for (std::size_t place = 0; place < books.place_count; ++place) {
      task_flow_place<Cost> const& given = problem.places[place];
      auto const& known = books.places[place];
      if (known.parent != given.parent || given.cost.is_forbidden() ||
          known.cost != cost_traits<Cost>::to_raw(given.cost) || !books.is_small(known.price) ||
          given.slots < 0 || (given.slots > 0 && !known.is_machine())) {
        return false;
      }
      slots += given.slots;
      changed += std::abs(std::int64_t{given.slots} - known.slots);
    }
    // Where much of the room has come or gone the old answer is of no use.
    return slots <= max_slots &&
           changed <= std::max<std::int64_t>(
                          64, static_cast<std::int64_t>(books.task_count / crowded_share));
  }

  template <solver_cost Cost>
  static solve_status refuse_changes(task_flow_problem<Cost> const& problem,
                                     std::span<std::uint32_t const> changed) noexcept {
    for (std::uint32_t const task : changed) {
      if (task >= problem.tasks()) {
        return solve_status::malformed;
      }
      if (solve_status const refused = detail::refuse_task(problem, task);
          refused != solve_status::optimal) {
        return refused;
      }
    }
    return solve_status::optimal;
  }

  /// Takes the changed tasks, those left behind, and those whose slots are gone from their places
  /// into waiting_; returns how many they are.
  template <solver_cost Cost>
  static std::size_t take_out(task_flow_problem<Cost> const& problem,
                              task_flow_workspace<Cost>& workspace,
                              std::span<std::uint32_t const> changed) noexcept {
    auto& books = workspace.books_;
    for (std::size_t i = 0; i < workspace.left_behind_; ++i) {
      books.leave(workspace.waiting_[i]);
    }
    std::size_t waiting = workspace.left_behind_;
    auto const take = [&](std::uint32_t task) {
      if (books.tasks[task].place != books.waiting) {
        books.withdraw(task);
        workspace.waiting_[waiting++] = task;
      }
    };
    detail::task_flow_backward<Cost> lists{problem, books};
    for (std::uint32_t const task : changed) {
      take(task);
      lists.unlist(task);
      lists.list(task);
    }
    if (books.set_slots(problem.places)) {
      for (auto task = static_cast<std::uint32_t>(books.task_count); task-- > 0;) {
        std::uint32_t const machine = books.machine[task];
        if (machine != no_place && books.places[machine].used > books.places[machine].slots) {
          take(task);
        }
      }
    }
    return waiting;
  }

  template <solver_cost Cost>
  static solve_status search_and_publish(task_flow_problem<Cost> const& problem,
                                         task_flow_workspace<Cost>& workspace, std::size_t waiting,
                                         solve_budget const& budget) noexcept {
    auto& books = workspace.books_;
    detail::budget_meter meter{budget};
    detail::task_flow_forward<Cost> forward{problem, books};
    workspace.left_behind_ = 0;
    for (std::size_t i = 0; i < waiting; ++i) {
      std::uint32_t const task = workspace.waiting_[i];
      if (forward.place_directly(task)) {
        continue;
      }
      Cost const out = problem.unscheduled_cost[task];
      if (!meter.spend() && !out.is_forbidden()) {
        books.stay_out(task, cost_traits<Cost>::to_raw(out));
        workspace.waiting_[workspace.left_behind_++] = task;
      } else if (!forward.place(task)) {
        workspace.forget();
        return solve_status::infeasible;
      }
    }
    detail::task_flow_backward<Cost> backward{problem, books};
    bool is_optimal = workspace.left_behind_ == 0;
    for (std::uint32_t place = 0; place < books.place_count; ++place) {
      while (books.has_idle_price(place) && meter.spend()) {
        backward.fill(place);
      }
      is_optimal = is_optimal && !books.has_idle_price(place);
    }
    publish(problem, workspace, is_optimal);
    return is_optimal ? solve_status::optimal : solve_status::feasible;
  }

  template <solver_cost Cost>
  static void publish(task_flow_problem<Cost> const& problem, task_flow_workspace<Cost>& workspace,
                      bool is_optimal) noexcept {
    using traits = cost_traits<Cost>;
    auto& books = workspace.books_;
    workspace.solved_ways_ = problem.ways_per_task;
    auto const bound = is_optimal ? books.total : lower_bound(problem, workspace);
    detail::task_flow_dispatch<Cost>{books, workspace.left_}.run();
    for (std::size_t place = 0; place < books.place_count; ++place) {
      workspace.flow_[place] = books.places[place].flow;
      workspace.price_[place] = traits::from_raw(books.places[place].price);
    }
    workspace.solution_ = {{books.machine.data(), books.task_count},
                           {books.way.data(), books.task_count},
                           {workspace.flow_.data(), books.place_count},
                           {workspace.price_.data(), books.place_count},
                           traits::from_raw(books.total),
                           traits::from_raw(bound)};
  }

  /// The value of the dual: what each task would pay at least, less what the slots cost. Prices too
  /// high to be added up prove nothing that prices of zero do not.
  template <solver_cost Cost>
  static auto lower_bound(task_flow_problem<Cost> const& problem,
                          task_flow_workspace<Cost>& workspace) noexcept {
    auto& books = workspace.books_;
    if (!books.can_sum_prices()) {
      books.set_machine_prices({});
      books.set_aggregator_prices();
      workspace.solved_ways_ = workspace.nothing_solved;
    }
    detail::task_flow_forward<Cost> const forward{problem, books};
    typename cost_traits<Cost>::raw bound{};
    for (std::uint32_t task = 0; task < books.task_count; ++task) {
      bound = bound + forward.least_price(task);
    }
    for (std::size_t place = 0; place < books.place_count; ++place) {
      bound = bound - std::int64_t{books.places[place].slots} * books.places[place].price;
    }
    return bound;
  }
};

BERTH_NAMESPACE_END
