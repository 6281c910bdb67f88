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
#include <utility>
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

  /// `row`, which costs `cost[b]` in class b, joins class `to`. Most rows are among the least of no
  /// list, which takes one comparison a list.
  void join(std::uint32_t row, std::size_t to, raw const* cost) noexcept {
    raw const here = cost[to];
    std::size_t const first = to * depth * classes_;
    raw const* const last = &weight_[first + (depth - 1) * classes_];
    for (std::size_t b = 0; b < classes_; ++b) {
      if (cost[b] == Traits::unreachable) {
        continue;
      }
      raw const moved = cost[b] - here;
      if (moved < last[b] || moved == last[b] || last[b] == unknown) {
        insert(first + b, moved, row);
      }
    }
  }

  /// `row` leaves class `from`.
  void leave(std::uint32_t row, std::size_t from) noexcept {
    std::size_t const first = from * depth * classes_;
    std::uint32_t const* const rows = &row_[first];
    for (std::size_t at = 0; at < depth * classes_; ++at) {
      if (rows[at] == row) {
        erase(first + at, first + (depth - 1) * classes_ + at % classes_);
        is_dry_[from] |= static_cast<std::uint8_t>(weight_[first + at % classes_] == unknown);
      }
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

  /// Into the list whose first level is at `top`, unless it belongs below what is known of it.
  void insert(std::size_t top, raw weight, std::uint32_t row) noexcept {
    bool is_in = false;  // then everything below moves down by one
    for (std::size_t level = 0; level < depth; ++level) {
      std::size_t const at = top + level * classes_;
      bool const is_before = weight < weight_[at] || (weight == weight_[at] && row < row_[at]);
      if (is_in || is_before) {
        is_in = true;
        std::swap(weight, weight_[at]);
        std::swap(row, row_[at]);
      }
    }
  }

  /// Takes out level `at` of the list whose last level is at `bottom`.
  void erase(std::size_t at, std::size_t bottom) noexcept {
    for (; at < bottom; at += classes_) {
      weight_[at] = weight_[at + classes_];
      row_[at] = row_[at + classes_];
    }
    // A list that was not full has all there is.
    weight_[bottom] = weight_[bottom] == Traits::unreachable ? Traits::unreachable : unknown;
    row_[bottom] = class_members::none;
  }

  std::size_t classes_ = 0;
  std::vector<raw> weight_;
  std::vector<std::uint32_t> row_;
  std::vector<std::uint8_t> is_dry_;  ///< per class
};

}  // namespace detail
BERTH_NAMESPACE_END
