// SPDX-License-Identifier: BSL-1.0
// Every header of the project, once more than in two.cpp: what is not inline is defined twice.
#include "all_headers.hpp"

std::uint32_t slot_in_two(berth::job_id job);

int main() {
  return slot_in_two(berth::job_id{7, 1}) == 7 ? 0 : 1;
}
