// SPDX-License-Identifier: BSL-1.0
// The matching in the making: which row is in which class, and prices at which every row is in a
// class that is cheapest for it. A class may for a while hold more rows than it has places, or have
// a price and room at once; positional_balance.hpp mends both. Being left out is one more class,
// the last, with room for all and price zero.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/positional_members.hpp>
#include <berth/solve/detail/positional_transfers.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/positional_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
struct positional_state {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  static constexpr std::uint32_t none = class_members::none;

  void reserve(std::size_t rows, std::size_t columns) {
    std::size_t const most = columns + 1;
    members.reserve(rows, most);
    transfers.reserve(most);
    paid.resize(rows);
    cost.resize(most);
    price.resize(most);
    capacity.resize(most);
    distance.resize(most);
    open.resize(most);
    next.resize(most);
    settled.resize(most);
  }

  /// No row in any class, every price zero.
  void start(std::size_t rows, std::size_t columns) noexcept {
    classes = columns + 1;
    members.clear(rows, classes);
    transfers.clear(classes);
    std::fill_n(price.begin(), classes, raw{});
    total = raw{};
  }
  /// The share part / whole of the capacities, rounded up.
  void set_capacity(std::span<std::int32_t const> whole_capacity, std::size_t part,
                    std::size_t whole) noexcept {
    for (std::size_t c = 0; c < whole_capacity.size(); ++c) {
      std::uint64_t const places = static_cast<std::uint64_t>(whole_capacity[c]) * part;
      capacity[c] = static_cast<std::int32_t>((places + whole - 1) / whole);
    }
    capacity[whole_capacity.size()] = std::numeric_limits<std::int32_t>::max();
  }

  /// Places by which these capacities differ from those set last, in all.
  [[nodiscard]] std::int64_t changed_places(
      std::span<std::int32_t const> whole_capacity) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < whole_capacity.size(); ++c) {
      sum += std::abs(std::int64_t{whole_capacity[c]} - capacity[c]);
    }
    return sum;
  }

  [[nodiscard]] bool is_in(std::size_t row) const noexcept { return members.class_of(row) != none; }
  [[nodiscard]] bool has_room(std::size_t at) const noexcept {
    return members.size(at) < capacity[at];
  }
  [[nodiscard]] bool is_overfull(std::size_t at) const noexcept {
    return members.size(at) > capacity[at];
  }

  /// Reads what `row` costs in every class into `cost`.
  void read(positional_problem<Cost> const& problem, std::size_t row) noexcept {
    std::span<Cost const> const cells = problem.cost.row(row);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cost[c] = cells[c].is_forbidden() ? traits::unreachable : traits::to_raw(cells[c]);
    }
    Cost const left_out = left_out_cost(problem.unmatched_cost, row);
    cost[cells.size()] = left_out.is_forbidden() ? traits::unreachable : traits::to_raw(left_out);
  }

  /// Asks the memory for what read() will want soon: the members of a class lie all over the
  /// matrix.
  static void prefetch(positional_problem<Cost> const& problem, std::size_t row) noexcept {
    constexpr std::size_t cells_per_line = 64 / sizeof(Cost);
    std::span<Cost const> const cells = problem.cost.row(row);
    for (std::size_t c = 0; c < cells.size(); c += cells_per_line) {
      __builtin_prefetch(&cells[c]);
    }
  }

  /// Lets `row` into a class that is cheapest for it at the prices, overfull or not: one with room
  /// before a full one, then the lowest. False if it may go nowhere.
  bool enter(positional_problem<Cost> const& problem, std::uint32_t row) noexcept {
    read(problem, row);
    raw least = traits::unreachable;
    for (std::size_t c = 0; c < classes; ++c) {
      raw const asked = cost[c] == traits::unreachable ? traits::unreachable : cost[c] + price[c];
      distance[c] = asked;
      least = asked < least ? asked : least;
    }
    if (least == traits::unreachable) {
      return false;
    }
    join(row, first_of_least(distance.data(), least));
    return true;
  }
  /// Puts `row`, whose costs were read last, into class `to`.
  void join(std::uint32_t row, std::uint32_t to) noexcept {
    members.join(row, to);
    transfers.join(row, to, cost.data());
    paid[row] = cost[to];
    total = total + paid[row];
  }
  void leave(std::uint32_t row) noexcept {
    std::uint32_t const from = members.class_of(row);
    members.leave(row);
    transfers.leave(row, from);
    total = total - paid[row];
  }

  /// The lowest of the classes whose `key` equals `least` that has room, else the lowest of them.
  [[nodiscard]] std::uint32_t first_of_least(raw const* key, raw const& least) const noexcept {
    std::uint32_t found = none;
    for (std::uint32_t c = 0; c < classes; ++c) {
      if (key[c] == least) {
        if (has_room(c)) {
          return c;
        }
        found = found == none ? c : found;
      }
    }
    return found;
  }

  /// Fills the lists of class `at` again where they have run dry.
  void refresh(positional_problem<Cost> const& problem, std::size_t at) noexcept {
    if (!transfers.is_dry(at)) {
      return;
    }
    transfers.start_over(at);
    for (std::uint32_t row = members.first(at); row != none; row = members.next(row)) {
      if (members.next(row) != none) {
        prefetch(problem, members.next(row));
      }
      read(problem, row);
      transfers.join(row, at, cost.data());
    }
  }

  /// Turns `next` from the class before to the class after, on the path that ends in `last`;
  /// returns its first class.
  [[nodiscard]] std::uint32_t reverse_path(std::uint32_t last) noexcept {
    std::uint32_t after = none;
    for (std::uint32_t at = last; at != none;) {
      std::uint32_t const before = next[at];
      next[at] = after;
      after = at;
      at = before;
    }
    return after;
  }

  /// Moves, along next from `from` to where it ends, one row per arc.
  void shift(positional_problem<Cost> const& problem, std::uint32_t from) noexcept {
    for (std::uint32_t to = next[from]; to != none; from = to, to = next[from]) {
      std::uint32_t const row = transfers.row(from, to);
      read(problem, row);
      leave(row);
      join(row, to);
    }
  }

  std::size_t classes = 0;
  class_members members;
  transfer_lists<traits> transfers;
  std::vector<raw> paid;   ///< per row that is in a class, its cost there
  std::vector<raw> price;  ///< per class
  std::vector<std::int32_t> capacity;
  raw total{};
  // One search.
  std::vector<raw> cost;
  std::vector<raw> distance;
  std::vector<raw> open;            ///< distance of classes that are not settled yet
  std::vector<std::uint32_t> next;  ///< per class, the one before or after it on the path
  std::vector<std::uint32_t> settled;
};

}  // namespace detail
BERTH_NAMESPACE_END
