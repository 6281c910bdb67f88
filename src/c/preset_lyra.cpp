// SPDX-License-Identifier: BSL-1.0
// The preset "lyra".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/lyra.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_lyra(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::lyra(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
