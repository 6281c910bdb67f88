// SPDX-License-Identifier: BSL-1.0
// Always plain: it finds slot_of of the plain callee only, since the namespace carries the
// hardening.
#include <berth/core/ids.hpp>

std::uint32_t slot_of(berth::job_id job);

int main() {
  return slot_of(berth::job_id{7, 1}) == 7 ? 0 : 1;
}
