// SPDX-License-Identifier: BSL-1.0
// How a job leaves its GPUs: what a preemption cost answers and an order to stop says.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// How a job leaves its GPUs (docs/glossary.md).
enum class suspension_mode : std::uint8_t {
  boundary,    ///< goes on to the end of its epoch, then saves: nothing is lost
  checkpoint,  ///< finishes the iteration, then saves
  kill,        ///< leaves at once, and falls back to what it saved last
};
inline constexpr int suspension_mode_count = 3;

/// A set of modes; bit = suspension_mode.
using mode_mask = std::uint8_t;

[[nodiscard]] constexpr mode_mask only(suspension_mode mode) noexcept {
  return static_cast<mode_mask>(1u << static_cast<unsigned>(mode));
}
[[nodiscard]] constexpr bool contains(mode_mask modes, suspension_mode mode) noexcept {
  return (modes & only(mode)) != 0;
}

BERTH_NAMESPACE_END
