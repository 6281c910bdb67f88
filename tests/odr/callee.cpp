// SPDX-License-Identifier: BSL-1.0
// Compiled plain and hardened; see CMakeLists.txt.
#include <berth/core/ids.hpp>

std::uint32_t slot_of(berth::job_id job);

std::uint32_t slot_of(berth::job_id job) {
  return job.slot();
}
