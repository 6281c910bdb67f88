// SPDX-License-Identifier: BSL-1.0
// Does a call break a precondition? It runs in a child process, because the handler may not return
// and most of berth is noexcept. Only hardened builds check preconditions.
#pragma once

#include <berth/core/assert.hpp>

#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

namespace berth_test {

inline constexpr int violated_status = 42;

template <class Call>
[[nodiscard]] bool is_violation(Call&& call) {
  pid_t const child = ::fork();
  if (child == 0) {
    berth::set_violation_handler([](berth::violation const&) { ::_exit(violated_status); });
    call();
    ::_exit(EXIT_SUCCESS);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == violated_status;
}

}  // namespace berth_test
