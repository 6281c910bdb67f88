// SPDX-License-Identifier: BSL-1.0
// Preconditions. A broken one is a bug of the caller or of berth, never an answer to bad input:
// what a caller can react to comes back as result<T>.
#pragma once

#include <berth/core/config.hpp>

#include <atomic>
#include <cstdio>
#include <exception>

BERTH_NAMESPACE_BEGIN

/// What a violation handler is told. The strings live for ever.
struct violation {
  char const* expression;  ///< the text of the condition
  char const* message;     ///< what should have held
  char const* file;
  int line;
};

/// Called on a broken precondition. It must not return: if it does, std::terminate follows.
/// It may throw only where the violated function is not noexcept.
using violation_handler = void (*)(violation const&);

namespace detail {
inline constinit std::atomic<violation_handler> current_violation_handler{nullptr};

[[noreturn]] inline void violated(char const* expression, char const* message, char const* file,
                                  int line) {
  if (violation_handler const handler = current_violation_handler.load()) {
    handler(violation{expression, message, file, line});
  } else {
    std::fprintf(stderr, "berth: %s:%d: %s: %s\n", file, line, expression, message);
  }
  std::terminate();
}
}  // namespace detail

/// Replaces the handler for the whole program and returns the one before; nullptr means: print
/// one line to standard error and terminate.
/// Thread-safe.
inline violation_handler set_violation_handler(violation_handler handler) noexcept {
  return detail::current_violation_handler.exchange(handler);
}

BERTH_NAMESPACE_END

#if BERTH_HARDENED
#define BERTH_ASSERT(condition, message) \
  ((condition) ? void() : ::berth::detail::violated(#condition, message, __FILE__, __LINE__))
#else
#define BERTH_ASSERT(condition, message) static_cast<void>(0)
#endif
