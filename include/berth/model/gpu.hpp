// SPDX-License-Identifier: BSL-1.0
// One GPU: its type, its place in a node's mask, and the state machine every GPU obeys.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>

#include <bit>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// GPUs of one node, bit i = GPU i.
using gpu_mask = std::uint64_t;
/// GPU types of a cluster, bit t = gpu_type{t}.
using type_mask = std::uint16_t;

inline constexpr int max_gpus_per_node = 64;
inline constexpr int max_gpu_types = 16;
inline constexpr type_mask any_type = static_cast<type_mask>(~0u);

/// Is this type in the mask?
[[nodiscard]] constexpr bool contains(type_mask types, gpu_type type) noexcept {
  return ((static_cast<unsigned>(types) >> static_cast<unsigned>(type)) & 1u) != 0;
}

/// Written out: without a flag for the processor, std::popcount is a call on x86-64.
[[nodiscard]] constexpr int gpu_count(gpu_mask mask) noexcept {
#if defined(__POPCNT__) || !defined(__x86_64__)
  return std::popcount(mask);
#else
  mask -= (mask >> 1) & 0x5555555555555555u;
  mask = (mask & 0x3333333333333333u) + ((mask >> 2) & 0x3333333333333333u);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<int>((mask * 0x0101010101010101u) >> 56);
#endif
}
/// The `count` lowest GPUs.
[[nodiscard]] constexpr gpu_mask first_gpus(int count) noexcept {
  return count <= 0 ? 0 : count >= max_gpus_per_node ? ~gpu_mask{0} : (gpu_mask{1} << count) - 1;
}

/// What a GPU is doing. Only a host's confirmation leads out of `draining` and `promised`.
enum class gpu_state : std::uint8_t {
  free,      ///< nobody's
  held,      ///< a launching or running job has it
  draining,  ///< its job was told to stop and has not confirmed yet
  promised,  ///< draining, and earmarked for another job
  reserved,  ///< empty, and earmarked for a job whose other GPUs still drain
  down,      ///< broken, withdrawn, or its node is down
};
inline constexpr int gpu_state_count = 6;

enum class gpu_event : std::uint8_t {
  hold,       ///< given to a job
  drain,      ///< its job is told to stop
  revive,     ///< the order to stop is withdrawn
  promise,    ///< earmarked for a job
  unpromise,  ///< the earmark is dropped
  release,    ///< the host confirms that its job has left it
  retire,     ///< as release, but the GPU was withdrawn meanwhile
  fail,       ///< it or its node went down
  repair,     ///< it is back
};
inline constexpr int gpu_event_count = 9;

namespace detail {
inline constexpr std::uint8_t illegal_gpu = 0xff;

[[nodiscard]] constexpr std::uint8_t gpu_transition(gpu_state from, gpu_event event) noexcept {
  using enum gpu_state;
  auto const to = [](gpu_state state) { return static_cast<std::uint8_t>(state); };
  bool const in_use = from == held || from == draining;
  switch (event) {
    case gpu_event::hold: return from == free || from == reserved ? to(held) : illegal_gpu;
    case gpu_event::drain: return from == held ? to(draining) : illegal_gpu;
    case gpu_event::revive: return from == draining ? to(held) : illegal_gpu;
    case gpu_event::promise:
      return from == free ? to(reserved) : from == draining ? to(promised) : illegal_gpu;
    case gpu_event::unpromise:
      return from == reserved ? to(free) : from == promised ? to(draining) : illegal_gpu;
    case gpu_event::release:
      return in_use ? to(free) : from == promised ? to(reserved) : illegal_gpu;
    case gpu_event::retire: return in_use || from == promised ? to(down) : illegal_gpu;
    case gpu_event::fail: return from != down ? to(down) : illegal_gpu;
    case gpu_event::repair: return from == down ? to(free) : illegal_gpu;
  }
  return illegal_gpu;
}
}  // namespace detail

[[nodiscard]] constexpr bool is_legal(gpu_state from, gpu_event event) noexcept {
  return detail::gpu_transition(from, event) != detail::illegal_gpu;
}
/// Precondition: is_legal(from, event).
[[nodiscard]] constexpr gpu_state next(gpu_state from, gpu_event event) noexcept {
  return static_cast<gpu_state>(detail::gpu_transition(from, event));
}

BERTH_NAMESPACE_END
