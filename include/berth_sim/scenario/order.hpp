// SPDX-License-Identifier: BSL-1.0
// An order of a plan that outlives the plan: a host's first report ends a plan's validity.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/action.hpp>
#include <berth/model/node.hpp>

#include <string_view>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

struct order {
  action what;  ///< its `gpus` are not to be used
  std::vector<gpu_range> gpus;
};

[[nodiscard]] inline std::vector<order> copy_of(plan const& decided) {
  std::vector<order> orders;
  for (action const& each : decided) {
    orders.push_back({each, {each.gpus.begin(), each.gpus.end()}});
  }
  return orders;
}

[[nodiscard]] constexpr std::string_view word_of(stop_reason reason) noexcept {
  return reason == stop_reason::preempted   ? "makes way"
         : reason == stop_reason::cancelled ? "cancelled"
                                            : "lost a node";
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
