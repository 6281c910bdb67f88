// SPDX-License-Identifier: BSL-1.0
// At most one alarm per job: when something about it changes by itself. A binary heap that knows
// where each job is, so that an alarm can be moved.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

class timer_heap {
 public:
  explicit timer_heap(std::size_t capacity) : position_(capacity, nowhere) {
    heap_.reserve(capacity);
  }

  /// Sets, moves, or (with `never`) removes the alarm of a slot. O(log n).
  void set(std::uint32_t slot, time_point at) noexcept {
    std::uint32_t const where = position_[slot];
    if (where == nowhere) {
      if (at == never) {
        return;
      }
      heap_.push_back({at, slot});
      position_[slot] = static_cast<std::uint32_t>(heap_.size() - 1);
      up(heap_.size() - 1);
      return;
    }
    if (at == never) {
      swap_entries(where, heap_.size() - 1);
      heap_.pop_back();
      position_[slot] = nowhere;
      if (where < heap_.size()) {
        down(up(where));
      }
      return;
    }
    heap_[where].at = at;
    down(up(where));
  }

  /// The alarm of a slot; `never` if it has none. O(1).
  [[nodiscard]] time_point at(std::uint32_t slot) const noexcept {
    return position_[slot] == nowhere ? never : heap_[position_[slot]].at;
  }
  /// O(capacity).
  void clear() noexcept {
    heap_.clear();
    std::fill(position_.begin(), position_.end(), nowhere);
  }

  /// `never` if there is none.
  [[nodiscard]] time_point next() const noexcept { return heap_.empty() ? never : heap_[0].at; }
  /// Removes and returns the slot of the earliest alarm; ties by slot. Precondition: next() !=
  /// never.
  std::uint32_t pop() noexcept {
    std::uint32_t const slot = heap_[0].slot;
    set(slot, never);
    return slot;
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffffu;
  struct entry {
    time_point at;
    std::uint32_t slot;
    [[nodiscard]] bool before(entry const& other) const noexcept {
      return at != other.at ? at < other.at : slot < other.slot;
    }
  };
  void swap_entries(std::size_t a, std::size_t b) noexcept {
    std::swap(heap_[a], heap_[b]);
    position_[heap_[a].slot] = static_cast<std::uint32_t>(a);
    position_[heap_[b].slot] = static_cast<std::uint32_t>(b);
  }
  std::size_t up(std::size_t at) noexcept {
    while (at > 0 && heap_[at].before(heap_[(at - 1) / 2])) {
      swap_entries(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
    return at;
  }
  void down(std::size_t at) noexcept {
    for (;;) {
      std::size_t least = at;
      for (std::size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap_.size(); ++child) {
        if (heap_[child].before(heap_[least])) {
          least = child;
        }
      }
      if (least == at) {
        return;
      }
      swap_entries(at, least);
      at = least;
    }
  }
  std::vector<entry> heap_;
  std::vector<std::uint32_t> position_;
};

}  // namespace detail
BERTH_NAMESPACE_END
