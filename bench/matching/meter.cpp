// SPDX-License-Identifier: BSL-1.0
#include <bench/matching/meter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <new>

#include <malloc.h>

namespace {

// The bench has one thread.
std::int64_t living = 0;
std::int64_t peak = 0;
std::int64_t count = 0;

void* take(std::size_t bytes, std::size_t alignment) {
  if (bytes == 0) {
    bytes = 1;
  }
  void* const block =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (block == nullptr) {
    throw std::bad_alloc{};
  }
  ++count;
  living += static_cast<std::int64_t>(malloc_usable_size(block));
  peak = std::max(peak, living);
  return block;
}

void give_back(void* block) noexcept {
  if (block != nullptr) {
    living -= static_cast<std::int64_t>(malloc_usable_size(block));
    std::free(block);
  }
}

}  // namespace

namespace berth_bench {

double thread_milliseconds() noexcept {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

std::int64_t living_bytes() noexcept {
  return living;
}
std::int64_t peak_bytes() noexcept {
  return peak;
}
void restart_peak() noexcept {
  peak = living;
}
std::int64_t allocations() noexcept {
  return count;
}

}  // namespace berth_bench

// The forms that the others end in. Not inlined: g++ would take new and free for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return take(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
  give_back(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept {
  give_back(block);
}
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept {
  give_back(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  give_back(block);
}
