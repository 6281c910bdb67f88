// SPDX-License-Identifier: BSL-1.0
// How fast an application can learn on every number of GPUs, if they lie well and the batch size is
// the best one: what a scheduler cannot beat.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/predictors/goodput_batch.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/placement_shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// When a batch size is chosen.
enum class batch_chosen : std::uint8_t {
  each_epoch,  ///< the best for the noise of that epoch
  once,        ///< the one that ends the whole run first
};

/// Iterations at the initial batch size, per second. Of an application that keeps its batch size,
/// `fixed_batch`. O(epochs · GPUs · batch sizes) to make, O(1) to ask.
class ideal_rates {
 public:
  ideal_rates(application const& app, std::int32_t gpus_per_node, std::int32_t max_gpus,
              batch_chosen when, std::int32_t fixed_batch)
      : gpus_{std::min({max_gpus, app.facts.max_gpus, app.facts.limits.max_gpus()})},
        rates_(static_cast<std::size_t>(app.curve.epochs()) * static_cast<std::size_t>(gpus_ + 1)) {
    BERTH_ASSERT(gpus_ > 0, "an application that can run");
    for (std::int32_t gpus = 1; gpus <= gpus_; ++gpus) {
      placement_shape const shape = placement_shape::packed(gpus, gpus_per_node);
      for (batch_plan const& plan : plans(app, gpus, fixed_batch)) {
        double const iteration = app.step(shape, plan.local_batch).iteration(plan.accumulation);
        double const batch = plan.total(gpus);
        double const of_run =
            app.curve.total() / (app.curve.iteration(batch, app.curve.epochs() - 1) * iteration);
        for (std::int32_t epoch = 0; epoch < app.curve.epochs(); ++epoch) {
          double& best = rates_[index(gpus, epoch)];
          best = std::max(best, when == batch_chosen::once
                                    ? of_run
                                    : app.curve.noise(batch, epoch).gain(batch) / iteration);
        }
      }
    }
  }

  [[nodiscard]] std::int32_t max_gpus() const noexcept { return gpus_; }
  /// 0 on 0 GPUs, and where no batch size fits. Precondition: gpus and epoch are there.
  [[nodiscard]] double at(std::int32_t gpus, std::int32_t epoch) const noexcept {
    return rates_[index(gpus, epoch)];
  }

 private:
  [[nodiscard]] std::size_t index(std::int32_t gpus, std::int32_t epoch) const noexcept {
    return static_cast<std::size_t>(epoch) * static_cast<std::size_t>(gpus_ + 1) +
           static_cast<std::size_t>(gpus);
  }
  /// Fifty total batch sizes in geometric progression, as Pollux tries them.
  [[nodiscard]] static std::vector<batch_plan> plans(application const& app, std::int32_t gpus,
                                                     std::int32_t fixed_batch) {
    batch_limits const& limits = app.facts.limits;
    std::vector<batch_plan> made;
    auto const add = [&](std::int32_t batch) {
      batch_plan const plan = divided_batch(limits, batch, gpus);
      bool const fits =
          plan.local_batch >= limits.min_local && plan.local_batch <= limits.max_local;
      if (fits && (made.empty() || made.back() != plan)) {
        made.push_back(plan);
      }
    };
    if (!app.facts.is_adaptive) {
      add(fixed_batch);
      return made;
    }
    constexpr int tried = 50;
    double const least = std::max(limits.initial_batch, limits.min_local * gpus);
    double const step = berth::detail::fixed_log(limits.max_batch / least) / (tried - 1);
    for (int number = 0; number < tried; ++number) {
      add(static_cast<std::int32_t>(least * berth::detail::fixed_exp(step * number) + 0.5));
    }
    return made;
  }

  std::int32_t gpus_;
  std::vector<double> rates_;
};

}  // namespace sim

BERTH_NAMESPACE_END
