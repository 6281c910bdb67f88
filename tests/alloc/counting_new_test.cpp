// SPDX-License-Identifier: BSL-1.0
// Replaces operator new by one that counts; the array and nothrow forms end here too.
#include <tests/support/counting_new.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <doctest/doctest.h>

namespace {
std::atomic<std::uint64_t> count{0};
std::atomic<std::int64_t> living{0};
std::atomic<std::int64_t> granted{-1};

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (granted.load() == 0) {
    throw std::bad_alloc{};
  }
  if (granted.load() > 0) {
    --granted;
  }
  ++count;
  std::size_t const whole = (bytes + alignment - 1) / alignment * alignment;
  void* const made = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (made == nullptr) {
    throw std::bad_alloc{};
  }
  ++living;
  return made;
}
void give_back(void* at) noexcept {
  living -= at != nullptr ? 1 : 0;
  std::free(at);
}
}  // namespace

std::uint64_t tests::allocations() noexcept {
  return count.load();
}
std::int64_t tests::living_blocks() noexcept {
  return living.load();
}
void tests::grant_allocations(std::int64_t more) noexcept {
  granted = more;
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

TEST_CASE("the counter sees every form of new") {
  // Direct calls: an optimiser may leave out a new-expression, but not these.
  constexpr std::align_val_t wide{64};
  auto const before = tests::allocations();
  void* const one = ::operator new(4);
  void* const many = ::operator new[](32);
  void* const aligned = ::operator new(64, wide);
  void* const aligned_many = ::operator new[](128, wide);
  CHECK(tests::allocations() - before >= 4);
  ::operator delete(one);
  ::operator delete[](many);
  ::operator delete(aligned, wide);
  ::operator delete[](aligned_many, wide);
}
