// SPDX-License-Identifier: BSL-1.0
// The cheapest rows to move from one class to another: for every ordered pair (a, b) the few rows i
// of class a with the least cost(i, b) - cost(i, a). The head of each list is the weight of arc
// a → b in the network over classes. More than the head is kept because a row that leaves is often
// the head of many lists: only when a list has run dry must the members of its class be read again.
// Lists are kept level by level, all b of one level side by side: heads and last levels are what is
// read most.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/detail/positional_members.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// A list is `depth` levels of (weight, row), sorted by weight, then row. Levels without a row have
/// weight `unreachable`. Levels of which nothing is known, because rows above them have left, have
/// a weight below all others; they come last, and weights above them are still the least.
template <class Traits>
class transfer_lists {
  using raw = typename Traits::raw;

 public:
  /// Levels per list.
  static constexpr std::size_t depth = 6;

  void reserve(std::size_t classes) {
    weight_.resize(classes * classes * depth);
    row_.resize(classes * classes * depth);
    is_dry_.resize(classes);
    is_above_.resize(classes);
  }
  /// All lists are dry: of the many there are, those of classes that no search comes by are never
  /// filled.
  void clear(std::size_t classes) noexcept {
    classes_ = classes;
    std::fill_n(is_dry_.begin(), classes, std::uint8_t{1});
  }

  /// Weights of the arcs out of class `from`, by class; `unreachable` where there is no arc. Right
  /// only while !is_dry(from).
  [[nodiscard]] raw const* weights(std::size_t from) const noexcept {
    return &weight_[from * depth * classes_];
  }
  [[nodiscard]] raw weight(std::size_t from, std::size_t to) const noexcept {
    return weights(from)[to];
  }
  /// The row that moves for weight(from, to).
  [[nodiscard]] std::uint32_t row(std::size_t from, std::size_t to) const noexcept {
    return row_[from * depth * classes_ + to];
  }
  /// Whether some list of class `from` must be filled again.
  [[nodiscard]] bool is_dry(std::size_t from) const noexcept { return is_dry_[from] != 0; }

  /// `row`, which costs `cost[b]` in class b, joins class `to`. Most rows are among the least of no
  /// list, which takes one comparison a list. Dry lists wait until they are filled again.
  void join(std::uint32_t row, std::size_t to, raw const* cost) noexcept {
    if (is_dry(to)) {
      return;
    }
    std::size_t const classes = classes_;
    raw const here = cost[to];
    raw* const weights = &weight_[to * depth * classes];
    std::uint32_t* const rows = &row_[to * depth * classes];
    raw const* const last = weights + (depth - 1) * classes;
    for (std::size_t b = 0; b < classes; ++b) {
      if (cost[b] == Traits::unreachable) {
        continue;
      }
      raw const moved = cost[b] - here;
      if (moved <= last[b] || last[b] == unknown) {
        insert(weights + b, rows + b, classes, moved, row);
      }
    }
  }

  /// `row` leaves class `from`. Where it is in any list it is in many, and each at a level of its
  /// own: so all of them are gone through level by level, without a branch.
  void leave(std::uint32_t row, std::size_t from) noexcept {
    if (is_dry(from)) {
      return;
    }
    std::size_t const classes = classes_;
    std::uint32_t const* const rows = &row_[from * depth * classes];
    std::uint32_t found = 0;
    for (std::size_t at = 0; at < depth * classes; ++at) {
      found |= rows[at] == row ? 1u : 0u;
    }
    if (found == 0) {
      return;
    }
    erase(row, from);
    raw const* const heads = weights(from);
    for (std::size_t b = 0; b < classes; ++b) {
      is_dry_[from] |= static_cast<std::uint8_t>(heads[b] == unknown);
    }
  }

  /// Empties the lists of class `from`; then every member has to join again.
  void start_over(std::size_t from) noexcept {
    std::fill_n(&weight_[from * depth * classes_], depth * classes_, Traits::unreachable);
    std::fill_n(&row_[from * depth * classes_], depth * classes_, class_members::none);
    is_dry_[from] = 0;
  }

 private:
  static constexpr raw unknown = raw{} - Traits::unreachable;

  /// Into the list that starts at `weights` and `rows`, a level every `step`, unless it belongs
  /// below what is known of it.
  static void insert(raw* weights, std::uint32_t* rows, std::size_t step, raw const& weight,
                     std::uint32_t row) noexcept {
    std::size_t const last = (depth - 1) * step;
    auto const belongs_above = [=](std::size_t at) {
      return weight < weights[at] || (weight == weights[at] && row < rows[at]);
    };
    std::size_t at = last;
    while (at != 0 && weights[at] == unknown) {
      at -= step;
    }
    if (!belongs_above(at)) {
      return;
    }
    // Its place is rather near the end, so it is looked for from there.
    at += at == last ? 0 : step;
    for (; at != 0 && belongs_above(at - step); at -= step) {
      weights[at] = weights[at - step];
      rows[at] = rows[at - step];
    }
    weights[at] = weight;
    rows[at] = row;
  }

  /// Takes `row` out of all lists of class `from`: levels below it move up by one.
  void erase(std::uint32_t row, std::size_t from) noexcept {
    std::size_t const classes = classes_;
    raw* weights = &weight_[from * depth * classes];
    std::uint32_t* rows = &row_[from * depth * classes];
    std::uint32_t* const is_above = is_above_.data();
    std::fill_n(is_above, classes, 0u);
    for (std::size_t level = 1; level < depth; ++level) {
      for (std::size_t b = 0; b < classes; ++b) {
        std::uint32_t const here = rows[b];
        std::uint32_t const below = rows[b + classes];
        raw const weight_here = weights[b];
        raw const weight_below = weights[b + classes];
        std::uint32_t const moves = is_above[b] | (here == row ? 1u : 0u);
        is_above[b] = moves;
        rows[b] = moves != 0 ? below : here;
        weights[b] = moves != 0 ? weight_below : weight_here;
      }
      weights += classes;
      rows += classes;
    }
    for (std::size_t b = 0; b < classes; ++b) {
      if (is_above[b] != 0 || rows[b] == row) {
        // A list that was not full has all there is.
        weights[b] = weights[b] == Traits::unreachable ? Traits::unreachable : unknown;
        rows[b] = class_members::none;
      }
    }
  }

  std::size_t classes_ = 0;
  std::vector<raw> weight_;
  std::vector<std::uint32_t> row_;
  std::vector<std::uint8_t> is_dry_;     ///< per class
  std::vector<std::uint32_t> is_above_;  ///< while a row leaves, per list: whether it is above
};

}  // namespace detail
BERTH_NAMESPACE_END
