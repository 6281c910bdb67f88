// SPDX-License-Identifier: BSL-1.0
// A training application as it really behaves, which no scheduler is told.
#pragma once

#include <berth/core/config.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/goodput_batch.hpp>

#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/measured_steps.hpp>
#include <berth_sim/elastic/placement_shape.hpp>
#include <berth_sim/elastic/training_curve.hpp>

#include <algorithm>
#include <cstdint>
#include <variant>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// A local batch on each GPU, `accumulation` passes before the one that synchronises.
struct batch_plan {
  std::int32_t local_batch = 0;
  std::int32_t accumulation = 0;

  /// Samples per iteration.
  [[nodiscard]] constexpr std::int32_t total(std::int32_t gpus) const noexcept {
    return gpus * local_batch * (accumulation + 1);
  }
  friend constexpr bool operator==(batch_plan const&, batch_plan const&) noexcept = default;
};

struct application {
  application_facts facts;
  training_curve curve;
  /// By placement, as measured; or by the seven numbers of goodput.hpp where there are no files.
  std::variant<measured_steps, goodput_parameters> steps;

  [[nodiscard]] step_timing step(placement_shape const& shape, std::int32_t local_batch) const {
    if (auto const* const measured = std::get_if<measured_steps>(&steps)) {
      return measured->at(shape, local_batch);
    }
    auto const& fitted = *std::get_if<goodput_parameters>(&steps);
    return {fitted.compute_time(local_batch),
            fitted.step({shape.gpus, shape.nodes, local_batch}).time};
  }
  /// How fast it learns during an epoch: iterations at the initial batch size, per second.
  [[nodiscard]] double rate(placement_shape const& shape, batch_plan const& plan,
                            std::int32_t epoch) const {
    double const batch = plan.total(shape.gpus);
    return curve.noise(batch, epoch).gain(batch) /
           step(shape, plan.local_batch).iteration(plan.accumulation);
  }
};

/// How a total batch size is divided among so many GPUs: as few passes as fit into a GPU's memory;
/// a single GPU above the initial batch size has two, to measure the noise. The total may be a
/// little more, for every GPU has the same, but not above the limit.
[[nodiscard]] constexpr batch_plan divided_batch(batch_limits const& limits, std::int32_t batch,
                                                 std::int32_t gpus) noexcept {
  std::int32_t const share = (batch - 1) / gpus + 1;
  std::int32_t passes = (share - 1) / limits.max_local + 1;
  if (gpus == 1 && batch > limits.initial_batch) {
    passes = std::max(passes, 2);
  }
  std::int32_t const local = (share - 1) / passes + 1;
  return {std::max(1, std::min(local, limits.max_batch / (gpus * passes))), passes - 1};
}

}  // namespace sim

BERTH_NAMESPACE_END
