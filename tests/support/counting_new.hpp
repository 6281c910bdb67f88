// SPDX-License-Identifier: BSL-1.0
// A program that links tests/support/counting_new.cpp has an operator new that keeps account of
// what is allocated, and refuses when it is told to. For tests and benches.
#pragma once

#include <cstdint>

namespace tests {

/// Since the start of the program, over all threads.
[[nodiscard]] std::uint64_t allocations() noexcept;
/// Allocated and not freed.
[[nodiscard]] std::int64_t living_blocks() noexcept;
/// Their bytes, as the C library rounds them up.
[[nodiscard]] std::int64_t living_bytes() noexcept;
/// The most bytes that lived at once since the last restart_peak().
[[nodiscard]] std::int64_t peak_bytes() noexcept;
void restart_peak() noexcept;
/// Grants so many allocations and then throws std::bad_alloc; negative: never refuses.
void grant_allocations(std::int64_t count) noexcept;

}  // namespace tests
