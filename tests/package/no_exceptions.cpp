// SPDX-License-Identifier: BSL-1.0
// Every core header under -fno-exceptions -fno-rtti.
#include "core_headers.hpp"

int main() {
  return berth::job_id{}.is_null() ? 0 : 1;
}
