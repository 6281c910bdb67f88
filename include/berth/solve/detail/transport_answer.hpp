// SPDX-License-Identifier: BSL-1.0
// From the last basis of a network simplex for transportation to the answer: flows, prices that
// prove it, and where the work was cut short, the bound that other prices prove.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class transport_answer {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using price = typename traits::price;
  using memory_type = transport_memory<Cost>;
  using tree_type = typename memory_type::tree_type;

 public:
  transport_answer(transport_problem<Cost> const& problem, transport_memory<Cost>& memory) noexcept
      : problem_{problem},
        m_{memory},
        rows_{static_cast<std::uint32_t>(problem.rows.size())},
        columns_{static_cast<std::uint32_t>(problem.columns())} {}

  /// optimal, feasible or infeasible; writes `solution` unless infeasible. O(rows + columns), and
  /// O(arcs) where rows must ship, a column has no capacity, or the work was cut short.
  [[nodiscard]] solve_status write(bool is_optimal, transport_solution<Cost>& solution) noexcept {
    if (m_.must_ship && !settle_dear_rows()) {
      return solve_status::infeasible;
    }
    raw const total = write_flow();
    raw bound = total;
    if (is_optimal) {
      write_prices();
    } else {
      bound = write_bound(total);
    }
    solution = {{m_.flow.data(), problem_.arcs.size()},
                {m_.unmatched_units.data(), rows_},
                {m_.row_price.data(), rows_},
                {m_.column_price.data(), columns_},
                traits::from_raw(total),
                traits::from_raw(bound)};
    return bound == total ? solve_status::optimal : solve_status::feasible;
  }

 private:
  static constexpr std::int64_t price_limit = std::int64_t{1} << 61;  // as certify() has it

  [[nodiscard]] bool waits_in_vain(std::uint32_t node) const noexcept {
    return m_.tree.is_row(node) && m_.tree.arc(node) == tree_type::to_root &&
           left_out_cost(problem_.unmatched_cost, node - columns_).is_forbidden();
  }

  /// False if a row that must ship does not. A subtree may still hang on such a row, at no units,
  /// and all of its prices are dear then; they come down together as far as they can, so that
  /// what is published are prices that somebody could pay.
  [[nodiscard]] bool settle_dear_rows() noexcept {
    tree_type& tree = m_.tree;
    bool any = false;
    std::fill_n(m_.marked.begin(), rows_ + columns_, std::uint8_t{0});
    std::uint32_t node = tree.next(tree.root());
    while (node != tree.root()) {
      bool const is_dear = waits_in_vain(node);
      if (is_dear && tree.flow(node) > 0) {
        return false;
      }
      any = any || is_dear;
      for (std::uint32_t left = tree.size(node); left > 0; --left) {
        m_.marked[node] = is_dear ? 1 : 0;
        node = tree.next(node);
      }
    }
    if (any) {
      lower(m_.marked.data());
    }
    return true;
  }

  /// Lowers the prices of the marked nodes by as much as leaves no reduced cost below zero.
  void lower(std::uint8_t const* is_marked) noexcept {
    raw least = m_.dear;
    for (std::uint32_t column = 0; column < columns_; ++column) {
      if (is_marked[column] != 0) {
        least = std::min(least, m_.tree.price(column));
      }
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (is_marked[columns_ + row] != 0) {
        continue;
      }
      raw const row_price = m_.tree.price(columns_ + row);
      for (transport_arc<Cost> const& arc : problem_.arcs_of(row)) {
        if (is_marked[arc.column] != 0) {
          least = std::min(least, traits::to_raw(arc.cost) + m_.tree.price(arc.column) - row_price);
        }
      }
    }
    for (std::uint32_t node = 0; node < rows_ + columns_; ++node) {
      if (is_marked[node] != 0) {
        m_.tree.set_price(node, m_.tree.price(node) - least);
      }
    }
  }

  /// Returns the total. Within ±2^60: at most 2^20 units at 2^40.
  raw write_flow() noexcept {
    for (std::size_t i = 0; i < m_.used_arc_count; ++i) {
      m_.flow[m_.used_arcs[i]] = 0;
    }
    m_.used_arc_count = 0;
    std::fill_n(m_.unmatched_units.begin(), rows_, 0);
    tree_type const& tree = m_.tree;
    raw total{};
    for (std::uint32_t node = tree.next(tree.root()); node != tree.root(); node = tree.next(node)) {
      std::int32_t const units = tree.flow(node);
      std::uint32_t const place = tree.arc(node);
      if (units == 0) {
        continue;
      }
      if (place != tree_type::to_root) {
        std::uint32_t const row = (tree.is_row(node) ? node : tree.parent(node)) - columns_;
        std::uint32_t const arc = problem_.rows[row].first + place;
        m_.flow[arc] = units;
        m_.used_arcs[m_.used_arc_count++] = arc;
        total = total + units * traits::to_raw(problem_.arcs[arc].cost);
      } else if (tree.is_row(node)) {
        m_.unmatched_units[node - columns_] = units;
        total = total + units * m_.waiting[node - columns_];
      }
    }
    return total;
  }

  /// The prices of an optimal tree. Who takes no part is priced by the others: a column without
  /// capacity as dear as it must be, a row without supply at its cheapest way.
  void write_prices() noexcept {
    bool any_closed = false;
    for (std::uint32_t column = 0; column < columns_; ++column) {
      if (problem_.capacity[column] == 0) {
        m_.tree.set_price(column, raw{});
        any_closed = true;
      }
    }
    for (std::uint32_t row = 0; row < rows_ && any_closed; ++row) {
      if (problem_.supply[row] == 0) {
        continue;
      }
      raw const row_price = m_.tree.price(columns_ + row);
      for (transport_arc<Cost> const& arc : problem_.arcs_of(row)) {
        if (problem_.capacity[arc.column] == 0) {
          m_.tree.set_price(arc.column, std::max(m_.tree.price(arc.column),
                                                 row_price - traits::to_raw(arc.cost)));
        }
      }
    }
    for (std::uint32_t column = 0; column < columns_; ++column) {
      m_.column_price[column] = traits::from_raw(m_.tree.price(column));
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
      raw const row_price =
          problem_.supply[row] == 0 ? highest_price(row) : m_.tree.price(columns_ + row);
      m_.row_price[row] = traits::from_raw(row_price);
    }
  }

  /// The highest price at which no reduced cost of the row is negative; zero if it has no way.
  [[nodiscard]] raw highest_price(std::uint32_t row) const noexcept {
    Cost const left_out = left_out_cost(problem_.unmatched_cost, row);
    raw highest = left_out.is_forbidden() ? traits::unreachable : traits::to_raw(left_out);
    for (transport_arc<Cost> const& arc : problem_.arcs_of(row)) {
      highest = std::min(highest, traits::to_raw(arc.cost) + m_.tree.price(arc.column));
    }
    return highest == traits::unreachable ? raw{} : highest;
  }

  /// Prices and bound of a tree that is not optimal: any column prices that are not negative give
  /// one, the tree's first. Should they be too high to compute with, zero does.
  raw write_bound(raw total) noexcept {
    for (std::uint32_t column = 0; column < columns_; ++column) {
      raw const asked = m_.tree.price(column);
      bool const is_open = problem_.capacity[column] > 0 && raw{} < asked;
      m_.tree.set_price(column, is_open ? asked : raw{});
    }
    raw gap{};
    if (!add_gap(gap)) {
      for (std::uint32_t column = 0; column < columns_; ++column) {
        m_.tree.set_price(column, raw{});
      }
      gap = raw{};
      static_cast<void>(add_gap(gap));  // at most 2^20 units at 2^41
    }
    for (std::uint32_t column = 0; column < columns_; ++column) {
      m_.column_price[column] = traits::from_raw(m_.tree.price(column));
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
      m_.row_price[row] = traits::from_raw(highest_price(row));
    }
    return total - gap;
  }

  /// Adds up what every unit pays above the prices, and the prices of the room that is left; a
  /// column never needs more room than there are units. False if the sum leaves the safe range.
  [[nodiscard]] bool add_gap(raw& gap) noexcept {
    std::int64_t units = 0;
    std::ranges::copy(problem_.capacity, m_.room.begin());
    bool is_safe = true;
    auto const add = [&](std::int64_t times, raw surplus) {
      if (times == 0 || !is_safe) {
        return;
      }
      is_safe = traits::is_price(traits::from_raw(surplus), price_limit / times);
      if (is_safe) {
        gap = gap + times * surplus;
        is_safe = traits::is_price(traits::from_raw(gap), price_limit);
      }
    };
    for (std::uint32_t row = 0; row < rows_; ++row) {
      units += problem_.supply[row];
      raw const row_price = highest_price(row);
      add(m_.unmatched_units[row], m_.waiting[row] - row_price);
      transport_row const lies = problem_.rows[row];
      for (std::uint32_t arc = lies.first; arc < lies.first + lies.count; ++arc) {
        if (m_.flow[arc] > 0) {
          auto const& there = problem_.arcs[arc];
          add(m_.flow[arc], traits::to_raw(there.cost) + m_.tree.price(there.column) - row_price);
          m_.room[there.column] -= m_.flow[arc];
        }
      }
    }
    for (std::uint32_t column = 0; column < columns_; ++column) {
      std::int64_t const used = problem_.capacity[column] - m_.room[column];
      add(std::min<std::int64_t>(problem_.capacity[column], units) - used, m_.tree.price(column));
    }
    return is_safe;
  }

  transport_problem<Cost> const& problem_;
  transport_memory<Cost>& m_;
  std::uint32_t rows_;
  std::uint32_t columns_;
};

}  // namespace detail
BERTH_NAMESPACE_END
