// SPDX-License-Identifier: BSL-1.0
// The cheapest rows to move from one class to another: for every ordered pair (a, b) the few rows i
// of class a with the least cost(i, b) - cost(i, a). The head of each list is the weight of arc
// a → b in the network over classes. More than the head is kept because a row that leaves is often
// the head of many lists: only when a list has run dry must the members of its class be read again.
// Lists are kept level by level, all b of one level side by side, and changed without branches, so
// that compilers vectorise.
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
  static constexpr std::size_t depth = 4;

  void reserve(std::size_t classes) {
    weight_.resize(classes * classes * depth);
    row_.resize(classes * classes * depth);
    is_dry_.resize(classes);
  }
  void clear(std::size_t classes) noexcept {
    classes_ = classes;
    std::fill_n(weight_.begin(), classes * classes * depth, Traits::unreachable);
    std::fill_n(row_.begin(), classes * classes * depth, class_members::none);
    std::fill_n(is_dry_.begin(), classes, std::uint8_t{0});
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

  /// `row`, which costs `cost[b]` in class b, joins class `to`.
  void join(std::uint32_t row, std::size_t to, raw const* cost) noexcept {
    raw const here = cost[to];
    raw* const weight = &weight_[to * depth * classes_];
    std::uint32_t* const rows = &row_[to * depth * classes_];
    for (std::size_t b = 0; b < classes_; ++b) {
      bool const may_go = cost[b] != Traits::unreachable;
      raw moved = may_go ? cost[b] - here : Traits::unreachable;
      std::uint32_t who = may_go ? row : class_members::none;
      bool goes_in = false;  // once in, everything below moves down by one
      for (std::size_t level = 0; level < depth; ++level) {
        std::size_t const at = level * classes_ + b;
        raw const other = weight[at];
        std::uint32_t const other_row = rows[at];
        bool const is_less = moved < other;
        bool const is_tied = moved == other;
        bool const is_lower = who < other_row;
        goes_in = goes_in | is_less | (is_tied & is_lower);
        weight[at] = goes_in ? moved : other;
        rows[at] = goes_in ? who : other_row;
        moved = goes_in ? other : moved;
        who = goes_in ? other_row : who;
      }
    }
  }

  /// `row` leaves class `from`.
  void leave(std::uint32_t row, std::size_t from) noexcept {
    raw* const weight = &weight_[from * depth * classes_];
    std::uint32_t* const rows = &row_[from * depth * classes_];
    bool is_dry = false;
    for (std::size_t b = 0; b < classes_; ++b) {
      bool is_out = false;  // once out, everything below moves up by one
      for (std::size_t level = 0; level < depth; ++level) {
        std::size_t const at = level * classes_ + b;
        bool const is_last = level + 1 == depth;
        raw const beyond = weight[at] == Traits::unreachable ? Traits::unreachable : unknown;
        raw const below = is_last ? beyond : weight[at + classes_];
        std::uint32_t const row_below = is_last ? class_members::none : rows[at + classes_];
        is_out = is_out | (rows[at] == row);
        weight[at] = is_out ? below : weight[at];
        rows[at] = is_out ? row_below : rows[at];
      }
      bool const is_unknown = weight[b] == unknown;
      is_dry = is_dry | is_unknown;
    }
    is_dry_[from] = static_cast<std::uint8_t>(is_dry_[from] | static_cast<std::uint8_t>(is_dry));
  }

  /// Empties the lists of class `from`; then every member has to offer() itself.
  void start_over(std::size_t from) noexcept {
    std::fill_n(&weight_[from * depth * classes_], depth * classes_, Traits::unreachable);
    std::fill_n(&row_[from * depth * classes_], depth * classes_, class_members::none);
    is_dry_[from] = 0;
  }
  /// As join(), quicker where the row is among the least of no list, as most are.
  void offer(std::uint32_t row, std::size_t to, raw const* cost) noexcept {
    raw const here = cost[to];
    raw const* const last = &weight_[(to * depth + depth - 1) * classes_];
    bool is_any = false;
    for (std::size_t b = 0; b < classes_; ++b) {
      bool const may_go = cost[b] != Traits::unreachable;
      raw const moved = may_go ? cost[b] - here : Traits::unreachable;
      bool const is_beyond = last[b] < moved;
      is_any = is_any | (may_go & !is_beyond);
    }
    if (is_any) {
      join(row, to, cost);
    }
  }

 private:
  static constexpr raw unknown = raw{} - Traits::unreachable;

  std::size_t classes_ = 0;
  std::vector<raw> weight_;
  std::vector<std::uint32_t> row_;
  std::vector<std::uint8_t> is_dry_;  ///< per class
};

}  // namespace detail
BERTH_NAMESPACE_END
