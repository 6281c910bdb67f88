// SPDX-License-Identifier: BSL-1.0
#include "all_headers.hpp"

std::uint32_t slot_in_two(berth::job_id job);

std::uint32_t slot_in_two(berth::job_id job) {
  return job.slot();
}
