// SPDX-License-Identifier: BSL-1.0
// What every trace reader can be told.
#pragma once

#include <berth/core/config.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct read_options {
  /// false: the first malformed line is the answer. true: malformed lines are skipped and counted.
  /// A missing file, an empty file and a wrong header are errors either way.
  bool lenient = false;
};

}  // namespace sim

BERTH_NAMESPACE_END
