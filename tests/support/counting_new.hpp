// SPDX-License-Identifier: BSL-1.0
// A program that links tests/alloc/counting_new_test.cpp has an operator new that counts
// allocations and living blocks, and refuses when it is told to.
#pragma once

#include <cstdint>

namespace tests {

/// Since the start of the program, over all threads.
[[nodiscard]] std::uint64_t allocations() noexcept;
/// Allocated and not freed.
[[nodiscard]] std::int64_t living_blocks() noexcept;
/// Grants so many allocations and then throws std::bad_alloc; negative: never refuses.
void grant_allocations(std::int64_t count) noexcept;

}  // namespace tests
