// SPDX-License-Identifier: BSL-1.0
// Replaces operator new of the program that includes it, once: counts allocations and living blocks, and
// can refuse the n-th.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tests {
inline std::atomic<std::int64_t> allocations{0};
inline std::atomic<std::int64_t> living_blocks{0};
inline std::atomic<std::int64_t> refuse_after{-1};  ///< -1: never; else so many are granted still

inline void* counted_new(std::size_t size) {
  if (refuse_after.load() == 0) {
    throw std::bad_alloc{};
  }
  if (refuse_after.load() > 0) {
    --refuse_after;
  }
  void* const block = std::malloc(size > 0 ? size : 1);
  if (block == nullptr) {
    throw std::bad_alloc{};
  }
  ++allocations;
  ++living_blocks;
  return block;
}
inline void counted_delete(void* block) noexcept {
  if (block != nullptr) {
    --living_blocks;
    std::free(block);
  }
}
}  // namespace tests

// NOLINTBEGIN: replaced as the standard allows
void* operator new(std::size_t size) { return tests::counted_new(size); }
void* operator new[](std::size_t size) { return tests::counted_new(size); }
void operator delete(void* block) noexcept { tests::counted_delete(block); }
void operator delete[](void* block) noexcept { tests::counted_delete(block); }
void operator delete(void* block, std::size_t) noexcept { tests::counted_delete(block); }
void operator delete[](void* block, std::size_t) noexcept { tests::counted_delete(block); }
// NOLINTEND
