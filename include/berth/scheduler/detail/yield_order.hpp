// SPDX-License-Identifier: BSL-1.0
// Holders of GPUs in the order in which they yield: the last in rank order first. A 4-ary heap that
// knows where each job is, so that a change costs O(log holders); whoever looks for victims walks
// down from the top and pays for those that it sees, not for all.
#pragma once

#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/core/priority_key.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

class yield_order {
 public:
  explicit yield_order(std::size_t capacity) : heap_{capacity}, position_(capacity, nowhere) {}

  /// O(capacity).
  void clear() noexcept {
    heap_.clear();
    std::fill(position_.begin(), position_.end(), nowhere);
  }
  /// Adds a job or gives it another key. O(log holders).
  void set(std::uint32_t slot, priority_key const& key, std::uint64_t sequence) noexcept {
    std::uint32_t at = position_[slot];
    if (at == nowhere) {
      at = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({});
    }
    place(at, {key, sequence, slot});
    down(up(at));
  }
  void erase(std::uint32_t slot) noexcept {
    std::uint32_t const at = position_[slot];
    if (at == nowhere) {
      return;
    }
    position_[slot] = nowhere;
    entry const last = heap_.back();
    heap_.pop_back();
    if (at < heap_.size()) {
      place(at, last);
      down(up(at));
    }
  }
  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept {
    return position_[slot] != nowhere;
  }

  /// Calls visit(entry) for every job, in no particular order. O(holders).
  template <class Visit>
  void for_each(Visit&& visit) const {
    std::for_each(heap_.begin(), heap_.end(), visit);
  }

  struct entry {
    priority_key key;
    std::uint64_t sequence = 0;
    std::uint32_t slot = 0;

    [[nodiscard]] bool yields_before(entry const& other) const noexcept {
      auto const by_key = key <=> other.key;
      return by_key != 0 ? by_key > 0 : sequence > other.sequence;
    }
  };

  /// A walk in the order of yielding. Valid until the order changes. `seen` has room for all jobs.
  class walk {
   public:
    explicit walk(std::size_t capacity) : seen_{capacity} {}

    void start(yield_order const& order) noexcept {
      seen_.clear();
      if (!order.heap_.empty()) {
        seen_.push_back(0);
      }
    }
    [[nodiscard]] bool at_end() const noexcept { return seen_.empty(); }
    /// Precondition: !at_end().
    [[nodiscard]] entry const& next(yield_order const& order) const noexcept {
      return order.heap_[seen_[0]];
    }
    /// O(log of those seen so far).
    void advance(yield_order const& order) noexcept {
      auto const later = [&](std::uint32_t a, std::uint32_t b) noexcept {
        return order.heap_[b].yields_before(order.heap_[a]);
      };
      std::uint32_t const at = seen_[0];
      std::pop_heap(seen_.begin(), seen_.end(), later);
      seen_.pop_back();
      for (std::uint32_t child = arity * at + 1;
           child <= arity * at + arity && child < order.heap_.size(); ++child) {
        seen_.push_back(child);
        std::push_heap(seen_.begin(), seen_.end(), later);
      }
    }

   private:
    bounded_vector<std::uint32_t> seen_;  ///< a heap of places in the order's heap
  };

 private:
  static constexpr std::uint32_t nowhere = 0xffffffffu;
  static constexpr std::uint32_t arity = 4;

  void place(std::uint32_t at, entry const& what) noexcept {
    heap_[at] = what;
    position_[what.slot] = at;
  }
  std::uint32_t up(std::uint32_t at) noexcept {
    entry const moving = heap_[at];
    while (at > 0 && moving.yields_before(heap_[(at - 1) / arity])) {
      place(at, heap_[(at - 1) / arity]);
      at = (at - 1) / arity;
    }
    place(at, moving);
    return at;
  }
  void down(std::uint32_t at) noexcept {
    entry const moving = heap_[at];
    for (;;) {
      std::uint32_t first = at;
      for (std::uint32_t child = arity * at + 1;
           child <= arity * at + arity && child < heap_.size(); ++child) {
        entry const& best = first == at ? moving : heap_[first];
        first = heap_[child].yields_before(best) ? child : first;
      }
      if (first == at) {
        break;
      }
      place(at, heap_[first]);
      at = first;
    }
    place(at, moving);
  }

  bounded_vector<entry> heap_;
  std::vector<std::uint32_t> position_;
};

}  // namespace detail
BERTH_NAMESPACE_END
