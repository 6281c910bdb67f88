// SPDX-License-Identifier: BSL-1.0
// Holders of GPUs in the order in which they yield: the last in rank order first. A change costs
// O(log holders); whoever looks for victims walks down from the top and pays for those that it
// sees, not for all.
#pragma once

#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/core/indexed_heap.hpp>
#include <berth/core/priority_key.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

struct yielding_holder {
  priority_key key;
  std::uint64_t sequence = 0;
  std::uint32_t slot = 0;

  /// Does it yield before the other one?
  [[nodiscard]] bool goes_before(yielding_holder const& other) const noexcept {
    auto const by_key = key <=> other.key;
    return by_key != 0 ? by_key > 0 : sequence > other.sequence;
  }
};

using yield_order = indexed_heap<yielding_holder>;

/// A walk in the order of yielding. Valid until the order changes.
class yield_walk {
 public:
  explicit yield_walk(std::size_t capacity) : seen_{capacity} {}

  void start(yield_order const& order) noexcept {
    seen_.clear();
    if (!order.empty()) {
      seen_.push_back(0);
    }
  }
  [[nodiscard]] bool at_end() const noexcept { return seen_.empty(); }
  /// Precondition: !at_end().
  [[nodiscard]] yielding_holder const& next(yield_order const& order) const noexcept {
    return order.entries()[seen_[0]];
  }
  /// O(log of those seen so far).
  void advance(yield_order const& order) noexcept {
    auto const holders = order.entries();
    auto const later = [holders](std::size_t a, std::size_t b) noexcept {
      return holders[b].goes_before(holders[a]);
    };
    std::size_t const at = seen_[0];
    std::pop_heap(seen_.begin(), seen_.end(), later);
    seen_.pop_back();
    std::size_t const first = yield_order::arity * at + 1;
    std::size_t const end = std::min(first + yield_order::arity, holders.size());
    for (std::size_t child = first; child < end; ++child) {
      seen_.push_back(child);
      std::push_heap(seen_.begin(), seen_.end(), later);
    }
  }

 private:
  bounded_vector<std::size_t> seen_;  ///< a heap of places in the order's heap
};

}  // namespace detail
BERTH_NAMESPACE_END
