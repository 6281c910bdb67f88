// SPDX-License-Identifier: BSL-1.0
// What each job may get and what that is worth: the items of a multiple-choice knapsack in the
// making. Rules say values as wide as they need; finish() brings them to the solver's range.
#pragma once

#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/solve/choice_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

__extension__ using int128 = __int128;
__extension__ using wide_unsigned = unsigned __int128;

class option_list {
 public:
  using option = choice_option<gpu_time>;  // as the solver's widest number; not of time here

  /// Room for `items` of `options` altogether. Throws std::bad_alloc.
  void reserve(std::size_t items, std::size_t options) {
    items_.reserve(items);
    counts_.reserve(items);
    first_.reserve(items);
    options_.reserve(options);
    values_.reserve(options);
  }
  void clear() noexcept {
    items_.clear();
    counts_.clear();
    first_.clear();
    options_.clear();
    values_.clear();
    base_size_ = 0;
  }

  /// `job` is an item from here on; its options follow, by ascending size.
  void add_item(std::uint32_t job) noexcept {
    first_.push_back(options_.size());
    items_.push_back(job);
    counts_.push_back(0);
  }
  /// Values within ±2^120.
  void add_option(std::int32_t size, int128 value) noexcept {
    base_size_ += counts_.back() == 0 ? size : 0;
    ++counts_.back();
    options_.push_back({size, gpu_time{}});
    values_.push_back(value);
  }

  /// Divides all values by one power of two, so that the largest stays below 2^39. Gains are
  /// rounded down, not values: what was concave stays so. O(options).
  void finish() noexcept {
    int128 most = 0;
    for (int128 const value : values_) {
      most = std::max(most, value < 0 ? -value : value);
    }
    int shift = 0;
    while ((most >> shift) >= (int128{1} << 39)) {
      ++shift;
    }
    for (std::size_t item = 0; item < items_.size(); ++item) {
      std::int64_t value = 0;
      for (std::size_t at = first_[item]; at < first_[item] + counts_[item]; ++at) {
        int128 const gain = at == first_[item] ? values_[at] : values_[at] - values_[at - 1];
        value += static_cast<std::int64_t>(gain >> shift);
        options_[at].value = gpu_time{value};
      }
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] std::size_t options() const noexcept { return options_.size(); }
  [[nodiscard]] std::uint32_t job(std::size_t item) const noexcept { return items_[item]; }
  [[nodiscard]] std::span<option const> of(std::size_t item) const noexcept {
    return options_.view().subspan(first_[item], counts_[item]);
  }
  /// Where the options of an item begin among all.
  [[nodiscard]] std::size_t first(std::size_t item) const noexcept { return first_[item]; }
  /// Of everybody's first option.
  [[nodiscard]] std::int64_t base_size() const noexcept { return base_size_; }
  [[nodiscard]] choice_problem<gpu_time> within(std::int32_t capacity) const noexcept {
    return {options_.view(), counts_.view(), capacity};
  }

 private:
  bounded_vector<std::uint32_t> items_;  ///< the job of each
  bounded_vector<std::uint32_t> counts_;
  bounded_vector<std::size_t> first_;
  bounded_vector<option> options_;
  bounded_vector<int128> values_;
  std::int64_t base_size_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
