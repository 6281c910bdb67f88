// SPDX-License-Identifier: BSL-1.0
// The preset "easy_backfill".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/easy_backfill_scheduler.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_easy_backfill(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::easy_backfill(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
