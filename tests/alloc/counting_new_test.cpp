// SPDX-License-Identifier: BSL-1.0
// What is counted is counted in full: else no test or bench that finds 0 could fail.
#include <tests/support/counting_new.hpp>

#include <cstdint>
#include <new>

#include <doctest/doctest.h>

namespace counting_new_test {

namespace {

struct account {
  std::uint64_t allocations = tests::allocations();
  std::int64_t blocks = tests::living_blocks();
  std::int64_t bytes = tests::living_bytes();
  std::int64_t peak = tests::peak_bytes();
};

}  // namespace

TEST_CASE("the counter sees every form of new and of delete") {
  // Direct calls: an optimiser may leave out a new-expression, but not these.
  constexpr std::align_val_t wide{64};
  account const before;
  void* const one = ::operator new(4);
  void* const many = ::operator new[](32);
  void* const aligned = ::operator new(64, wide);
  void* const aligned_many = ::operator new[](128, wide);
  account const full;
  ::operator delete(one);
  ::operator delete[](many);
  ::operator delete(aligned, wide);
  ::operator delete[](aligned_many, wide);
  account const empty;
  tests::restart_peak();
  account const restarted;
  CHECK(full.allocations == before.allocations + 4);
  CHECK(full.blocks == before.blocks + 4);
  CHECK(full.bytes >= before.bytes + 4 + 32 + 64 + 128);
  CHECK(full.peak >= full.bytes);
  CHECK(empty.allocations == full.allocations);
  CHECK(empty.blocks == before.blocks);
  CHECK(empty.bytes == before.bytes);
  CHECK(empty.peak == full.peak);
  CHECK(restarted.peak == restarted.bytes);
}

}  // namespace counting_new_test
