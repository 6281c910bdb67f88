// SPDX-License-Identifier: BSL-1.0
// Could the empty cluster host this shape at all? Asked once per shape and cluster, not once per
// tick.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/shape.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/packer.hpp>
#include <berth/scheduler/detail/state.hpp>
#include <berth/scheduler/detail/workspace.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// GPUs of an empty node that this shape's CPU and memory demands leave usable.
[[nodiscard]] inline std::int32_t usable_when_empty(node_spec const& node,
                                                    shape const& form) noexcept {
  std::int64_t usable = node.gpus;
  if (form.cpu_milli_per_gpu > 0) {
    usable = std::min(usable, node.cpu_milli / form.cpu_milli_per_gpu);
  }
  if (form.memory_mib_per_gpu > 0) {
    usable = std::min(usable, node.memory_mib / form.memory_mib_per_gpu);
  }
  return static_cast<std::int32_t>(usable);
}

/// Calls count(node_type, gpus, usable, nodes) for the nodes that this shape may use, with what its
/// CPU and memory demands leave usable of them once they are empty. O(types × GPUs per node)
/// without such demands, else O(nodes).
template <class Count>
void for_each_empty_node(core_state const& s, shape const& form, Count&& count) noexcept {
  if (form.cpu_milli_per_gpu == 0 && form.memory_mib_per_gpu == 0) {
    for (int t = 0; t < s.books.type_count(); ++t) {
      auto const type = static_cast<gpu_type>(t);
      for (int gpus = 0; form.allows(type) && gpus <= s.books.largest_node(); ++gpus) {
        count(type, gpus, gpus, s.books.nodes_of_size(form.where, type, gpus));
      }
    }
    return;
  }
  for (std::uint32_t n = 0; n < s.books.node_slots(); ++n) {
    node_book const& node = s.books.node(n);
    if (node.exists && node.spec.owner == form.where && form.allows(node.spec.type)) {
      count(node.spec.type, node.spec.gpus, usable_when_empty(node.spec, form), 1);
    }
  }
}

/// wait_reason::none if an empty cluster could host it, else why not. Every node counts, whatever
/// its health: one that is down may come back.
[[nodiscard]] inline wait_reason judge(core_state const& s, workspace& w,
                                       shape const& form) noexcept {
  free_counts& counts = w.counts;
  counts.clear(s.books.type_count(), s.books.largest_node());
  std::array<std::int64_t, max_gpu_types> gpus{};
  bool any_node = false;
  bool starved = false;
  for_each_empty_node(
      s, form, [&](gpu_type type, std::int32_t size, std::int32_t usable, std::int32_t nodes) {
        starved = starved || usable < size;
        any_node = any_node || (size > 0 && nodes > 0);
        gpus[static_cast<std::size_t>(type)] += std::int64_t{size} * nodes;
        counts.add(form.where, type, usable, nodes);
      });
  if (!any_node) {
    return wait_reason::no_such_type;
  }
  std::array<gang_part, max_roles> parts{};
  std::array<std::uint32_t, max_roles> scratch{};
  std::size_t count = 0;
  for_each_part(form, 0, 0, any_type, [&](gang_part const& part) { parts[count++] = part; });
  w.pack.begin(counts);
  if (w.pack.fits(std::span{parts}.first(count), 0, scratch)) {
    return wait_reason::none;
  }
  if (*std::max_element(gpus.begin(), gpus.end()) < form.gpus()) {
    return wait_reason::exceeds_cluster;
  }
  return starved ? wait_reason::exceeds_cpu_or_memory : wait_reason::topology;
}

/// judge() by a look at the sizes of nodes, where that is enough. O(types × GPUs per node) at
/// worst, mostly a few steps.
[[nodiscard]] inline bool can_ever_run(core_state const& s, workspace& w,
                                       shape const& form) noexcept {
  bool const sizes_tell = form.cpu_milli_per_gpu == 0 && form.memory_mib_per_gpu == 0 &&
                          (form.layout != spread::one_per_node || form.members() == 1);
  for (int t = 0; sizes_tell && t < s.books.type_count(); ++t) {
    auto const type = static_cast<gpu_type>(t);
    for (int gpus = form.gpus(); form.allows(type) && gpus <= s.books.largest_node(); ++gpus) {
      if (s.books.nodes_of_size(form.where, type, gpus) > 0) {
        return true;
      }
    }
  }
  return judge(s, w, form) == wait_reason::none;
}

/// As judge, for the jobs of a group together. Each alone has passed.
[[nodiscard]] inline wait_reason judge_group(core_state const& s, workspace& w,
                                             std::uint32_t leader) noexcept {
  w.parts.clear();
  bool room = true;
  w.counts.clear(s.books.type_count(), s.books.largest_node());
  for (int p = 0; p < pool_count; ++p) {
    for (int t = 0; t < s.books.type_count(); ++t) {
      for (int gpus = 0; gpus <= s.books.largest_node(); ++gpus) {
        auto const where = static_cast<pool>(p);
        auto const type = static_cast<gpu_type>(t);
        w.counts.add(where, type, gpus, s.books.nodes_of_size(where, type, gpus));
      }
    }
  }
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    for_each_part(s.jobs[slot].form, slot, 0, any_type,
                  [&](gang_part const& part) { room = w.parts.push_back(part) && room; });
  });
  w.pack.begin(w.counts);
  bool const fits = room && w.pack.fits(w.parts.view(), 0, w.part_order);
  w.parts.clear();
  return fits ? wait_reason::none : wait_reason::topology;
}

/// Renews the verdict of a queue if the cluster has changed since.
inline void check_feasibility(core_state& s, workspace& w, std::uint32_t queue) noexcept {
  shape_queue& q = s.queues[queue];
  if (q.checked_epoch == s.cluster_epoch) {
    return;
  }
  q.checked_epoch = s.cluster_epoch;
  wait_reason answer = judge(s, w, q.form);
  if (s.group_next[q.root] != no_index) {
    for_each_of_group(s, q.root, [&](std::uint32_t slot) {
      answer = answer == wait_reason::none ? judge(s, w, s.jobs[slot].form) : answer;
    });
    answer = answer == wait_reason::none ? judge_group(s, w, q.root) : answer;
  }
  s.queues.judge(queue, answer == wait_reason::none ? wait_reason::not_decided : answer);
}

}  // namespace detail
BERTH_NAMESPACE_END
