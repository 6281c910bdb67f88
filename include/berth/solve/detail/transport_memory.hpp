// SPDX-License-Identifier: BSL-1.0
// What the transportation solver keeps between its stages and between two solves.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/network_simplex_tree.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Only reserve() allocates. Rows are counted from 0 here; in the tree they come after the columns.
/// Arcs are named by their place among the arcs of their row, so that rows may move about between
/// two solves.
template <solver_cost Cost>
struct transport_memory {
  using raw = typename cost_traits<Cost>::raw;
  using price = typename cost_traits<Cost>::price;
  using tree_type = network_simplex_tree<raw>;

  /// Arcs of a row that are tried before all of them are.
  static constexpr std::uint32_t shortlist_length = 32;
  static constexpr std::uint32_t none = 0xffff'ffffu;

  /// Units that go from a row to a column, or none: an arc of the tree all the same.
  struct shipment {
    std::uint32_t row;
    std::uint32_t column;
    std::uint32_t place;
    std::int32_t units;
    std::uint32_t next_of_row;
    std::uint32_t next_of_column;
  };
  struct keyed_place {
    raw key;
    std::uint32_t place;
    friend constexpr bool operator<(keyed_place const& a, keyed_place const& b) noexcept {
      return a.key < b.key || (a.key == b.key && a.place < b.place);
    }
  };
  /// A node that waits to be hung, or visited.
  struct pending {
    std::uint32_t node;
    std::uint32_t parent;
    std::uint32_t place;
    std::int32_t units;
  };

  void reserve(std::size_t rows, std::size_t columns, std::size_t arcs) {
    rows = std::max(rows, row_price.size());
    columns = std::max(columns, column_price.size());
    is_kept = false;
    tree.reserve(rows + columns + 1);
    waiting.resize(rows);
    left.resize(rows);
    room.resize(columns);
    shipments.resize(rows + columns);
    head.resize(rows + columns);
    marked.resize(rows + columns);
    stack.resize(rows + columns);
    extra_on_root.resize(rows + columns);
    keys.resize(columns);
    shortlist.resize(rows * shortlist_length);
    shortlist_place.resize(rows * shortlist_length);
    shortlist_count.resize(rows);
    row_price.resize(rows);
    column_price.resize(columns);
    unmatched_units.resize(rows);
    used_arcs.resize(rows + columns);
    if (arcs > flow.size()) {
      flow.resize(arcs);
    }
  }

  tree_type tree;
  bool is_kept = false;  ///< the tree is the basis of the last answer
  std::size_t kept_rows = 0;
  std::size_t kept_columns = 0;
  raw dear{};                ///< more than any way through the network can save
  raw closed{};              ///< the price of a node that takes no part: beyond all others
  bool must_ship = false;    ///< some row may not leave units out
  std::vector<raw> waiting;  ///< per row, what leaving a unit out costs: `dear` where it must go
  std::vector<std::int32_t> left;  ///< per row, units without a place
  std::vector<std::int32_t> room;  ///< per column, capacity without a user

  // The start.
  std::vector<shipment> shipments;  ///< a forest: fewer than rows + columns
  std::size_t shipment_count = 0;
  std::vector<std::uint32_t> head;   ///< per node, its first shipment
  std::vector<std::uint8_t> marked;  ///< per node: was on the root; later, is dear
  std::vector<pending> stack;
  std::vector<std::uint32_t> extra_on_root;  ///< nodes with a second way to the root
  std::vector<keyed_place> keys;

  // Pricing.
  bool uses_shortlist = false;
  std::vector<transport_arc<Cost>> shortlist;  ///< shortlist_length per row
  std::vector<std::uint32_t> shortlist_place;  ///< and which of the row's arcs these are
  std::vector<std::uint32_t> shortlist_count;

  // The answer.
  std::vector<price> row_price;
  std::vector<price> column_price;
  std::vector<std::int32_t> unmatched_units;
  std::vector<std::int32_t> flow;
  std::vector<std::uint32_t> used_arcs;  ///< where `flow` is not zero
  std::size_t used_arc_count = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
