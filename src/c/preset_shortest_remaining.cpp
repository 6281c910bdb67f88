// SPDX-License-Identifier: BSL-1.0
// The preset "shortest_remaining".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/shortest_remaining_scheduler.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_shortest_remaining(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::shortest_remaining(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
