// SPDX-License-Identifier: BSL-1.0
// The queues of a case as tenants.
#pragma once

#include <berth/admission/tenant_quota.hpp>
#include <berth/admission/tenant_spec.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/scenario/situation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

/// Cases write weights as decimals; thousandths are what counts. A weight above 0 stays above 0.
[[nodiscard]] inline std::int32_t weight_of(queue_line const& queue) {
  constexpr double most = 2.0e9;
  double const thousandths = std::ceil(std::min(queue.weight * 1000.0, most));
  return static_cast<std::int32_t>(thousandths);
}

[[nodiscard]] inline tenant_spec tenant_of(queue_line const& queue) {
  return {.nominal = queue.quota,
          .weight = weight_of(queue),
          .borrowing = queue.borrow ? unlimited_gpus : 0};
}

/// The place of a queue among the queues; behind them, for what names none.
[[nodiscard]] inline tenant_id tenant_named(situation const& about, std::string const& name) {
  auto const at = std::find_if(about.queues.begin(), about.queues.end(),
                               [&](queue_line const& queue) { return queue.id == name; });
  return static_cast<tenant_id>(at - about.queues.begin());
}

/// All queues of the case, and one for jobs without a queue: it has every GPU if there are no
/// others, and borrows its GPUs if there are.
[[nodiscard]] inline result<tenant_quota> quotas_of(situation const& about) {
  std::vector<tenant_spec> queues;
  for (queue_line const& queue : about.queues) {
    queues.push_back(tenant_of(queue));
  }
  queues.push_back({.nominal = about.queues.empty() ? max_quota : 0, .weight = 1000});
  tenant_rules rules;
  rules.after_recall.base = duration{0};
  if (about.config.cooldown) {
    backing_off const& said = *about.config.cooldown;
    rules.after_recall = {said.base, said.factor, said.cap};
  }
  return tenant_quota::of(queues, rules);
}

/// The queue of the event has another quota from now on, and is else as it was.
template <class Scheduler>
[[nodiscard]] result<void> set_quota(Scheduler& running, situation const& about,
                                     event_line const& event, time_point now) {
  tenant_id const queue = tenant_named(about, event.queue);
  return running.reconfigure(
      [&](tenant_quota& tenants) {
        tenant_spec spec = tenants.tree().spec(queue);
        spec.nominal = *event.number;
        return tenants.set_queue(queue, spec);
      },
      now);
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
