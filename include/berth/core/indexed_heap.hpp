// SPDX-License-Identifier: BSL-1.0
// A heap of slots that knows where each of them is, so that any can be moved or taken out. 4-ary:
// half as deep as a binary one, and the children of a node share a line or two of the cache. Its
// memory is known beforehand: a slot is in it once.
#pragma once

#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// `a.goes_before(b)` is a total order of entries with different slots.
template <class Entry>
concept heap_entry = requires(Entry const& a, Entry const& b) {
  { a.slot } -> std::convertible_to<std::uint32_t>;
  { a.goes_before(b) } noexcept -> std::same_as<bool>;
};

template <heap_entry Entry>
class indexed_heap {
 public:
  static constexpr std::size_t arity = 4;

  indexed_heap() = default;
  explicit indexed_heap(std::size_t slots) { reserve(slots); }
  /// Room for slots below this; never shrinks. Throws std::bad_alloc.
  void reserve(std::size_t slots) {
    entries_.reserve(slots);
    if (slots > position_.size()) {
      position_.resize(slots, nowhere);
    }
  }
  /// O(size).
  void clear() noexcept {
    for (Entry const& each : entries_) {
      position_[each.slot] = nowhere;
    }
    entries_.clear();
  }

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept {
    return position_[slot] != nowhere;
  }
  /// Precondition: contains(slot).
  [[nodiscard]] Entry const& at(std::uint32_t slot) const noexcept {
    return entries_[position_[slot]];
  }
  /// Precondition: !empty().
  [[nodiscard]] Entry const& top() const noexcept { return entries_[0]; }
  /// All entries: the children of the one at i are at arity × i + 1 and the places behind it, and
  /// none of them goes before it.
  [[nodiscard]] std::span<Entry const> entries() const noexcept { return entries_.view(); }

  /// Inserts an entry, or gives its slot another one. O(log size).
  void set(Entry const& entry) noexcept {
    std::size_t const at = place_of(entry.slot);
    sink(rise(at, entry), entry);
  }
  /// The same for one that does not go behind what its slot had before.
  void push(Entry const& entry) noexcept { put(rise(place_of(entry.slot), entry), entry); }
  /// Does nothing if the slot is not in it. O(log size).
  void erase(std::uint32_t slot) noexcept {
    std::uint32_t const at = position_[slot];
    if (at == nowhere) {
      return;
    }
    position_[slot] = nowhere;
    Entry const last = entries_.back();
    entries_.pop_back();
    if (at < entries_.size()) {
      sink(rise(at, last), last);
    }
  }
  /// Precondition: !empty().
  Entry pop() noexcept {
    Entry const first = entries_[0];
    erase(first.slot);
    return first;
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffffu;

  [[nodiscard]] std::size_t place_of(std::uint32_t slot) noexcept {
    if (position_[slot] != nowhere) {
      return position_[slot];
    }
    entries_.push_back(Entry{});
    return entries_.size() - 1;
  }
  void put(std::size_t at, Entry const& entry) noexcept {
    entries_[at] = entry;
    position_[entry.slot] = static_cast<std::uint32_t>(at);
  }
  /// Moves the hole at `at` up to where `entry` may stand; returns where that is.
  [[nodiscard]] std::size_t rise(std::size_t at, Entry const& entry) noexcept {
    while (at > 0 && entry.goes_before(entries_[(at - 1) / arity])) {
      put(at, entries_[(at - 1) / arity]);
      at = (at - 1) / arity;
    }
    return at;
  }
  /// Moves the hole at `at` down to where `entry` may stand, and puts it there.
  void sink(std::size_t at, Entry const& entry) noexcept {
    std::size_t const size = entries_.size();
    for (std::size_t child = arity * at + 1; child < size; child = arity * at + 1) {
      std::size_t const end = child + arity < size ? child + arity : size;
      std::size_t first = child;
      while (++child < end) {
        first = entries_[child].goes_before(entries_[first]) ? child : first;
      }
      if (!entries_[first].goes_before(entry)) {
        break;
      }
      put(at, entries_[first]);
      at = first;
    }
    put(at, entry);
  }

  bounded_vector<Entry> entries_;
  std::vector<std::uint32_t> position_;
};

}  // namespace detail
BERTH_NAMESPACE_END
