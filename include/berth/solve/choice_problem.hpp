// SPDX-License-Identifier: BSL-1.0
// The multiple-choice knapsack: every item has a ladder of options, of which exactly one is chosen;
// the sizes must fit into a capacity, and the values add up to the most. In a scheduler the items
// are elastic jobs, an option is a number of GPUs, and its value is what the job gains by them.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

template <solver_cost Cost>
struct choice_option {
  std::int32_t size = 0;  ///< >= 0, ascending within an item
  Cost value{};           ///< may be negative; a forbidden option is never chosen
};

template <solver_cost Cost>
struct choice_solution;

/// The spans must outlive the call. An item that may get nothing has an option of size 0.
template <solver_cost Cost>
struct choice_problem {
  using cost_type = Cost;
  using solution_type = choice_solution<Cost>;

  std::span<choice_option<Cost> const> options;  ///< all of item 0, then all of item 1, …
  std::span<std::uint32_t const> option_count;   ///< per item
  std::int32_t capacity = 0;                     ///< >= 0
};

/// A view that lives in the workspace until the next solve or reserve.
template <solver_cost Cost>
struct choice_solution {
  std::span<std::uint32_t const> chosen;  ///< per item, the number of its option
  std::int64_t size = 0;                  ///< of all that is chosen, <= capacity
  typename cost_traits<Cost>::price total{};
  typename cost_traits<Cost>::price bound{};  ///< no choice is worth more; equal to `total`
};

struct choice_knapsack;

/// Only the constructors and reserve() allocate.
template <solver_cost Cost>
class choice_workspace {
 public:
  choice_workspace() = default;
  choice_workspace(std::size_t items, std::size_t capacity) { reserve(items, capacity); }

  /// Makes room for `items` items and any capacity up to `capacity`; never shrinks. Forgets the
  /// answer. Memory: items × (capacity + 1) numbers of two bytes. Throws std::bad_alloc.
  void reserve(std::size_t items, std::size_t capacity) {
    reserve_concave(items);
    capacity_ = std::max(capacity_, capacity);
    has_table_ = true;
    best_.resize(capacity_ + 1);
    next_.resize(capacity_ + 1);
    choice_.resize(items_ * (capacity_ + 1));
  }
  /// Makes room for problems of equal steps and falling gains alone, of any capacity: they need no
  /// table. Throws std::bad_alloc.
  void reserve_concave(std::size_t items) {
    solution_ = {};
    items_ = std::max(items_, items);
    chosen_.resize(items_);
    first_option_.resize(items_);
    heap_.resize(items_);
    if (has_table_) {
      choice_.resize(items_ * (capacity_ + 1));
    }
  }
  /// Empty until a solve succeeded.
  [[nodiscard]] choice_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct choice_knapsack;
  using raw = typename cost_traits<Cost>::raw;

  /// An item that could climb one step.
  struct climber {
    raw gain;
    std::uint32_t item;
  };
  std::size_t items_ = 0;
  std::size_t capacity_ = 0;
  bool has_table_ = false;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::size_t> first_option_;
  std::vector<climber> heap_;
  std::vector<raw> best_;  ///< per size of what is chosen so far
  std::vector<raw> next_;
  std::vector<std::uint16_t> choice_;  ///< per item and size
  choice_solution<Cost> solution_;
};

BERTH_NAMESPACE_END
