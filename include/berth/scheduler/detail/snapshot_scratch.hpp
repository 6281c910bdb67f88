// SPDX-License-Identifier: BSL-1.0
// What checking a snapshot must remember from one line to the next. Sized at construction, so that
// restore allocates nothing; it means nothing outside of one.
#pragma once

#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/node.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

struct node_check {
  bool exists = false;
  bool listed = false;  ///< among the unused ones
  node_health health = node_health::up;
  gpu_mask lost = 0;
  gpu_mask all = 0;
  gpu_mask held = 0;
  gpu_mask leaving = 0;  ///< of them, those whose job was told to stop
  gpu_mask earmarked = 0;
  std::array<std::uint64_t, 2> places{};  ///< in the chain of bookings
  std::uint32_t held_by = no_index;       ///< the last job with a hold here
  std::uint32_t earmarked_by = no_index;
};

struct slot_check {
  std::uint32_t generation = 0;
  bool used = false;
  bool listed = false;  ///< among the unused ones
  bool arrives = false;
  bool changed = false;
  bool holds = false;
  bool queued = false;
  bool reserves = false;
  bool is_next = false;       ///< somebody's group_next
  bool needs_change = false;  ///< waits for the next tick to put it into a queue
  job_state state = job_state::finished;
  std::uint32_t group_next = no_index;
  group_id group{};
};

struct snapshot_scratch {
  explicit snapshot_scratch(scheduler_config const& limits)
      : nodes(limits.max_nodes),
        slots(limits.max_jobs),
        numbers{std::max(limits.max_nodes, limits.max_jobs)} {}

  std::vector<node_check> nodes;
  std::vector<slot_check> slots;
  bounded_vector<std::uint64_t> numbers;  ///< that must differ from each other

  void clear() noexcept {
    std::fill(nodes.begin(), nodes.end(), node_check{});
    std::fill(slots.begin(), slots.end(), slot_check{});
    numbers.clear();
  }
  /// Sorts the numbers and forgets them.
  [[nodiscard]] bool take_all_different() noexcept {
    auto const sorted = numbers.view();
    std::sort(sorted.begin(), sorted.end());
    bool const different = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    numbers.clear();
    return different;
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
