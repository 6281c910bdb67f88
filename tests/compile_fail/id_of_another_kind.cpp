// expect-error: (could not convert|cannot convert|conversion from|no viable conversion)
// SPDX-License-Identifier: BSL-1.0
// A node's id is not a job's id.
#include <berth/core/ids.hpp>

berth::job_id convert(berth::node_id node) {
  return node;
}
