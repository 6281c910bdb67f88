// SPDX-License-Identifier: BSL-1.0
// The pivots of a network simplex for transportation: which arc enters next. Rows are priced in
// blocks by their cheapest arc; the rows of a block that gain enter one after another, the largest
// gain first, each priced again when its turn comes (multiple partial pricing, as in Grigoriadis,
// Mathematical Programming Study 26, 1986, section 3). Rows with many arcs look at a shortlist
// first; only when no list has anything to offer are all arcs looked at, and a row that gains gets
// a new list.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/budget.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/detail/transport_shortlist.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class transport_pricing {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using memory_type = transport_memory<Cost>;
  using tree_type = typename memory_type::tree_type;
  static constexpr std::uint32_t none = memory_type::none;

 public:
  transport_pricing(transport_problem<Cost> const& problem, transport_memory<Cost>& memory,
                    solve_budget const& budget) noexcept
      : problem_{problem},
        m_{memory},
        budget_{budget},
        rows_{static_cast<std::uint32_t>(problem.rows.size())},
        columns_{static_cast<std::uint32_t>(problem.columns())},
        next_question_{budget.is_unlimited() ? solve_budget::unlimited
                                             : std::min(budget.steps, steps_between_questions)} {}

  /// Pivots until nothing gains, or the budget is used up: true for an optimum. Ends, because no
  /// sequence of pivots cycles in a strongly feasible tree.
  [[nodiscard]] bool run() noexcept {
    if (next_question_ == 0) {
      ask_budget();
    }
    auto const all = [this](std::uint32_t row) {
      return arc_list{problem_.arcs.data() + problem_.rows[row].first, problem_.rows[row].count};
    };
    if (!m_.uses_shortlist) {
      price_blocks(all, [](std::uint32_t, std::uint32_t place) { return place; });
      return !is_over_;
    }
    auto const listed = [this](std::uint32_t row) {
      return arc_list{m_.shortlist.data() + first_listed(row), m_.shortlist_count[row]};
    };
    do {
      price_blocks(listed, [this](std::uint32_t row, std::uint32_t place) {
        return m_.shortlist_place[first_listed(row) + place];
      });
    } while (!is_over_ && renew_lists(all));
    return !is_over_;
  }

 private:
  static constexpr std::uint32_t block = 16;          // rows
  static constexpr std::uint32_t most_per_block = 4;  // pivots before pricing goes on
  static constexpr std::uint64_t steps_between_questions = 64;

  struct arc_list {
    transport_arc<Cost> const* arcs;
    std::uint32_t count;
  };
  struct gain {
    raw reduced;
    std::uint32_t place;  ///< of the arc in its list; none: waiting
  };
  struct candidate {
    raw reduced;
    std::uint32_t row;
    friend constexpr bool operator<(candidate const& a, candidate const& b) noexcept {
      return a.reduced < b.reduced || (a.reduced == b.reduced && a.row < b.row);
    }
  };

  [[nodiscard]] static std::size_t first_listed(std::uint32_t row) noexcept {
    return std::size_t{row} * memory_type::shortlist_length;
  }

  /// The least reduced cost of the row: waiting first, then the lowest place among equals.
  [[nodiscard]] gain best_of(std::uint32_t row, arc_list const& list) const noexcept {
    raw const* const price = m_.tree.prices();
    gain best{m_.waiting[row], none};
    for (std::uint32_t place = 0; place < list.count; ++place) {
      raw const here = traits::to_raw(list.arcs[place].cost) + price[list.arcs[place].column];
      if (here < best.reduced) {
        best = {here, place};
      }
    }
    best.reduced = best.reduced - price[columns_ + row];
    return best;
  }

  /// Blocks of rows, each with its share of the columns, round and round until a whole round gains
  /// nothing.
  template <class List, class PlaceOf>
  void price_blocks(List list_of, PlaceOf place_of) noexcept {
    std::uint32_t const blocks = std::max(1u, (rows_ + block - 1) / block);
    std::uint32_t const share = (columns_ + blocks - 1) / blocks;
    std::uint32_t quiet = 0;
    for (std::uint32_t at = 0; quiet < blocks && !is_over_; at = at + 1 == blocks ? 0 : at + 1) {
      bool const columns_gain = price_columns(at * share, std::min(columns_, (at + 1) * share));
      std::array<candidate, block> candidates;
      std::uint32_t count = 0;
      for (std::uint32_t row = at * block; row < std::min(rows_, (at + 1) * block); ++row) {
        if (gain const best = best_of(row, list_of(row)); best.reduced < raw{}) {
          candidates[count++] = {best.reduced, row};
        }
      }
      quiet = columns_gain || count > 0 ? 0 : quiet + 1;
      std::sort(candidates.begin(), candidates.begin() + count);
      for (std::uint32_t i = 0; i < std::min(count, most_per_block) && !is_over_; ++i) {
        std::uint32_t const row = candidates[i].row;
        arc_list const list = list_of(row);
        if (gain const best = best_of(row, list); best.reduced < raw{}) {
          if (best.place == none) {
            enter_waiting(row, best.reduced);
          } else {
            enter(row, place_of(row, best.place), list.arcs[best.place].column, best.reduced);
          }
        }
      }
    }
  }

  /// A column with a price below zero would rather have room left: the lowest of [first, last)
  /// does. Returns whether there was one.
  bool price_columns(std::uint32_t first, std::uint32_t last) noexcept {
    raw const* const price = m_.tree.prices();
    raw lowest{};
    std::uint32_t lowest_column = none;
    for (std::uint32_t column = first; column < last; ++column) {
      if (price[column] < lowest) {
        lowest = price[column];
        lowest_column = column;
      }
    }
    if (lowest_column != none) {
      pivot({m_.tree.root(), lowest_column, tree_type::to_root, lowest});
    }
    return lowest_column != none;
  }

  /// Looks at all arcs of all rows, and makes new lists for the rows that gain; returns whether any
  /// does.
  template <class List>
  [[nodiscard]] bool renew_lists(List all) noexcept {
    bool gains = false;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (best_of(row, all(row)).reduced < raw{}) {
        gains = true;
        transport_shortlist<Cost>{problem_, m_}.make(row);
      }
    }
    return gains;
  }

  void enter_waiting(std::uint32_t row, raw reduced) noexcept {
    pivot({columns_ + row, m_.tree.root(), tree_type::to_root, reduced});
  }
  void enter(std::uint32_t row, std::uint32_t place, std::uint32_t column, raw reduced) noexcept {
    if (!m_.tree.is_hung(column)) {  // nobody has wanted it so far
      m_.tree.hang_on_root(column, problem_.capacity[column], raw{});
    }
    pivot({columns_ + row, column, place, reduced});
  }

  void pivot(typename tree_type::entering const& by) noexcept {
    m_.tree.pivot(by);
    if (++steps_ >= next_question_) {
      ask_budget();
    }
  }

  /// The budget cannot end the work while rows that must ship do not: that would be no solution.
  void ask_budget() noexcept {
    bool const is_used_up =
        steps_ >= budget_.steps || (budget_.expired != nullptr && budget_.expired(budget_.context));
    is_over_ = is_used_up && is_feasible();
    next_question_ = steps_ + steps_between_questions;
    if (steps_ < budget_.steps) {
      next_question_ = std::min(next_question_, budget_.steps);
    }
  }

  /// Whether every row that must ship does. O(rows), which is why it is asked seldom.
  [[nodiscard]] bool is_feasible() const noexcept {
    if (!m_.must_ship) {
      return true;
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
      std::uint32_t const node = columns_ + row;
      if (m_.tree.is_hung(node) && m_.tree.arc(node) == tree_type::to_root &&
          m_.tree.flow(node) > 0 && left_out_cost(problem_.unmatched_cost, row).is_forbidden()) {
        return false;
      }
    }
    return true;
  }

  transport_problem<Cost> const& problem_;
  transport_memory<Cost>& m_;
  solve_budget const& budget_;
  std::uint32_t rows_;
  std::uint32_t columns_;
  std::uint64_t steps_ = 0;
  std::uint64_t next_question_;
  bool is_over_ = false;
};

}  // namespace detail
BERTH_NAMESPACE_END
