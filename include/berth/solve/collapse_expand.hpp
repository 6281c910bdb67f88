// SPDX-License-Identifier: BSL-1.0
// From a solution over classes back to one over their members. Members of a class are equal, so
// whoever goes first is served first, and every way of handing out costs the same; here rows and
// columns are served in order of their number, and one member is done before the next begins, so
// that few are split.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/collapse.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// So many units of a row go to a column; both are classes, or both are records.
struct shipment {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::int32_t units = 0;

  friend constexpr bool operator==(shipment const&, shipment const&) noexcept = default;
};

/// One side of an expansion.
struct class_side {
  std::span<std::uint32_t const> class_of_record;  ///< or no_class
  std::span<std::int32_t const> units_of_class;    ///< of one member, > 0 where there are any
};

namespace detail {

/// Serves the members of each class one after the other.
class member_queues {
 public:
  void reserve(std::size_t records, std::size_t classes) {
    member_.resize(std::max(records, member_.size()));
    next_.resize(std::max(classes, next_.size()));
    end_.resize(next_.size());
    left_.resize(next_.size());
  }
  [[nodiscard]] bool fits(class_side const& side) const noexcept {
    return side.class_of_record.size() <= member_.size() &&
           side.units_of_class.size() <= next_.size();
  }

  /// Sorts the records by class, then number; false if a class is out of bounds.
  bool start(class_side const& side) noexcept {
    std::size_t const classes = side.units_of_class.size();
    std::fill_n(end_.begin(), classes, 0u);
    for (std::uint32_t const at : side.class_of_record) {
      if (at < classes) {
        ++end_[at];
      } else if (at != no_class) {
        return false;
      }
    }
    std::uint32_t start = 0;
    for (std::size_t at = 0; at < classes; ++at) {
      next_[at] = start;
      start += end_[at];
      end_[at] = next_[at];
      left_[at] = side.units_of_class[at];
    }
    for (std::uint32_t record = 0; record < side.class_of_record.size(); ++record) {
      if (std::uint32_t const at = side.class_of_record[record]; at != no_class) {
        member_[end_[at]++] = record;
      }
    }
    return true;
  }

  [[nodiscard]] bool is_empty(std::uint32_t at) const noexcept { return next_[at] == end_[at]; }
  [[nodiscard]] std::uint32_t front(std::uint32_t at) const noexcept { return member_[next_[at]]; }
  /// Units that the front has left.
  [[nodiscard]] std::int32_t left(std::uint32_t at) const noexcept { return left_[at]; }
  /// Takes some of these; a front without any gives way to the next one, of `units`.
  void take(std::uint32_t at, std::int32_t taken, std::int32_t units) noexcept {
    left_[at] -= taken;
    if (left_[at] <= 0) {
      ++next_[at];
      left_[at] = units;
    }
  }

 private:
  std::vector<std::uint32_t> member_;  ///< records by class
  std::vector<std::uint32_t> next_;    ///< per class, the front in member_
  std::vector<std::uint32_t> end_;
  std::vector<std::int32_t> left_;
};

}  // namespace detail

/// Scratch memory and answer of an expansion. Only the constructor and reserve() allocate.
class class_expansion {
 public:
  class_expansion() = default;

  /// Makes room for so many records and classes on each side and shipments between classes; never
  /// shrinks. Throws std::bad_alloc.
  void reserve(std::size_t row_records, std::size_t row_classes, std::size_t column_records,
               std::size_t column_classes, std::size_t shipments) {
    rows_.reserve(row_records, row_classes);
    columns_.reserve(column_records, column_classes);
    shipments_.resize(std::max(row_records + column_records + shipments, shipments_.size()));
    size_ = 0;
  }

  /// Hands the shipments between classes out to members. optimal | too_large | malformed: where a
  /// class ships more than its members have. O(records + classes + shipments), no allocation.
  [[nodiscard]] solve_status expand(std::span<shipment const> of_classes, class_side const& rows,
                                    class_side const& columns) noexcept {
    size_ = 0;
    std::size_t const most =
        rows.class_of_record.size() + columns.class_of_record.size() + of_classes.size();
    if (!rows_.fits(rows) || !columns_.fits(columns) || most > shipments_.size()) {
      return solve_status::too_large;
    }
    if (!rows_.start(rows) || !columns_.start(columns)) {
      return solve_status::malformed;
    }
    std::size_t made = 0;
    for (shipment const& between : of_classes) {
      if (between.row >= rows.units_of_class.size() ||
          between.column >= columns.units_of_class.size()) {
        return solve_status::malformed;
      }
      std::int32_t const row_units = rows.units_of_class[between.row];
      std::int32_t const column_units = columns.units_of_class[between.column];
      for (std::int32_t left = between.units; left > 0;) {
        if (rows_.is_empty(between.row) || columns_.is_empty(between.column)) {
          return solve_status::malformed;
        }
        std::int32_t const units =
            std::min({left, rows_.left(between.row), columns_.left(between.column)});
        if (units <= 0) {
          return solve_status::malformed;
        }
        shipments_[made++] = {rows_.front(between.row), columns_.front(between.column), units};
        rows_.take(between.row, units, row_units);
        columns_.take(between.column, units, column_units);
        left -= units;
      }
    }
    size_ = made;
    return solve_status::optimal;
  }

  /// What the members ship, those of one row class together and in order of their number. Empty
  /// after a refusal.
  [[nodiscard]] std::span<shipment const> shipments() const noexcept {
    return {shipments_.data(), size_};
  }

 private:
  detail::member_queues rows_;
  detail::member_queues columns_;
  std::vector<shipment> shipments_;
  std::size_t size_ = 0;
};

BERTH_NAMESPACE_END
