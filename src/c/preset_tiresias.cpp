// SPDX-License-Identifier: BSL-1.0
// The preset "tiresias".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/tiresias.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_tiresias(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::tiresias(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
