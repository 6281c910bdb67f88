// SPDX-License-Identifier: BSL-1.0
// The queue of the searches of task_flow: a 4-ary heap of places with their distances, each place
// at most once, so that its memory is known beforehand.
#pragma once

#include <berth/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Smallest distance first; among equals the lowest place, so that the order does not depend on
/// the shape of the heap.
template <class Distance>
class task_flow_heap {
 public:
  struct entry {
    Distance distance;
    std::uint32_t place;
    friend constexpr bool operator<(entry const& a, entry const& b) noexcept {
      return a.distance < b.distance || (a.distance == b.distance && a.place < b.place);
    }
  };

  void reserve(std::size_t places) {
    entries_.resize(places);
    position_.assign(places, absent);
  }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] entry const& top() const noexcept { return entries_[0]; }

  /// Inserts `place`, or lowers its distance.
  void push(std::uint32_t place, Distance distance) noexcept {
    std::size_t const at = position_[place] == absent ? size_++ : position_[place];
    rise(at, {distance, place});
  }
  entry pop() noexcept {
    entry const least = entries_[0];
    position_[least.place] = absent;
    if (entry const last = entries_[--size_]; size_ > 0) {
      sink(last);
    }
    return least;
  }
  void clear() noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      position_[entries_[i].place] = absent;
    }
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t absent = ~std::uint32_t{0};
  static constexpr std::size_t arity = 4;

  void put(std::size_t at, entry const& what) noexcept {
    entries_[at] = what;
    position_[what.place] = static_cast<std::uint32_t>(at);
  }
  void rise(std::size_t at, entry const what) noexcept {
    while (at > 0 && what < entries_[(at - 1) / arity]) {
      put(at, entries_[(at - 1) / arity]);
      at = (at - 1) / arity;
    }
    put(at, what);
  }
  void sink(entry const what) noexcept {
    std::size_t at = 0;
    for (std::size_t child = 1; child < size_; child = arity * at + 1) {
      std::size_t const end = child + arity < size_ ? child + arity : size_;
      std::size_t least = child;
      while (++child < end) {
        least = entries_[child] < entries_[least] ? child : least;
      }
      if (!(entries_[least] < what)) {
        break;
      }
      put(at, entries_[least]);
      at = least;
    }
    put(at, what);
  }

  std::vector<entry> entries_;
  std::vector<std::uint32_t> position_;
  std::size_t size_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
