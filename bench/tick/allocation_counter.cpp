// SPDX-License-Identifier: BSL-1.0
// Replaces operator new by one that counts; the array and nothrow forms end here too.
#include <bench/tick/allocation_counter.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::uint64_t count = 0;
std::uint64_t bytes_taken = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  ++count;
  bytes_taken += bytes;
  std::size_t const whole = (bytes + alignment - 1) / alignment * alignment;
  void* const made = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (made == nullptr) {
    throw std::bad_alloc{};
  }
  return made;
}

}  // namespace

std::uint64_t bench::allocation_count() noexcept {
  return count;
}
std::uint64_t bench::allocated_bytes() noexcept {
  return bytes_taken;
}

// Not inlined: g++ would take new and free for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return allocate(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* at) noexcept {
  std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept {
  std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::align_val_t) noexcept {
  std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t, std::align_val_t) noexcept {
  std::free(at);
}
