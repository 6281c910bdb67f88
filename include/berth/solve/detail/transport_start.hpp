// SPDX-License-Identifier: BSL-1.0
// Where a network simplex for transportation starts when it knows nothing: a greedy flow, led by
// prices that a few rounds of the subgradient method have found (Held, Wolfe, Crowder, Mathematical
// Programming 6, 1974), and for each row the arcs that look cheapest at these prices. Both only
// save pivots; whatever they say, the simplex ends with the optimum.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/detail/transport_shortlist.hpp>
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
  using keyed_place = typename memory_type::keyed_place;
  static constexpr std::uint32_t none = memory_type::none;
  static constexpr std::uint32_t most_listed = memory_type::shortlist_length;

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
    m_.uses_shortlist =
        rows >= fewest_rows_for_shortlists && arcs > fewest_arcs_for_shortlists * rows;
    if (m_.uses_shortlist) {
      for (std::uint32_t row = 0; row < rows; ++row) {
        transport_shortlist<Cost>{problem_, m_}.make(row);
      }
    }
    std::ranges::copy(problem_.supply, m_.left.begin());
    std::ranges::copy(problem_.capacity, m_.room.begin());
    m_.shipment_count = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      ship_greedily(row);
    }
  }

 private:
  // With less than this, pivots are cheaper than avoiding them.
  static constexpr std::size_t fewest_arcs_for_rounds = 1024;
  static constexpr std::size_t fewest_rows_for_shortlists = 32;
  static constexpr std::size_t fewest_arcs_for_shortlists = 32;  // per row
  static constexpr int rounds = 6;

  [[nodiscard]] raw price_of_use(transport_arc<Cost> const& arc) const noexcept {
    return traits::to_raw(arc.cost) + m_.tree.price(arc.column);
  }

  /// In each round all rows want their cheapest column, and columns that too many want get dearer,
  /// others cheaper. The step is what a second choice costs on average, and shrinks.
  void find_prices() noexcept {
    std::size_t const rows = problem_.rows.size();
    std::size_t const columns = problem_.columns();
    raw step = std::max(mean_regret(), raw{1});
    for (int round = 0; round < rounds; ++round) {
      std::span<std::int32_t> const wanted = std::span{m_.room}.first(columns);
      std::ranges::fill(wanted, 0);
      for (std::uint32_t row = 0; row < rows; ++row) {
        raw best = m_.waiting[row];
        std::uint32_t column = none;
        for (transport_arc<Cost> const& arc : problem_.arcs_of(row)) {
          raw const price = price_of_use(arc);
          column = price < best ? arc.column : column;
          best = std::min(price, best);
        }
        if (column != none) {
          wanted[column] += problem_.supply[row];
        }
      }
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
        return;  // everybody gets the first choice
      }
      step = step * 7 / 10;
    }
  }

  /// How much dearer the second choice is, over all rows that have one, before any prices.
  [[nodiscard]] raw mean_regret() const noexcept {
    raw sum{};
    for (std::uint32_t row = 0; row < problem_.rows.size(); ++row) {
      raw best = traits::unreachable;
      raw second = traits::unreachable;
      for (transport_arc<Cost> const& arc : problem_.arcs_of(row)) {
        raw const cost = traits::to_raw(arc.cost);
        second = std::min(second, std::max(cost, best));
        best = std::min(cost, best);
      }
      sum += second == traits::unreachable ? raw{} : second - best;  // 2^18 times 2^41 at most
    }
    return sum / static_cast<raw>(problem_.rows.size());
  }

  /// Ships to one column after another, the cheapest first, while that is no worse than waiting.
  /// Each shipment uses up a row or a column, so that together they form a forest.
  void ship_greedily(std::uint32_t row) noexcept {
    // Few rows need more than one choice, or more than their list: only those sort their arcs.
    for (bool is_listed = true; is_listed && m_.left[row] > 0;) {
      keyed_place const best = first_choice(row);
      is_listed = m_.uses_shortlist && best.place != none;
      if (best.place != none) {
        ship(row, best.place);
      }
    }
    if (m_.left[row] == 0) {
      return;
    }
    auto const arcs = problem_.arcs_of(row);
    std::size_t count = 0;
    for (std::uint32_t place = 0; place < arcs.size(); ++place) {
      raw const key = price_of_use(arcs[place]);
      if (m_.room[arcs[place].column] > 0 && !(m_.waiting[row] < key)) {
        m_.keys[count++] = {key, place};
      }
    }
    auto const keys = m_.keys.begin();
    std::sort(keys, keys + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count && m_.left[row] > 0; ++i) {
      ship(row, m_.keys[i].place);
    }
  }

  /// The cheapest arc with room, on the shortlist if there is one; none if waiting is cheaper.
  [[nodiscard]] keyed_place first_choice(std::uint32_t row) const noexcept {
    keyed_place best{m_.waiting[row], none};
    auto const consider = [&](transport_arc<Cost> const& arc, std::uint32_t place) {
      keyed_place const here{price_of_use(arc), place};
      if (m_.room[arc.column] > 0 && here < best) {
        best = here;
      }
    };
    if (m_.uses_shortlist) {
      std::size_t const first = std::size_t{row} * most_listed;
      for (std::size_t at = first; at < first + m_.shortlist_count[row]; ++at) {
        consider(m_.shortlist[at], m_.shortlist_place[at]);
      }
    } else {
      auto const arcs = problem_.arcs_of(row);
      for (std::uint32_t place = 0; place < arcs.size(); ++place) {
        consider(arcs[place], place);
      }
    }
    return best;
  }

  void ship(std::uint32_t row, std::uint32_t place) noexcept {
    std::uint32_t const column = problem_.arcs_of(row)[place].column;
    std::int32_t const units = std::min(m_.left[row], m_.room[column]);
    if (units > 0) {  // a column may stand twice in a row
      m_.left[row] -= units;
      m_.room[column] -= units;
      m_.shipments[m_.shipment_count++] = {row, column, place, units, none, none};
    }
  }

  transport_problem<Cost> const& problem_;
  transport_memory<Cost>& m_;
};

}  // namespace detail
BERTH_NAMESPACE_END
