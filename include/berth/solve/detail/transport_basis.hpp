// SPDX-License-Identifier: BSL-1.0
// The first basis of a network simplex for transportation, from a flow: what a greedy has shipped,
// or what is left of the last answer when rows and capacities have changed. Arcs that carry
// something form a forest; each of its trees is hung below the root by a column with room or a row
// that waits, and a tree with neither by an arc that carries nothing, chosen as a dual simplex
// would: the one that changes prices least. A tree with several ways to the root closes a cycle
// with each but one; a pivot takes these apart.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class transport_basis {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using memory_type = transport_memory<Cost>;
  using tree_type = typename memory_type::tree_type;
  using shipment = typename memory_type::shipment;
  using pending = typename memory_type::pending;
  static constexpr std::uint32_t none = memory_type::none;
  static constexpr std::uint32_t to_root = tree_type::to_root;

 public:
  transport_basis(transport_problem<Cost> const& problem, transport_memory<Cost>& memory) noexcept
      : problem_{problem},
        m_{memory},
        rows_{static_cast<std::uint32_t>(problem.rows.size())},
        columns_{static_cast<std::uint32_t>(problem.columns())} {}

  /// Takes over what the kept tree ships, as far as rows, supplies and capacities still allow it.
  /// O(rows + columns).
  void keep_flow() noexcept {
    std::ranges::copy(problem_.supply, m_.left.begin());
    std::ranges::copy(problem_.capacity, m_.room.begin());
    std::fill_n(m_.marked.begin(), rows_ + columns_, std::uint8_t{0});
    m_.shipment_count = 0;
    tree_type const& tree = m_.tree;
    for (std::uint32_t node = tree.next(tree.root()); node != tree.root(); node = tree.next(node)) {
      std::uint32_t const place = tree.arc(node);
      if (place == to_root) {
        m_.marked[node] = 1;
        continue;
      }
      std::uint32_t const row = (tree.is_row(node) ? node : tree.parent(node)) - columns_;
      std::uint32_t const column = tree.is_row(node) ? tree.parent(node) : node;
      auto const arcs = problem_.arcs_of(row);
      if (problem_.supply[row] == 0 || place >= arcs.size() || arcs[place].column != column) {
        continue;
      }
      std::int32_t const units = std::min(tree.flow(node), m_.left[row]);
      m_.left[row] -= units;
      m_.room[column] -= units;  // may fall below zero, for a moment
      m_.shipments[m_.shipment_count++] = {row, column, place, units, none, none};
    }
    for (std::size_t i = m_.shipment_count; i > 0; --i) {
      shipment& sent = m_.shipments[i - 1];
      if (m_.room[sent.column] < 0) {
        std::int32_t const back = std::min(sent.units, -m_.room[sent.column]);
        sent.units -= back;
        m_.left[sent.row] += back;
        m_.room[sent.column] += back;
      }
    }
  }

  /// Makes the tree out of shipments, left and room. With `keeps`, ways to the root that the last
  /// tree had come first, and its arcs that carry nothing serve again.
  void build(bool keeps) noexcept {
    prepare();
    if (keeps) {
      hang_by_root([this](std::uint32_t node) { return m_.marked[node] != 0; });
    }
    hang_by_root([this, keeps](std::uint32_t node) { return !keeps || m_.marked[node] == 0; });
    if (keeps) {
      hang_by_idle_arcs();
    }
    for (std::size_t i = 0; i < m_.shipment_count; ++i) {
      if (m_.shipments[i].units > 0 && !m_.tree.is_hung(m_.shipments[i].column)) {
        hang_by_least_change(m_.shipments[i].column);
      }
    }
    m_.tree.count_sizes();
    for (std::size_t i = 0; i < extra_; ++i) {
      take_apart(m_.extra_on_root[i]);
    }
  }

 private:
  void prepare() noexcept {
    m_.tree.clear(columns_, rows_);
    for (std::uint32_t column = 0; column < columns_; ++column) {
      m_.tree.set_price(column, problem_.capacity[column] == 0 ? m_.closed : raw{});
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (problem_.supply[row] == 0) {
        m_.tree.set_price(columns_ + row, raw{} - m_.closed);
      }
    }
    std::fill_n(m_.head.begin(), rows_ + columns_, none);
    for (std::uint32_t i = 0; i < m_.shipment_count; ++i) {
      shipment& sent = m_.shipments[i];
      sent.next_of_row = m_.head[columns_ + sent.row];
      sent.next_of_column = m_.head[sent.column];
      m_.head[columns_ + sent.row] = i;
      m_.head[sent.column] = i;
    }
    extra_ = 0;
  }

  /// Calls visit(neighbour, shipment) for what ships to or from `node`.
  template <class Visit>
  void for_each_neighbour(std::uint32_t node, Visit visit) const noexcept {
    bool const is_row = m_.tree.is_row(node);
    for (std::uint32_t i = m_.head[node]; i != none;
         i = is_row ? m_.shipments[i].next_of_row : m_.shipments[i].next_of_column) {
      shipment const& sent = m_.shipments[i];
      visit(is_row ? sent.column : columns_ + sent.row, sent);
    }
  }

  /// Hangs by the root what `is_due` and has a way there: a column that somebody ships to and that
  /// has room left, a row that waits.
  template <class Due>
  void hang_by_root(Due is_due) noexcept {
    auto const hang = [this](std::uint32_t node, std::int32_t units) {
      if (m_.tree.is_hung(node)) {
        m_.extra_on_root[extra_++] = node;
      } else {
        hang_tree({node, m_.tree.root(), to_root, units}, m_.tree.root());
      }
    };
    for (std::uint32_t column = 0; column < columns_; ++column) {
      if (m_.head[column] != none && m_.room[column] > 0 && is_due(column)) {
        hang(column, m_.room[column]);
      }
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (m_.left[row] > 0 && is_due(columns_ + row)) {
        hang(columns_ + row, m_.left[row]);
      }
    }
  }

  /// An arc without flow may only lead up: from a row to the column above it.
  void hang_by_idle_arcs() noexcept {
    tree_type& tree = m_.tree;
    for (std::uint32_t node = tree.next(tree.root()); node != tree.root(); node = tree.next(node)) {
      if (tree.is_row(node)) {
        continue;
      }
      for_each_neighbour(node, [&](std::uint32_t row, shipment const& sent) {
        if (sent.units == 0 && !tree.is_hung(row)) {
          hang_tree({row, node, sent.place, 0}, node);
        }
      });
    }
  }

  /// Hangs a tree that has no flow to or from the root at one of its rows, which then waits at no
  /// units or ships none to a column that hangs already. Of all these ways the one at which prices
  /// rise least: then most arcs of the rows are dearer than what they use, as they should be.
  /// O(arcs that its rows try first).
  void hang_by_least_change(std::uint32_t start) noexcept {
    raw least = traits::unreachable;
    pending link{};
    std::size_t size = 0;
    m_.stack[size++] = {start, none, to_root, 0};
    while (size > 0) {
      pending const at = m_.stack[--size];
      m_.tree.set_price(at.node, at.parent == none ? raw{} : price_below(at));
      if (m_.tree.is_row(at.node)) {
        improve_link(at.node, least, link);
      }
      push_neighbours(at, size);
    }
    if (link.parent != m_.tree.root() && !m_.tree.is_hung(link.parent)) {
      m_.tree.hang_leaf(link.parent, m_.tree.root(), m_.tree.root(), to_root, m_.room[link.parent],
                        raw{});
    }
    hang_tree(link, link.parent);
  }

  void improve_link(std::uint32_t node, raw& least, pending& link) const noexcept {
    std::uint32_t const row = node - columns_;
    raw const price = m_.tree.price(node);
    auto const offer = [&](raw change, std::uint32_t parent, std::uint32_t place) {
      if (change < least) {
        least = change;
        link = {node, parent, place, 0};
      }
    };
    offer(m_.waiting[row] - price, m_.tree.root(), to_root);
    auto const try_arc = [&](transport_arc<Cost> const& arc, std::uint32_t place) {
      if (m_.tree.is_hung(arc.column) || m_.head[arc.column] == none) {
        offer(traits::to_raw(arc.cost) + m_.tree.price(arc.column) - price, arc.column, place);
      }
    };
    if (m_.uses_shortlist) {
      std::size_t const at = std::size_t{row} * memory_type::shortlist_length;
      for (std::size_t i = at; i < at + m_.shortlist_count[row]; ++i) {
        try_arc(m_.shortlist[i], m_.shortlist_place[i]);
      }
    } else {
      auto const arcs = problem_.arcs_of(row);
      for (std::uint32_t place = 0; place < arcs.size(); ++place) {
        try_arc(arcs[place], place);
      }
    }
  }

  /// Hangs `top` and all that flow connects with it, in preorder behind `after` in the thread.
  void hang_tree(pending const& top, std::uint32_t after) noexcept {
    std::size_t size = 0;
    m_.stack[size++] = top;
    while (size > 0) {
      pending const at = m_.stack[--size];
      m_.tree.hang_leaf(at.node, at.parent, after, at.place, at.units, price_below(at));
      after = at.node;
      push_neighbours(at, size);
    }
  }

  void push_neighbours(pending const& at, std::size_t& size) noexcept {
    for_each_neighbour(at.node, [&](std::uint32_t neighbour, shipment const& sent) {
      if (sent.units > 0 && neighbour != at.parent) {
        m_.stack[size++] = {neighbour, at.node, sent.place, sent.units};
      }
    });
  }

  /// The price at which the arc to the parent is tight.
  [[nodiscard]] raw price_below(pending const& at) const noexcept {
    bool const is_row = m_.tree.is_row(at.node);
    if (at.place == to_root) {
      return is_row ? m_.waiting[at.node - columns_] : raw{};
    }
    std::uint32_t const row = (is_row ? at.node : at.parent) - columns_;
    raw const cost = traits::to_raw(problem_.arcs_of(row)[at.place].cost);
    return is_row ? m_.tree.price(at.parent) + cost : m_.tree.price(at.parent) - cost;
  }

  /// Moves what the second way to the root of `node` carries to where it costs less.
  void take_apart(std::uint32_t node) noexcept {
    tree_type& tree = m_.tree;
    bool const is_row = tree.is_row(node);
    std::int32_t const units = is_row ? m_.left[node - columns_] : m_.room[node];
    raw const reduced = is_row ? m_.waiting[node - columns_] - tree.price(node) : tree.price(node);
    bool const takes_back = !(reduced < raw{});
    bool const leads_to_root = is_row != takes_back;
    tree.pivot({leads_to_root ? node : tree.root(), leads_to_root ? tree.root() : node, to_root,
                takes_back ? raw{} - reduced : reduced, units, takes_back});
  }

  transport_problem<Cost> const& problem_;
  transport_memory<Cost>& m_;
  std::uint32_t rows_;
  std::uint32_t columns_;
  std::size_t extra_ = 0;  ///< how many of extra_on_root
};

}  // namespace detail
BERTH_NAMESPACE_END
