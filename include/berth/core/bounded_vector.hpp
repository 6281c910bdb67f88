// SPDX-License-Identifier: BSL-1.0
// A vector whose capacity is set between calls and never grows by itself: what a tick uses.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// push_back beyond the capacity reports false and changes nothing. Only reserve() allocates.
template <class T>
class bounded_vector {
 public:
  bounded_vector() = default;
  explicit bounded_vector(std::size_t capacity) { reserve(capacity); }
  /// A copy has the capacity of the original: that of a copied std::vector is only its size.
  bounded_vector(bounded_vector const& other) {
    reserve(other.limit_);
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
  }
  /// What was moved from is empty and has no capacity.
  bounded_vector(bounded_vector&& other) noexcept
      : items_{std::move(other.items_)}, limit_{std::exchange(other.limit_, 0)} {
    other.items_.clear();
  }
  bounded_vector& operator=(bounded_vector other) noexcept {
    items_.swap(other.items_);
    std::swap(limit_, other.limit_);
    return *this;
  }
  ~bounded_vector() = default;

  /// Grows the capacity; may throw std::bad_alloc, and then nothing has changed.
  void reserve(std::size_t capacity) {
    items_.reserve(capacity);
    limit_ = capacity > limit_ ? capacity : limit_;
  }

  bool push_back(T const& item) noexcept(std::is_nothrow_copy_constructible_v<T>) {
    if (items_.size() == limit_) {
      return false;
    }
    items_.push_back(item);
    return true;
  }
  void pop_back() noexcept {
    BERTH_ASSERT(!items_.empty(), "pop_back of an empty vector");
    items_.pop_back();
  }
  void clear() noexcept { items_.clear(); }
  /// Shrinks only.
  void truncate(std::size_t size) noexcept {
    BERTH_ASSERT(size <= items_.size(), "truncate never grows");
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(size), items_.end());
  }

  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] std::size_t capacity() const noexcept { return limit_; }
  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
  [[nodiscard]] bool full() const noexcept { return items_.size() == limit_; }

  [[nodiscard]] T& operator[](std::size_t index) noexcept {
    BERTH_ASSERT(index < items_.size(), "index out of range");
    return items_[index];
  }
  [[nodiscard]] T const& operator[](std::size_t index) const noexcept {
    BERTH_ASSERT(index < items_.size(), "index out of range");
    return items_[index];
  }
  [[nodiscard]] T& back() noexcept { return (*this)[items_.size() - 1]; }
  [[nodiscard]] T const& back() const noexcept { return (*this)[items_.size() - 1]; }

  [[nodiscard]] auto begin() noexcept { return items_.begin(); }
  [[nodiscard]] auto end() noexcept { return items_.end(); }
  [[nodiscard]] auto begin() const noexcept { return items_.begin(); }
  [[nodiscard]] auto end() const noexcept { return items_.end(); }
  [[nodiscard]] std::span<T const> view() const noexcept { return items_; }
  [[nodiscard]] std::span<T> view() noexcept { return items_; }

 private:
  std::vector<T> items_;
  // std::vector::capacity() may be larger than what was reserved, by the library: with it as the
  // limit, what fits would differ from library to library.
  std::size_t limit_ = 0;
};

BERTH_NAMESPACE_END
