// SPDX-License-Identifier: BSL-1.0
// What the steps of an application really take, by placement and batch size: the measurements of
// the Pollux artifact (Qiao et al., OSDI 2021), and what lies between them.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>

#include <berth_sim/elastic/placement_shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// Seconds.
struct step_timing {
  double compute = 0;  ///< gradients of one local batch
  double step = 0;     ///< with the synchronisation; >= compute

  /// `accumulation` passes without synchronising, then a step.
  [[nodiscard]] double iteration(std::int32_t accumulation) const noexcept {
    return step + compute * accumulation;
  }
};

/// Every placement of up to four nodes with up to four GPUs was measured, up to rotation. Beyond,
/// (nodes, GPUs) was measured for some pairs: there a time is interpolated along the line of equal
/// GPUs per node, first between the GPUs of a number of nodes, then between two numbers of nodes.
/// That is defined everywhere and the same everywhere, unlike a triangulation of (nodes, GPUs,
/// batch), whose slivers depend on who made it. Smaller numbers of nodes take part with the means
/// of their placements. More nodes than were measured count as the most that were.
///
/// Between local batches a time is linear, and goes on as straight beyond the largest one: large
/// batches are missing where they were not tried, not where they cannot run.
class measured_steps {
 public:
  /// Measured twice: the mean counts. Precondition: at most four nodes.
  void add_placement(placement_shape const& shape, std::int32_t local_batch,
                     step_timing const& seen) {
    BERTH_ASSERT(shape.order > 0, "a placement of a few nodes");
    add(by_order_[shape.order], local_batch, seen);
    add(by_size_[shape.nodes][shape.gpus], local_batch, seen);
  }
  void add_size(std::int32_t nodes, std::int32_t gpus, std::int32_t local_batch,
                step_timing const& seen) {
    add(by_size_[nodes][gpus], local_batch, seen);
  }
  [[nodiscard]] bool is_empty() const noexcept { return by_size_.empty(); }

  /// Preconditions: something was measured, the shape is not empty, local_batch > 0. O(log n).
  [[nodiscard]] step_timing at(placement_shape const& shape, std::int32_t local_batch) const {
    BERTH_ASSERT(!is_empty() && !shape.is_empty() && local_batch > 0, "a step of somebody");
    if (auto const found = by_order_.find(shape.order); found != by_order_.end()) {
      return between(found->second, local_batch);
    }
    double const density = static_cast<double>(shape.gpus) / shape.nodes;
    auto const above = by_size_.lower_bound(shape.nodes);
    if (above == by_size_.end()) {
      return along(std::prev(above)->second, shape.gpus, local_batch);
    }
    step_timing const high = along(above->second, density * above->first, local_batch);
    if (above->first == shape.nodes || above == by_size_.begin()) {
      return high;
    }
    auto const below = std::prev(above);
    step_timing const low = along(below->second, density * below->first, local_batch);
    return mixed(low, high,
                 static_cast<double>(shape.nodes - below->first) / (above->first - below->first));
  }

 private:
  struct sum {
    double compute = 0;
    double step = 0;
    int count = 0;
  };
  using curve = std::map<std::int32_t, sum>;     ///< by local batch
  using curves = std::map<std::int32_t, curve>;  ///< by GPUs

  static void add(curve& to, std::int32_t local_batch, step_timing const& seen) {
    sum& all = to[local_batch];
    all.compute += seen.compute;
    all.step += seen.step;
    ++all.count;
  }
  [[nodiscard]] static step_timing mean(sum const& all) noexcept {
    return {all.compute / all.count, all.step / all.count};
  }
  [[nodiscard]] static step_timing mixed(step_timing const& a, step_timing const& b,
                                         double share) noexcept {
    return {a.compute + share * (b.compute - a.compute), a.step + share * (b.step - a.step)};
  }
  [[nodiscard]] static step_timing between(curve const& measured, std::int32_t local_batch) {
    auto high = measured.lower_bound(local_batch);
    if (high != measured.end() && (high->first == local_batch || high == measured.begin())) {
      return mean(high->second);
    }
    if (high == measured.end()) {
      --high;
    }
    if (high == measured.begin()) {
      return mean(high->second);
    }
    auto const low = std::prev(high);
    return mixed(mean(low->second), mean(high->second),
                 static_cast<double>(local_batch - low->first) / (high->first - low->first));
  }
  [[nodiscard]] static step_timing along(curves const& row, double gpus, std::int32_t local_batch) {
    auto const high = row.lower_bound(static_cast<std::int32_t>(std::min(gpus, 1e6)));
    auto const above = high != row.end() && high->first < gpus ? std::next(high) : high;
    if (above == row.end()) {
      return between(std::prev(above)->second, local_batch);
    }
    if (above == row.begin()) {
      return between(above->second, local_batch);
    }
    auto const below = std::prev(above);
    return mixed(between(below->second, local_batch), between(above->second, local_batch),
                 (gpus - below->first) / (above->first - below->first));
  }

  std::map<std::int32_t, curve> by_order_;
  std::map<std::int32_t, curves> by_size_;  ///< by nodes
};

}  // namespace sim

BERTH_NAMESPACE_END
