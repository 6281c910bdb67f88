// SPDX-License-Identifier: BSL-1.0
// The preset "optimus".
#include <berth/observers/digest_observer.hpp>
#include <berth/presets/optimus.hpp>

#include "hosted.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

made_host make_optimus(cluster const& nodes, scheduler_config const& config) {
  return hosted(presets::optimus(nodes, config, digest_observer{}));
}

}  // namespace c_api
BERTH_NAMESPACE_END
