// SPDX-License-Identifier: BSL-1.0
// A vector whose first element begins a line of the cache: a 256-bit load from elsewhere touches
// two lines every second time, and the scans of the assignment solver do little but load.
#pragma once

#include <berth/core/config.hpp>

#include <cstddef>
#include <new>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

inline constexpr std::align_val_t cache_line{64};

template <class T>
struct line_allocator {
  using value_type = T;

  line_allocator() = default;
  template <class Other>
  constexpr line_allocator(line_allocator<Other> const&) noexcept {}

  /// Throws std::bad_alloc. A vector asks for no more than an address can count.
  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), cache_line));
  }
  void deallocate(T* first, std::size_t) noexcept { ::operator delete(first, cache_line); }
  friend constexpr bool operator==(line_allocator, line_allocator) noexcept { return true; }
};

template <class T>
using line_vector = std::vector<T, line_allocator<T>>;

}  // namespace detail
BERTH_NAMESPACE_END
