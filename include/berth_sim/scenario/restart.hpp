// SPDX-License-Identifier: BSL-1.0
// The scheduler's process ends and begins anew: the new one knows its configuration and the bytes
// that the old one left.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/model/cluster.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <berth_sim/scenario/composition.hpp>
#include <berth_sim/scenario/quotas.hpp>
#include <berth_sim/scenario/situation.hpp>
#include <berth_sim/scenario/translate.hpp>

#include <cstddef>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

/// Precondition: `running` was made from `about`, whose composition is known.
[[nodiscard]] inline result<void> restart(scheduler_type& running, situation const& about,
                                          type_table const& types) {
  std::vector<std::byte> bytes(running.snapshot_size());
  if (auto const written = running.snapshot(bytes); !written) {
    return written.error();
  }
  composition const parts = *composition_of(about.config);
  auto tenants = quotas_of(about);
  if (!tenants) {
    return tenants.error();
  }
  auto made = make_scheduler(cluster{types.names()}, running.config(), parts.policy,
                             parts.allocator, std::move(*tenants));
  if (!made) {
    return made.error();
  }
  if (auto const back = made->restore(bytes); !back) {
    return back.error();
  }
  running = std::move(*made);
  return {};
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
