// SPDX-License-Identifier: BSL-1.0
// Which records look the same to a solver. Jobs that ask for the same, nodes that offer the same,
// become one class with a count, and the problem has a row or column per class: the same optimum
// from a network that is smaller by the square of the count. Classes follow the events: a record
// that comes, goes or changes touches the one or two classes that it is in, and nothing else.
// An event is O(1) expected; memory is O(records + classes). Which records share a class depends on
// their keys alone; the numbers of the classes on the calls so far, never on the hash.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/solve/detail/collapse_hash.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// The class of a record that was not added.
inline constexpr std::uint32_t no_class = std::numeric_limits<std::uint32_t>::max();

/// The default equality of class keys: std::equal_to would cost a large header.
struct equal_keys {
  template <class Key>
  [[nodiscard]] constexpr bool operator()(Key const& a, Key const& b) const noexcept {
    return a == b;
  }
};

/// Classes of the records 0, 1, 2 …, by `Key`: whatever of a record decides its costs. Copying a
/// key, `Hash` and `Equal` must not throw, and equal keys must have equal hashes. A class keeps the
/// key of the record that opened it, which must stay equal to those of its members.
/// A class keeps its number as long as it has members, so that a warm solver recognises it; then
/// the number is free for the next new class.
template <class Key, class Hash = bytes_hash, class Equal = equal_keys>
class class_index {
 public:
  explicit class_index(Hash hash = {}, Equal equal = {}) : hash_{hash}, equal_{equal} {}
  class_index(std::size_t records, std::size_t classes, Hash hash = {}, Equal equal = {})
      : class_index{hash, equal} {
    reserve(records, classes);
  }

  /// Makes room for records below `records` and for that many classes at a time; never shrinks.
  /// Changes nothing else. Throws std::bad_alloc.
  void reserve(std::size_t records, std::size_t classes) {
    class_of_.resize(std::max(records, class_of_.size()), no_class);
    if (classes <= key_.size()) {
      return;
    }
    hash_of_.resize(classes);
    size_.resize(classes);
    is_touched_.resize(classes);
    free_.reserve(classes);
    touched_.reserve(classes);
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * classes), no_class);
    slots_.swap(slots);
    for (std::uint32_t at = 0; at < bound_; ++at) {
      if (size_[at] > 0) {
        slots_[slot_for(at)] = at;
      }
    }
    key_.resize(classes);  // the last, because its size says what there is room for
  }

  /// Puts `record`, which has no class, into the class of `key`, a new one if need be. Returns the
  /// class; no_class, and nothing has changed, if there is no room for one more.
  std::uint32_t add(std::uint32_t record, Key const& key) noexcept {
    BERTH_ASSERT(record < class_of_.size(), "the record is beyond what was reserved");
    BERTH_ASSERT(class_of_[record] == no_class, "the record has a class already");
    std::uint32_t const at = find_or_open(key);
    if (at != no_class) {
      class_of_[record] = at;
      ++size_[at];
      touch(at);
    }
    return at;
  }

  /// Takes `record` out of its class.
  void remove(std::uint32_t record) noexcept {
    BERTH_ASSERT(class_of(record) != no_class, "the record has no class");
    std::uint32_t const at = std::exchange(class_of_[record], no_class);
    touch(at);
    if (--size_[at] == 0) {
      close(at);
    }
  }

  /// As remove() and add(), but touches nothing where the class stays the same. Returns the class;
  /// no_class, and nothing has changed, if there is no room for one more.
  std::uint32_t change(std::uint32_t record, Key const& key) noexcept {
    BERTH_ASSERT(class_of(record) != no_class, "the record has no class");
    std::uint32_t const before = class_of_[record];
    if (equal_(key_[before], key)) {
      return before;
    }
    if (size_[before] == 1) {
      remove(record);  // which makes room for one more
      return add(record, key);
    }
    std::uint32_t const at = find_or_open(key);
    if (at != no_class) {
      remove(record);
      class_of_[record] = at;
      ++size_[at];
      touch(at);
    }
    return at;
  }

  [[nodiscard]] std::uint32_t class_of(std::uint32_t record) const noexcept {
    BERTH_ASSERT(record < class_of_.size(), "the record is beyond what was reserved");
    return class_of_[record];
  }
  /// Per record that there is room for, its class or no_class.
  [[nodiscard]] std::span<std::uint32_t const> classes_of_records() const noexcept {
    return class_of_;
  }
  /// Every class is below this; between them may be numbers without members.
  [[nodiscard]] std::uint32_t class_bound() const noexcept { return bound_; }
  /// How many records are in the class.
  [[nodiscard]] std::int32_t size(std::uint32_t at) const noexcept { return size_[at]; }
  /// The key of a class that has members, or had the last one of this number.
  [[nodiscard]] Key const& key(std::uint32_t at) const noexcept { return key_[at]; }

  /// Classes whose size or key has changed since clear_touched(), in the order of the first change.
  [[nodiscard]] std::span<std::uint32_t const> touched() const noexcept { return touched_; }
  void clear_touched() noexcept {
    for (std::uint32_t const at : touched_) {
      is_touched_[at] = 0;
    }
    touched_.clear();
  }

 private:
  /// The slot that holds `at`, or the free one where it belongs.
  [[nodiscard]] std::size_t slot_for(std::uint32_t at) const noexcept {
    std::size_t slot = home(hash_of_[at]);
    while (slots_[slot] != no_class && slots_[slot] != at) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  [[nodiscard]] std::size_t home(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>(hash) & (slots_.size() - 1);
  }

  std::uint32_t find_or_open(Key const& key) noexcept {
    if (slots_.empty()) {
      return no_class;
    }
    std::uint64_t const hash = hash_(key);
    std::size_t slot = home(hash);
    for (; slots_[slot] != no_class; slot = (slot + 1) & (slots_.size() - 1)) {
      std::uint32_t const at = slots_[slot];
      if (hash_of_[at] == hash && equal_(key_[at], key)) {
        return at;
      }
    }
    if (free_.empty() && bound_ == key_.size()) {
      return no_class;
    }
    std::uint32_t at = bound_;
    if (free_.empty()) {
      ++bound_;
    } else {
      at = free_.back();
      free_.pop_back();
    }
    key_[at] = key;
    hash_of_[at] = hash;
    slots_[slot] = at;
    return at;
  }

  /// Frees the number of a class without members. Its slot is filled by whoever could not have its
  /// own because of it (Knuth, The Art of Computer Programming 3, 1998, section 6.4, algorithm R).
  void close(std::uint32_t at) noexcept {
    free_.push_back(at);
    std::size_t const mask = slots_.size() - 1;
    std::size_t hole = slot_for(at);
    for (std::size_t slot = (hole + 1) & mask; slots_[slot] != no_class; slot = (slot + 1) & mask) {
      std::size_t const way_from_home = (slot - home(hash_of_[slots_[slot]])) & mask;
      if (way_from_home >= ((slot - hole) & mask)) {
        slots_[hole] = slots_[slot];
        hole = slot;
      }
    }
    slots_[hole] = no_class;
  }

  void touch(std::uint32_t at) noexcept {
    if (is_touched_[at] == 0) {
      is_touched_[at] = 1;
      touched_.push_back(at);
    }
  }

  [[no_unique_address]] Hash hash_;
  [[no_unique_address]] Equal equal_;
  std::uint32_t bound_ = 0;
  std::vector<std::uint32_t> class_of_;
  std::vector<Key> key_;  ///< per class, as the next three
  std::vector<std::uint64_t> hash_of_;
  std::vector<std::int32_t> size_;
  std::vector<std::uint8_t> is_touched_;
  std::vector<std::uint32_t> free_;   ///< numbers without members, the last one freed on top
  std::vector<std::uint32_t> slots_;  ///< open addressing, at most half full
  std::vector<std::uint32_t> touched_;
};

BERTH_NAMESPACE_END
