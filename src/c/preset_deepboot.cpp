// SPDX-License-Identifier: BSL-1.0
// The preset "deepboot".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/deepboot.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_deepboot(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::deepboot(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
