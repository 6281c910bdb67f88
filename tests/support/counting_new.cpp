// SPDX-License-Identifier: BSL-1.0
// Replaces every form of operator new; the nothrow ones end in those here.
#include <tests/support/counting_new.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

// Each is right by itself, and that is all that anybody asks.
constexpr auto relaxed = std::memory_order_relaxed;
std::atomic<std::uint64_t> count{0};
std::atomic<std::int64_t> blocks{0};
std::atomic<std::int64_t> bytes_living{0};
std::atomic<std::int64_t> most_bytes{0};
std::atomic<std::int64_t> granted{-1};

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (granted.load(relaxed) == 0) {
    throw std::bad_alloc{};
  }
  if (granted.load(relaxed) > 0) {
    granted.fetch_sub(1, relaxed);
  }
  std::size_t const whole = (bytes + alignment - 1) / alignment * alignment;
  void* const made = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (made == nullptr) {
    throw std::bad_alloc{};
  }
  count.fetch_add(1, relaxed);
  blocks.fetch_add(1, relaxed);
  auto const size = static_cast<std::int64_t>(malloc_usable_size(made));
  std::int64_t const living = bytes_living.fetch_add(size, relaxed) + size;
  for (std::int64_t most = most_bytes.load(relaxed);
       living > most && !most_bytes.compare_exchange_weak(most, living, relaxed);) {
  }
  return made;
}

void give_back(void* at) noexcept {
  if (at != nullptr) {
    blocks.fetch_sub(1, relaxed);
    bytes_living.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(at)), relaxed);
    std::free(at);
  }
}

}  // namespace

std::uint64_t tests::allocations() noexcept {
  return count.load(relaxed);
}
std::int64_t tests::living_blocks() noexcept {
  return blocks.load(relaxed);
}
std::int64_t tests::living_bytes() noexcept {
  return bytes_living.load(relaxed);
}
std::int64_t tests::peak_bytes() noexcept {
  return most_bytes.load(relaxed);
}
void tests::restart_peak() noexcept {
  most_bytes.store(bytes_living.load(relaxed), relaxed);
}
void tests::grant_allocations(std::int64_t more) noexcept {
  granted.store(more, relaxed);
}

// Not inlined: g++ would take new and free for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return allocate(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* at) noexcept {
  give_back(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept {
  give_back(at);
}
[[gnu::noinline]] void operator delete(void* at, std::align_val_t) noexcept {
  give_back(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t, std::align_val_t) noexcept {
  give_back(at);
}

// The forms for arrays call those above by default, but not where a sanitizer brings its own.
[[gnu::noinline]] void* operator new[](std::size_t bytes) {
  return allocate(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete[](void* at) noexcept {
  give_back(at);
}
[[gnu::noinline]] void operator delete[](void* at, std::size_t) noexcept {
  give_back(at);
}
[[gnu::noinline]] void operator delete[](void* at, std::align_val_t) noexcept {
  give_back(at);
}
[[gnu::noinline]] void operator delete[](void* at, std::size_t, std::align_val_t) noexcept {
  give_back(at);
}
