// SPDX-License-Identifier: BSL-1.0
// The preset "pollux".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/pollux.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_pollux(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::pollux(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
