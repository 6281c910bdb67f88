// SPDX-License-Identifier: BSL-1.0
// A node as the host describes it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/gpu.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

enum class node_health : std::uint8_t {
  up,        ///< takes new work
  draining,  ///< what runs there goes on, nothing new starts
  down,      ///< gone: whatever ran there is lost
};

/// Whose nodes these are: training jobs run on the training pool, inference services on theirs.
enum class pool : std::uint8_t { training, inference };
inline constexpr int pool_count = 2;

struct node_spec {
  std::int32_t gpus = 0;  ///< 0..64
  gpu_type type{};        ///< all GPUs of a node are of one type
  rack_id rack{};         ///< failure and switch domain
  pool owner = pool::training;
  node_health health = node_health::up;
  std::int64_t cpu_milli = 0;   ///< thousandths of a core; matters only to jobs that ask for CPU
  std::int64_t memory_mib = 0;  ///< MiB; matters only to jobs that ask for memory
  std::uint64_t tag = 0;  ///< the host's own number; two nodes with the same tag ≠ 0 are refused
};

/// Some GPUs of one node. An allocation is a list of these.
struct gpu_range {
  node_id node;
  gpu_mask gpus = 0;
  friend constexpr bool operator==(gpu_range const&, gpu_range const&) noexcept = default;
};

BERTH_NAMESPACE_END
