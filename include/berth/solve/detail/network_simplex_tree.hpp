// SPDX-License-Identifier: BSL-1.0
// The basis of a network simplex on a bipartite network: a spanning tree below one root, where
// every surplus and every shortage ends. Arcs lead from a row to a column (shipping), from a row to
// the root (waiting) and from the root to a column (room that nobody uses). None has an upper
// bound, so an arc outside the tree carries nothing and only tree arcs need a flow.
// The tree is kept strongly feasible (Cunningham, Mathematical Programming 11, 1976): a tree arc
// without flow points to the root, that is, a column always receives something along the arc to
// its parent; then no sequence of pivots can cycle. Nodes are threaded in preorder with the sizes
// of their subtrees (Király and Kovács, Acta Universitatis Sapientiae 4, 2012, section 3.2), so
// that a pivot costs the two paths to the join and the nodes whose price changes, never the whole
// tree.
#pragma once

#include <berth/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Nodes: the columns first, then the rows, then the root. A node need not hang in the tree.
template <class Raw>
class network_simplex_tree {
 public:
  /// An arc has the name its user gave it, except for this one: the waiting arc of a row, or the
  /// free room of a column.
  static constexpr std::uint32_t to_root = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::int32_t unlimited = std::numeric_limits<std::int32_t>::max();

  /// What a pivot brings in: more flow from `source` to `target`.
  struct entering {
    std::uint32_t source;
    std::uint32_t target;
    std::uint32_t arc;
    Raw reduced_cost;  ///< per unit of it
    /// An arc outside the tree that carries flow, as only a start may leave behind: if true, the
    /// push takes flow from it, else it adds to it.
    std::int32_t carries = 0;
    bool takes_back = false;
  };

  void reserve(std::size_t nodes) {
    if (nodes > link_.size()) {
      link_.resize(nodes);
      next_.resize(nodes);
      previous_.resize(nodes);
      price_.resize(nodes);
    }
  }
  [[nodiscard]] std::size_t capacity() const noexcept { return link_.size(); }

  /// Only the root is left.
  void clear(std::uint32_t columns, std::uint32_t rows) noexcept {
    columns_ = columns;
    root_ = columns + rows;
    for (std::uint32_t node = 0; node < root_; ++node) {
      link_[node].size = 0;
    }
    link_[root_] = {root_, 1, 0, to_root};
    next_[root_] = root_;
    previous_[root_] = root_;
    price_[root_] = Raw{};
  }

  [[nodiscard]] std::uint32_t root() const noexcept { return root_; }
  [[nodiscard]] bool is_row(std::uint32_t node) const noexcept { return node >= columns_; }
  [[nodiscard]] bool is_hung(std::uint32_t node) const noexcept { return link_[node].size != 0; }
  [[nodiscard]] std::uint32_t parent(std::uint32_t node) const noexcept {
    return link_[node].parent;
  }
  /// Nodes of the subtree, itself included.
  [[nodiscard]] std::uint32_t size(std::uint32_t node) const noexcept { return link_[node].size; }
  [[nodiscard]] std::uint32_t arc(std::uint32_t node) const noexcept { return link_[node].arc; }
  [[nodiscard]] std::int32_t flow(std::uint32_t node) const noexcept { return link_[node].flow; }
  [[nodiscard]] std::uint32_t next(std::uint32_t node) const noexcept { return next_[node]; }
  [[nodiscard]] Raw price(std::uint32_t node) const noexcept { return price_[node]; }
  [[nodiscard]] Raw const* prices() const noexcept { return price_.data(); }
  void set_price(std::uint32_t node, Raw price) noexcept { price_[node] = price; }

  /// Hangs a new leaf on the root, sizes included.
  void hang_on_root(std::uint32_t node, std::int32_t flow, Raw price) noexcept {
    hang_leaf(node, root_, root_, to_root, flow, price);
    ++link_[root_].size;
  }

  /// Hangs a new leaf behind `after` in the thread, which must be `parent` or the end of a subtree
  /// below it. The sizes of what lies above are left to count_sizes().
  void hang_leaf(std::uint32_t node, std::uint32_t parent, std::uint32_t after, std::uint32_t arc,
                 std::int32_t flow, Raw price) noexcept {
    link_[node] = {parent, 1, flow, arc};
    price_[node] = price;
    std::uint32_t const behind = next_[after];
    link_thread(after, node);
    link_thread(node, behind);
  }

  /// Makes the sizes right after leaves were hung. O(nodes).
  void count_sizes() noexcept {
    for (std::uint32_t node = previous_[root_]; node != root_; node = previous_[node]) {
      link_[link_[node].parent].size += link_[node].size;
    }
  }

  /// Sends as much as possible around the cycle that `by` closes; the tree arc that runs empty
  /// makes place for it. O(length of the cycle + nodes whose price changes).
  void pivot(entering const& by) noexcept {
    std::uint32_t u = by.source;
    std::uint32_t v = by.target;
    std::int32_t source_limit = unlimited;
    std::int32_t target_limit = unlimited;
    std::uint32_t source_leaves = root_;
    std::uint32_t target_leaves = root_;
    // Of equal limits the last one along the cycle as seen from the join: that keeps the tree
    // strongly feasible.
    while (u != v) {
      if (link_[u].size < link_[v].size) {
        if (is_row(u) && link_[u].flow < source_limit) {
          source_limit = link_[u].flow;
          source_leaves = u;
        }
        u = link_[u].parent;
      } else {
        if (!is_row(v) && link_[v].flow <= target_limit) {
          target_limit = link_[v].flow;
          target_leaves = v;
        }
        v = link_[v].parent;
      }
    }
    std::uint32_t const join = u;
    std::int32_t units = source_limit;
    std::uint32_t leaves = source_leaves;
    bool from_target = false;
    if (by.takes_back && by.carries <= units) {
      units = by.carries;
      leaves = root_;
    }
    if (target_leaves != root_ && target_limit <= units) {
      units = target_limit;
      leaves = target_leaves;
      from_target = true;
    }
    if (units != 0) {
      for (u = by.source; u != join; u = link_[u].parent) {
        link_[u].flow += is_row(u) ? -units : units;
      }
      for (v = by.target; v != join; v = link_[v].parent) {
        link_[v].flow += is_row(v) ? units : -units;
      }
    }
    if (leaves == root_) {
      return;  // all of it was taken back
    }
    std::int32_t const flow = by.takes_back ? by.carries - units : by.carries + units;
    if (from_target) {
      rehang(leaves, by.target, {by.source, 0, flow, by.arc}, Raw{} - by.reduced_cost, join);
    } else {
      rehang(leaves, by.source, {by.target, 0, flow, by.arc}, by.reduced_cost, join);
    }
  }

 private:
  struct link {
    std::uint32_t parent;
    std::uint32_t size;  ///< of the subtree, itself included; 0: not in the tree
    std::int32_t flow;   ///< along the arc to the parent, in the direction of the arc
    std::uint32_t arc;
  };

  void link_thread(std::uint32_t before, std::uint32_t behind) noexcept {
    next_[before] = behind;
    previous_[behind] = before;
  }

  /// Adds `shift` to the prices of `count` nodes from `first` on; returns the last of them.
  std::uint32_t shift_prices(std::uint32_t first, std::uint32_t count, Raw shift) noexcept {
    price_[first] = price_[first] + shift;
    for (; count > 1; --count) {
      first = next_[first];
      price_[first] = price_[first] + shift;
    }
    return first;
  }

  /// Takes the subtree of `old_top` off its parent and hangs it up by `new_top`, one of its nodes,
  /// instead. The path between the two turns round: each of its nodes becomes the parent of the one
  /// above it, and the thread is put together again from what hung beside the path.
  void rehang(std::uint32_t old_top, std::uint32_t new_top, link hook, Raw shift,
              std::uint32_t join) noexcept {
    std::uint32_t const total = link_[old_top].size;
    for (std::uint32_t at = link_[old_top].parent; at != join; at = link_[at].parent) {
      link_[at].size -= total;
    }
    for (std::uint32_t at = hook.parent; at != join; at = link_[at].parent) {
      link_[at].size += total;
    }
    std::uint32_t const before = previous_[old_top];
    std::uint32_t const into = hook.parent;
    hook.size = total;
    std::uint32_t at = new_top;
    std::uint32_t beside = previous_[at];  // the end of what its parent's thread has before it
    std::uint32_t last = shift_prices(at, link_[at].size, shift);
    std::uint32_t behind = next_[last];
    while (at != old_top) {
      link const old = link_[at];
      link_[at] = hook;
      std::uint32_t const up = old.parent;
      hook = {at, total - old.size, old.flow, old.arc};
      std::uint32_t const end_of_head = beside;
      beside = previous_[up];
      link_thread(last, up);
      std::uint32_t left = link_[up].size - old.size;
      price_[up] = price_[up] + shift;
      for (last = up, --left; last != end_of_head; --left) {
        last = next_[last];
        price_[last] = price_[last] + shift;
      }
      if (left > 0) {
        link_thread(last, behind);
        last = shift_prices(behind, left, shift);
        behind = next_[last];
      }
      at = up;
    }
    link_[at] = hook;
    link_thread(before, behind);
    std::uint32_t const follows = next_[into];
    link_thread(into, new_top);
    link_thread(last, follows);
  }

  std::uint32_t columns_ = 0;
  std::uint32_t root_ = 0;
  std::vector<link> link_;
  std::vector<std::uint32_t> next_;      ///< the thread: preorder, in a ring through the root
  std::vector<std::uint32_t> previous_;  ///< and back
  std::vector<Raw> price_;
};

}  // namespace detail
BERTH_NAMESPACE_END
