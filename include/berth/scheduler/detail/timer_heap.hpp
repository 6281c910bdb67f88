// SPDX-License-Identifier: BSL-1.0
// At most one alarm per job: when something about it changes by itself.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/indexed_heap.hpp>
#include <berth/core/time.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

class timer_heap {
 public:
  explicit timer_heap(std::size_t capacity) : heap_{capacity} {}

  /// Sets, moves, or (with `never`) removes the alarm of a slot. O(log n).
  void set(std::uint32_t slot, time_point at) noexcept {
    if (at == never) {
      heap_.erase(slot);
    } else {
      heap_.set({at, slot});
    }
  }
  /// The alarm of a slot; `never` if it has none. O(1).
  [[nodiscard]] time_point at(std::uint32_t slot) const noexcept {
    return heap_.contains(slot) ? heap_.at(slot).at : never;
  }
  /// O(alarms).
  void clear() noexcept { heap_.clear(); }

  /// `never` if there is none.
  [[nodiscard]] time_point next() const noexcept { return heap_.empty() ? never : heap_.top().at; }
  /// Removes and returns the slot of the earliest alarm; ties by slot. Precondition: next() !=
  /// never.
  std::uint32_t pop() noexcept { return heap_.pop().slot; }

 private:
  struct alarm {
    time_point at;
    std::uint32_t slot = 0;
    [[nodiscard]] bool goes_before(alarm const& other) const noexcept {
      return at != other.at ? at < other.at : slot < other.slot;
    }
  };
  indexed_heap<alarm> heap_;
};

}  // namespace detail
BERTH_NAMESPACE_END
