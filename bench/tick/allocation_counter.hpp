// SPDX-License-Identifier: BSL-1.0
// Counts what the whole program takes from the heap.
#pragma once

#include <cstdint>

namespace bench {

[[nodiscard]] std::uint64_t allocation_count() noexcept;
[[nodiscard]] std::uint64_t allocated_bytes() noexcept;  ///< in all, given back or not

}  // namespace bench
