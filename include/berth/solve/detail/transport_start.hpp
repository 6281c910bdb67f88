// SPDX-License-Identifier: BSL-1.0
// Where a network simplex for transportation starts when it knows nothing: a greedy flow, led by
// prices that a few rounds of the subgradient method have found (Held, Wolfe, Crowder, Mathematical
// Programming 6, 1974), and for each row the arcs that look cheapest at these prices. Both only
// save pivots; whatever they say, the simplex ends with the optimum.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class transport_start {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using memory_type = transport_memory<Cost>;
  using keyed_arc = typename memory_type::keyed_arc;
  static constexpr std::uint32_t none = memory_type::none;

 public:
  transport_start(transport_problem<Cost> const& problem, transport_memory<Cost>& memory) noexcept
      : problem_{problem}, m_{memory} {}

  /// Fills shipments, left and room; O(arcs) a round, and what the greedy needs.
  void run() noexcept {
    std::size_t const rows = problem_.rows.size();
    for (std::uint32_t column = 0; column < problem_.columns(); ++column) {
      m_.tree.set_price(column, problem_.capacity[column] == 0 ? m_.closed : raw{});
    }
    std::size_t arcs = 0;
    for (transport_row const& row : problem_.rows) {
      arcs += row.count;
    }
    if constexpr (std::integral<raw>) {
      if (arcs >= fewest_arcs_for_rounds) {
        find_prices();
      }
    }
    m_.uses_shortlist = arcs > fewest_arcs_for_shortlists * rows;
    if (m_.uses_shortlist) {
      for (std::uint32_t row = 0; row < rows; ++row) {
        list_cheapest(row);
      }
    }
    std::ranges::copy(problem_.supply, m_.left.begin());
    std::ranges::copy(problem_.capacity, m_.room.begin());
    m_.shipment_count = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      ship_greedily(row);
    }
  }

  /// Makes the shortlist of a row: its cheapest arcs at the prices of the columns in the tree, ties
  /// to the lower arc, in the order of the arcs. O(arcs of the row).
  void list_cheapest(std::uint32_t row) noexcept {
    constexpr std::uint32_t most = memory_type::shortlist_length;
    transport_row const lies = problem_.rows[row];
    std::uint32_t const count = std::min(lies.count, most);
    std::size_t at = std::size_t{row} * most;
    m_.shortlist_count[row] = count;
    keyed_arc last{traits::unreachable, none};
    if (lies.count > most) {
      for (std::uint32_t i = 0; i < lies.count; ++i) {
        m_.keys[i] = keyed(lies.first + i);
      }
      auto const keys = m_.keys.begin();
      std::nth_element(keys, keys + (most - 1), keys + lies.count);
      last = keys[most - 1];
    }
    for (std::uint32_t arc = lies.first; arc < lies.first + lies.count; ++arc) {
      if (!(last < keyed(arc))) {
        m_.shortlist[at] = problem_.arcs[arc];
        m_.shortlist_arc[at++] = arc;
      }
    }
  }

 private:
  /// Below, the first pass over all arcs is cheap enough.
  static constexpr std::size_t fewest_arcs_for_rounds = 1024;
  static constexpr std::size_t fewest_arcs_for_shortlists = 32;  // per row
  static constexpr int rounds = 6;

  [[nodiscard]] raw price_of_use(std::uint32_t arc) const noexcept {
    auto const& there = problem_.arcs[arc];
    return traits::to_raw(there.cost) + m_.tree.price(there.column);
  }
  [[nodiscard]] keyed_arc keyed(std::uint32_t arc) const noexcept {
    return {price_of_use(arc), arc};
  }

  /// In each round all rows want their cheapest column, and columns that too many want get dearer,
  /// others cheaper. The step is a share of what a second choice costs, and shrinks.
  void find_prices() noexcept {
    std::size_t const rows = problem_.rows.size();
    std::size_t const columns = problem_.columns();
    raw step{};
    for (int round = 0; round < rounds; ++round) {
      std::span<std::int32_t> const wanted = std::span{m_.room}.first(columns);
      std::ranges::fill(wanted, 0);
      raw regret{};
      for (std::uint32_t row = 0; row < rows; ++row) {
        raw best = m_.waiting[row];
        raw second = best;
        std::uint32_t column = none;
        for (transport_arc<Cost> const& arc : problem_.arcs_of(row)) {
          raw const price = traits::to_raw(arc.cost) + m_.tree.price(arc.column);
          column = price < best ? arc.column : column;
          second = std::min(second, std::max(price, best));
          best = std::min(price, best);
        }
        if (column != none) {
          wanted[column] += problem_.supply[row];
        }
        regret += (second - best) / static_cast<raw>(rows);
      }
      step = round == 0 ? std::max(regret, raw{1}) : step * 7 / 10;
      bool is_contended = false;
      for (std::uint32_t column = 0; column < columns; ++column) {
        std::int64_t const room = problem_.capacity[column];
        if (room == 0) {
          continue;
        }
        is_contended = is_contended || wanted[column] > room;
        std::int64_t const sixteenths =
            std::min<std::int64_t>(16 * (wanted[column] - room) / room, 48);
        m_.tree.set_price(column, std::max(raw{}, m_.tree.price(column) + step * sixteenths / 16));
      }
      if (!is_contended) {
        return;  // everybody got the first choice
      }
    }
  }

  /// Ships to one column after another, the cheapest first, while that is no worse than waiting.
  /// Each shipment uses up a row or a column, so that together they form a forest.
  void ship_greedily(std::uint32_t row) noexcept {
    if (m_.left[row] == 0) {
      return;
    }
    transport_row const lies = problem_.rows[row];
    keyed_arc best{m_.waiting[row], none};
    if (m_.uses_shortlist) {
      std::size_t const at = std::size_t{row} * memory_type::shortlist_length;
      for (std::size_t i = at; i < at + m_.shortlist_count[row]; ++i) {
        consider(m_.shortlist_arc[i], best);
      }
    } else {
      for (std::uint32_t arc = lies.first; arc < lies.first + lies.count; ++arc) {
        consider(arc, best);
      }
    }
    if (best.arc != none) {
      ship(row, best.arc);
    }
    if (m_.left[row] == 0 || lies.count == 0) {
      return;
    }
    std::size_t count = 0;
    for (std::uint32_t arc = lies.first; arc < lies.first + lies.count; ++arc) {
      keyed_arc const here = keyed(arc);
      if (m_.room[problem_.arcs[arc].column] > 0 && !(m_.waiting[row] < here.key)) {
        m_.keys[count++] = here;
      }
    }
    auto const keys = m_.keys.begin();
    std::sort(keys, keys + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count && m_.left[row] > 0; ++i) {
      ship(row, m_.keys[i].arc);
    }
  }

  void consider(std::uint32_t arc, keyed_arc& best) const noexcept {
    if (m_.room[problem_.arcs[arc].column] > 0 && keyed(arc) < best) {
      best = keyed(arc);
    }
  }

  void ship(std::uint32_t row, std::uint32_t arc) noexcept {
    std::uint32_t const column = problem_.arcs[arc].column;
    std::int32_t const units = std::min(m_.left[row], m_.room[column]);
    if (units > 0) {  // a column may stand twice in a row
      m_.left[row] -= units;
      m_.room[column] -= units;
      m_.shipments[m_.shipment_count++] = {row, column, arc, units, none, none};
    }
  }

  transport_problem<Cost> const& problem_;
  transport_memory<Cost>& m_;
};

}  // namespace detail
BERTH_NAMESPACE_END
