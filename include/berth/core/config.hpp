// SPDX-License-Identifier: BSL-1.0
// Compiler floor, the hardening switch, and the namespace every header opens.
#pragma once

#include <berth/version.hpp>

#if __cplusplus < 202002L
#error "berth needs C++20: compile with -std=c++20 or later"
#endif

// 1: preconditions are checked and a violation calls the violation handler. The switch changes
// inline bodies, so it is part of the namespace tag: a hardened and a plain translation unit do not
// link.
#ifndef BERTH_HARDENED
#define BERTH_HARDENED 0
#endif

#define BERTH_DETAIL_PASTE(major, minor, suffix) v##major##_##minor##suffix
#define BERTH_DETAIL_TAG(major, minor, suffix) BERTH_DETAIL_PASTE(major, minor, suffix)
#if BERTH_HARDENED
#define BERTH_ABI_TAG BERTH_DETAIL_TAG(BERTH_VERSION_MAJOR, BERTH_VERSION_MINOR, _hardened)
#else
#define BERTH_ABI_TAG BERTH_DETAIL_TAG(BERTH_VERSION_MAJOR, BERTH_VERSION_MINOR, )
#endif

#define BERTH_NAMESPACE_BEGIN \
  namespace berth {           \
  inline namespace BERTH_ABI_TAG {
#define BERTH_NAMESPACE_END \
  }                         \
  }
