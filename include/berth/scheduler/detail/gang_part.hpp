// SPDX-License-Identifier: BSL-1.0
// A gang as the matching sees it: one part per role. A part goes to one node where that is
// possible, and is spread over nodes of one type where it may be.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/shape.hpp>

#include <bit>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

struct gang_part {
  std::uint32_t job = 0;    ///< slot
  std::uint32_t order = 0;  ///< place of its candidate in rank order
  std::int32_t members = 0;
  std::int32_t gpus = 0;  ///< per member
  std::int64_t cpu_milli_per_gpu = 0;
  std::int64_t memory_mib_per_gpu = 0;
  type_mask types = any_type;
  spread layout = spread::prefer_together;
  pool where = pool::training;
  bool has_siblings = false;  ///< the gang has other roles
  bool placed = false;

  [[nodiscard]] constexpr std::int32_t total() const noexcept { return members * gpus; }
  [[nodiscard]] constexpr bool needs_one_node() const noexcept {
    return layout == spread::same_node || members == 1;
  }
  /// Counts of free GPUs cannot vouch for it.
  [[nodiscard]] constexpr bool asks_for_cpu_or_memory() const noexcept {
    return cpu_milli_per_gpu > 0 || memory_mib_per_gpu > 0;
  }
  /// Larger and pickier parts are placed first: the rest is easier to fit around them.
  [[nodiscard]] constexpr bool goes_before(gang_part const& other) const noexcept {
    if (total() != other.total()) {
      return total() > other.total();
    }
    if (gpus != other.gpus) {
      return gpus > other.gpus;
    }
    if (layout != other.layout) {
      return layout > other.layout;
    }
    if (cpu_milli_per_gpu != other.cpu_milli_per_gpu) {
      return cpu_milli_per_gpu > other.cpu_milli_per_gpu;
    }
    if (memory_mib_per_gpu != other.memory_mib_per_gpu) {
      return memory_mib_per_gpu > other.memory_mib_per_gpu;
    }
    if (types != other.types) {
      int const mine = std::popcount(types);
      int const theirs = std::popcount(other.types);
      return mine != theirs ? mine < theirs : types < other.types;
    }
    return order < other.order;
  }
  /// Parts that are matched in one problem.
  [[nodiscard]] constexpr bool matches_with(gang_part const& other) const noexcept {
    return members == other.members && gpus == other.gpus && layout == other.layout &&
           where == other.where && cpu_milli_per_gpu == other.cpu_milli_per_gpu &&
           memory_mib_per_gpu == other.memory_mib_per_gpu;
  }
};

/// Calls visit(part) for the parts of a gang of this form. A gang whose roles must share a node is
/// one part.
template <class Visit>
constexpr void for_each_part(shape const& form, std::uint32_t job, std::uint32_t order,
                             type_mask types, Visit&& visit) {
  gang_part part;
  part.job = job;
  part.order = order;
  part.types = static_cast<type_mask>(form.types & types);
  part.cpu_milli_per_gpu = form.cpu_milli_per_gpu;
  part.memory_mib_per_gpu = form.memory_mib_per_gpu;
  part.layout = form.layout;
  part.where = form.where;
  if (form.layout == spread::same_node) {
    part.members = 1;
    part.gpus = form.gpus();
    visit(part);
    return;
  }
  part.has_siblings = form.role_count() > 1;
  for (role const& r : form.roles) {
    if (r.members > 0) {
      part.members = r.members;
      part.gpus = r.gpus;
      visit(part);
    }
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
