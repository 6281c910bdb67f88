// SPDX-License-Identifier: BSL-1.0
// The multiple-choice knapsack, exactly. Two ways: where all ladders climb by one common step and
// no step gains more than the one before, the largest gains are taken from a heap (Fox, Operations
// Research 14, 1966: marginal allocation is optimal there); any other ladders go through dynamic
// programming over the size chosen so far, with the choices stored (Kellerer, Pferschy, Pisinger,
// Knapsack Problems, 2004, section 11.5).
// Complexity: O(options + steps taken × log items), or O(options × capacity) with two bytes for
// each item and unit of capacity. Overflow rule: 2^18 items of ±2^40 stay within ±2^58.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/choice_problem.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

BERTH_NAMESPACE_BEGIN

/// Greatest value; among equals the least size; among those, at the last item where two choices
/// differ, its smaller option: what is left over goes to the item listed first. Both ways agree on
/// that. (Neither takes a budget: the work is known before it starts.)
struct choice_knapsack {
  template <class Problem>
  using workspace_for = choice_workspace<typename Problem::cost_type>;

  static constexpr std::size_t max_items = std::size_t{1} << 18;
  static constexpr std::size_t max_options =
      std::numeric_limits<std::uint16_t>::max();                       ///< an item
  static constexpr std::int32_t max_capacity = std::int32_t{1} << 20;  ///< unless the heap will do

  /// optimal | infeasible (the least sizes do not fit) | cost_out_of_range | too_large (beyond a
  /// maximum above, or what was reserved) | malformed (a negative size or capacity, sizes of an
  /// item that do not ascend, counts that do not add up). Does not allocate.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(choice_problem<Cost> const& problem,
                                   choice_workspace<Cost>& workspace) const noexcept {
    workspace.solution_ = {};
    if (solve_status const refused = refuse(problem, workspace); refused != solve_status::optimal) {
      return refused;
    }
    if (std::int64_t const step = common_step(problem, workspace); step >= 0) {
      return climb(problem, workspace, step);
    }
    return tabulate(problem, workspace);
  }

  /// The dynamic programme whatever the ladders are; for tests and comparisons. Statuses likewise.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve_by_table(choice_problem<Cost> const& problem,
                                            choice_workspace<Cost>& workspace) const noexcept {
    workspace.solution_ = {};
    solve_status const refused = refuse(problem, workspace);
    return refused == solve_status::optimal ? tabulate(problem, workspace) : refused;
  }

 private:
  template <class Cost>
  static choice_option<Cost> const* options_of(choice_problem<Cost> const& problem,
                                               choice_workspace<Cost> const& workspace,
                                               std::size_t item) noexcept {
    return problem.options.data() + workspace.first_option_[item];
  }

  template <class Cost>
  static solve_status refuse(choice_problem<Cost> const& problem,
                             choice_workspace<Cost>& workspace) noexcept {
    std::size_t const items = problem.option_count.size();
    if (items > max_items || items > workspace.items_) {
      return solve_status::too_large;
    }
    std::size_t options = 0;
    for (std::size_t item = 0; item < items; ++item) {
      workspace.first_option_[item] = options;
      options += problem.option_count[item];
      if (problem.option_count[item] > max_options) {
        return solve_status::too_large;
      }
    }
    if (options != problem.options.size() || problem.capacity < 0) {
      return solve_status::malformed;
    }
    for (std::size_t item = 0; item < items; ++item) {
      choice_option<Cost> const* const ladder = options_of(problem, workspace, item);
      for (std::size_t option = 0; option < problem.option_count[item]; ++option) {
        if (ladder[option].size < 0 ||
            (option > 0 && ladder[option].size <= ladder[option - 1].size)) {
          return solve_status::malformed;
        }
        if (!cost_traits<Cost>::in_range(ladder[option].value)) {
          return solve_status::cost_out_of_range;
        }
      }
    }
    return solve_status::optimal;
  }

  /// The size of every step of every ladder, if gains never rise along one; 0 if nobody can climb;
  /// -1 if the ladders are not so.
  template <class Cost>
  static std::int64_t common_step(choice_problem<Cost> const& problem,
                                  choice_workspace<Cost> const& workspace) noexcept {
    std::int64_t step = 0;
    for (std::size_t item = 0; item < problem.option_count.size(); ++item) {
      choice_option<Cost> const* const ladder = options_of(problem, workspace, item);
      std::size_t const count = problem.option_count[item];
      for (std::size_t option = 0; option < count; ++option) {
        if (ladder[option].value.is_forbidden()) {
          return -1;
        }
        if (option == 0) {
          continue;
        }
        std::int64_t const size = std::int64_t{ladder[option].size} - ladder[option - 1].size;
        if ((step != 0 && size != step) ||
            (option > 1 && gain(ladder, option - 1) < gain(ladder, option))) {
          return -1;
        }
        step = size;
      }
    }
    return step;
  }
  /// What an item gains by climbing to `option` from the one below.
  template <class Cost>
  static auto gain(choice_option<Cost> const* ladder, std::size_t option) noexcept {
    return cost_traits<Cost>::to_raw(ladder[option].value) -
           cost_traits<Cost>::to_raw(ladder[option - 1].value);
  }

  template <class Cost>
  static solve_status climb(choice_problem<Cost> const& problem, choice_workspace<Cost>& workspace,
                            std::int64_t step) noexcept {
    using raw = typename cost_traits<Cost>::raw;
    using climber = typename choice_workspace<Cost>::climber;
    std::int64_t left = problem.capacity;
    auto* const heap = workspace.heap_.data();
    std::size_t climbers = 0;
    // Largest gain first, then the item listed first.
    auto const is_after = [](climber const& a, climber const& b) {
      return a.gain < b.gain || (a.gain == b.gain && a.item > b.item);
    };
    auto const offer = [&](std::uint32_t item) {
      std::size_t const option = std::size_t{workspace.chosen_[item]} + 1;
      if (option < problem.option_count[item]) {
        raw const more = gain(options_of(problem, workspace, item), option);
        if (raw{} < more) {
          heap[climbers++] = {more, item};
          std::push_heap(heap, heap + climbers, is_after);
        }
      }
    };
    for (std::uint32_t item = 0; item < problem.option_count.size(); ++item) {
      if (problem.option_count[item] == 0) {
        return solve_status::infeasible;
      }
      left -= options_of(problem, workspace, item)->size;
      workspace.chosen_[item] = 0;
      offer(item);
    }
    if (left < 0) {
      return solve_status::infeasible;
    }
    for (; climbers > 0 && left >= step; left -= step) {
      std::pop_heap(heap, heap + climbers, is_after);
      std::uint32_t const item = heap[--climbers].item;
      ++workspace.chosen_[item];
      offer(item);
    }
    publish(problem, workspace);
    return solve_status::optimal;
  }

  template <class Cost>
  static solve_status tabulate(choice_problem<Cost> const& problem,
                               choice_workspace<Cost>& workspace) noexcept {
    using traits = cost_traits<Cost>;
    using raw = typename traits::raw;
    // Less than any sum of values, and so is what is left when they are added to it.
    constexpr raw impossible{-(std::int64_t{1} << 61)};
    constexpr raw least_possible{-(std::int64_t{1} << 60)};
    if (!workspace.has_table_ || problem.capacity > max_capacity ||
        static_cast<std::size_t>(problem.capacity) > workspace.capacity_) {
      return solve_status::too_large;
    }
    std::size_t const items = problem.option_count.size();
    std::size_t const width = workspace.capacity_ + 1;
    auto const capacity = static_cast<std::size_t>(problem.capacity);
    raw* best = workspace.best_.data();
    raw* next = workspace.next_.data();
    best[0] = raw{};
    std::size_t reach = 0;  // the largest size that can have been chosen so far
    for (std::size_t item = 0; item < items; ++item) {
      std::uint16_t* const choice = workspace.choice_.data() + item * width;
      choice_option<Cost> const* const ladder = options_of(problem, workspace, item);
      std::size_t const count = problem.option_count[item];
      auto const top =
          count == 0 ? std::size_t{0} : static_cast<std::size_t>(ladder[count - 1].size);
      std::size_t const end = std::min(capacity, reach + top);
      std::fill(next, next + end + 1, impossible);
      std::fill(choice, choice + end + 1, std::uint16_t{0});
      for (std::size_t option = 0; option < count; ++option) {
        auto const size = static_cast<std::size_t>(ladder[option].size);
        if (size > capacity || ladder[option].value.is_forbidden()) {
          continue;
        }
        raw const value = traits::to_raw(ladder[option].value);
        auto const number = static_cast<std::uint16_t>(option);
        std::size_t const last = std::min(reach, capacity - size);
        for (std::size_t at = 0; at <= last; ++at) {
          raw const sum = best[at] + value;
          if (next[at + size] < sum && least_possible < best[at]) {
            next[at + size] = sum;
            choice[at + size] = number;
          }
        }
      }
      std::swap(best, next);
      reach = end;
    }
    raw const* const most = std::max_element(best, best + reach + 1);  // the least size of those
    if (*most < least_possible) {
      return solve_status::infeasible;
    }
    auto at = static_cast<std::size_t>(most - best);
    for (std::size_t item = items; item-- > 0;) {
      std::uint32_t const option = workspace.choice_[item * width + at];
      workspace.chosen_[item] = option;
      at -= static_cast<std::size_t>(options_of(problem, workspace, item)[option].size);
    }
    publish(problem, workspace);
    return solve_status::optimal;
  }

  template <class Cost>
  static void publish(choice_problem<Cost> const& problem,
                      choice_workspace<Cost>& workspace) noexcept {
    using traits = cost_traits<Cost>;
    typename traits::raw total{};
    std::int64_t size = 0;
    for (std::size_t item = 0; item < problem.option_count.size(); ++item) {
      auto const& option = options_of(problem, workspace, item)[workspace.chosen_[item]];
      total = total + traits::to_raw(option.value);
      size += option.size;
    }
    workspace.solution_ = {{workspace.chosen_.data(), problem.option_count.size()},
                           size,
                           traits::from_raw(total),
                           traits::from_raw(total)};
  }
};

BERTH_NAMESPACE_END
