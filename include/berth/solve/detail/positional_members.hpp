// SPDX-License-Identifier: BSL-1.0
// Which rows are in which class: a doubly linked list per class, threaded through arrays.
#pragma once

#include <berth/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

class class_members {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  void reserve(std::size_t rows, std::size_t classes) {
    next_.resize(rows);
    previous_.resize(rows);
    class_of_.resize(rows);
    first_.resize(classes);
    size_.resize(classes);
  }
  void clear(std::size_t rows, std::size_t classes) noexcept {
    std::fill_n(class_of_.begin(), rows, none);
    std::fill_n(first_.begin(), classes, none);
    std::fill_n(size_.begin(), classes, 0);
  }

  /// The class of `row`, `none` if it is in no class.
  [[nodiscard]] std::uint32_t class_of(std::size_t row) const noexcept { return class_of_[row]; }
  [[nodiscard]] std::int32_t size(std::size_t at) const noexcept { return size_[at]; }
  /// The row that joined last, then next() from row to row; `none` at the end.
  [[nodiscard]] std::uint32_t first(std::size_t at) const noexcept { return first_[at]; }
  [[nodiscard]] std::uint32_t next(std::uint32_t row) const noexcept { return next_[row]; }

  /// `row` must be in no class.
  void join(std::uint32_t row, std::uint32_t to) noexcept {
    std::uint32_t const second = first_[to];
    class_of_[row] = to;
    next_[row] = second;
    previous_[row] = none;
    if (second != none) {
      previous_[second] = row;
    }
    first_[to] = row;
    ++size_[to];
  }
  /// `row` must be in a class.
  void leave(std::uint32_t row) noexcept {
    std::uint32_t const from = class_of_[row];
    (previous_[row] == none ? first_[from] : next_[previous_[row]]) = next_[row];
    if (next_[row] != none) {
      previous_[next_[row]] = previous_[row];
    }
    class_of_[row] = none;
    --size_[from];
  }

 private:
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::vector<std::uint32_t> class_of_;
  std::vector<std::uint32_t> first_;
  std::vector<std::int32_t> size_;
};

}  // namespace detail
BERTH_NAMESPACE_END
