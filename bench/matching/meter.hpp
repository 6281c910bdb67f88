// SPDX-License-Identifier: BSL-1.0
// What is measured: time of this thread, and memory through an operator new that keeps account.
#pragma once

#include <cstdint>

namespace berth_bench {

/// Time that this thread has spent on a processor; other programs on the machine do not count.
[[nodiscard]] double thread_milliseconds() noexcept;

/// Bytes allocated and not freed.
[[nodiscard]] std::int64_t living_bytes() noexcept;
/// The most bytes that lived at once since the last restart_peak().
[[nodiscard]] std::int64_t peak_bytes() noexcept;
void restart_peak() noexcept;
/// Allocations since the start of the program.
[[nodiscard]] std::int64_t allocations() noexcept;

}  // namespace berth_bench
