// SPDX-License-Identifier: BSL-1.0
// Where a job has been, its speed is known; the fitted model is right on average, and a few percent
// off everywhere. A ladder that says what was measured, and between two sizes that were measured
// shifts the model by as much as it was off there, sends fewer jobs to sizes that disappoint.
#pragma once

#include <berth/core/config.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/placement_shape.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <utility>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// The steps of one job at sizes that it was on, on as few nodes as can be: a ladder speaks of
/// such. One node and several are two rows, which do not tell of each other.
class corrected_ladder {
 public:
  /// The latest step of a size is the one that counts.
  void add(placement_shape const& shape, batch_plan const& plan, step_timing const& seen) {
    bool const is_packed =
        shape == placement_shape::packed(shape.gpus, placement_shape::measured_gpus_per_node) ||
        shape.order == 0;
    if (is_packed) {
      known_[shape.gpus] = {shape.nodes, plan, seen.iteration(plan.accumulation)};
    }
  }

  /// Multiplies speeds by what the model was off at the sizes that are known. O(rungs · log sizes).
  void apply(std::span<rung> ladder, goodput_parameters const& model) const {
    double const base = factor(1, model);
    for (rung& each : ladder) {
      double const speed = static_cast<double>(each.speed) * (factor(each.size, model) / base);
      each.speed = static_cast<std::int64_t>(speed + 0.5);
    }
  }
  /// By how much the job is faster on so many GPUs than the model says.
  [[nodiscard]] double factor(std::int32_t gpus, goodput_parameters const& model) const {
    bool const apart = gpus > placement_shape::measured_gpus_per_node;
    auto const first = known_.lower_bound(apart ? placement_shape::measured_gpus_per_node + 1 : 1);
    auto const last =
        apart ? known_.end() : known_.lower_bound(placement_shape::measured_gpus_per_node + 1);
    if (first == last) {
      return 1.0;
    }
    auto high = first;
    while (high != last && high->first < gpus) {
      ++high;
    }
    if (high == last) {
      return off(*std::prev(high), model);
    }
    if (high == first || high->first == gpus) {
      return off(*high, model);
    }
    auto const low = std::prev(high);
    double const share = static_cast<double>(gpus - low->first) / (high->first - low->first);
    double const below = off(*low, model);
    return below + share * (off(*high, model) - below);
  }

 private:
  struct known {
    std::int32_t nodes = 0;
    batch_plan plan;
    double iteration = 0;  ///< seconds
  };
  [[nodiscard]] static double off(std::pair<std::int32_t const, known> const& size,
                                  goodput_parameters const& model) {
    configuration const where{size.first, size.second.nodes, size.second.plan.local_batch};
    return model.iteration_time(where, size.second.plan.accumulation) / size.second.iteration;
  }

  std::map<std::int32_t, known> known_;  ///< by GPUs
};

}  // namespace sim

BERTH_NAMESPACE_END
