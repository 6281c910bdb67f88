// SPDX-License-Identifier: BSL-1.0
// Says to which machine every task goes. The searches only count how many go down each branch: who
// of those that entered at an aggregator takes which machine is free, and whoever has one that
// still does keeps it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/task_flow_state.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class task_flow_dispatch {
  using state = task_flow_state<Cost>;

 public:
  /// `left` is scratch memory, a number for each place.
  task_flow_dispatch(state& books, std::span<std::int32_t> left) noexcept
      : books_{books}, left_{left} {}

  /// O(places + tasks that entered at an aggregator).
  void run() noexcept {
    for (std::size_t place = 0; place < books_.place_count; ++place) {
      left_[place] = books_.places[place].flow;
      books_.places[place].cursor = 0;
    }
    for_all_under_aggregators([this](std::uint32_t task, std::uint32_t entry) {
      if (!keeps_machine(books_.machine[task], entry)) {
        books_.machine[task] = no_place;
      }
    });
    for_all_under_aggregators([this](std::uint32_t task, std::uint32_t entry) {
      if (books_.machine[task] == no_place) {
        books_.machine[task] = descend(entry);
      }
    });
  }

 private:
  template <class Action>
  void for_all_under_aggregators(Action act) noexcept {
    for (std::uint32_t place = 0; place < books_.place_count; ++place) {
      if (!books_.places[place].is_machine()) {
        for (std::uint32_t task = books_.places[place].first_task; task != state::none;
             task = books_.tasks[task].next) {
          act(task, place);
        }
      }
    }
  }

  /// Takes the branches from `entry` to `machine`, if there is one left on each.
  [[nodiscard]] bool keeps_machine(std::uint32_t machine, std::uint32_t entry) noexcept {
    if (machine == no_place) {
      return false;
    }
    for (std::uint32_t at = machine; at != entry; at = books_.places[at].parent) {
      if (at == no_place || left_[at] == 0) {
        return false;
      }
    }
    for (std::uint32_t at = machine; at != entry; at = books_.places[at].parent) {
      --left_[at];
    }
    return true;
  }
  /// Takes the first branches left. What was taken before were whole paths, so one always is.
  [[nodiscard]] std::uint32_t descend(std::uint32_t place) noexcept {
    while (!books_.places[place].is_machine()) {
      auto& from = books_.places[place];
      while (left_[books_.children[from.first_child + from.cursor]] == 0) {
        ++from.cursor;
      }
      place = books_.children[from.first_child + from.cursor];
      --left_[place];
    }
    return place;
  }

  state& books_;
  std::span<std::int32_t> left_;
};

}  // namespace detail
BERTH_NAMESPACE_END
