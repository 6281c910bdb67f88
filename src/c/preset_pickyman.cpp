// SPDX-License-Identifier: BSL-1.0
// The preset "pickyman".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/pickyman.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_pickyman(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::pickyman(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
