// SPDX-License-Identifier: BSL-1.0
// Which instructions the dense scans use. It is chosen at run time, so that one binary is fast
// where it can be and runs everywhere; the answer is the same bit for bit.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

// 1: the compiler can build single functions for AVX2 in a program for plain x86-64.
#if defined(__x86_64__) && defined(__GNUC__)
#define BERTH_DETAIL_HAS_AVX2 1
#else
#define BERTH_DETAIL_HAS_AVX2 0
#endif

BERTH_NAMESPACE_BEGIN

enum class instruction_set : std::uint8_t {
  plain,  ///< what the program was compiled for
  avx2,   ///< 256-bit vectors
};

/// The best that this machine can run. A load and a test.
[[nodiscard]] inline instruction_set best_instruction_set() noexcept {
#if BERTH_DETAIL_HAS_AVX2
  if (__builtin_cpu_supports("avx2")) {
    return instruction_set::avx2;
  }
#endif
  return instruction_set::plain;
}

BERTH_NAMESPACE_END
