// SPDX-License-Identifier: BSL-1.0
// The preset "fifo".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/fifo_scheduler.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_fifo(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::fifo(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
