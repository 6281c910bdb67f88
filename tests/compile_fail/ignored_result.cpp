// expect-error: ignoring return value|nodiscard
// SPDX-License-Identifier: BSL-1.0
// An error that nobody looks at is a warning at least; with -Werror it stops the build.
#include <berth/core/result.hpp>

#pragma GCC diagnostic error "-Wunused-result"

berth::result<int> answer();
void ignore() {
  answer();
}
