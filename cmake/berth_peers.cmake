# SPDX-License-Identifier: BSL-1.0
# The public solvers that the benches and the differential tests compare berth with. All optional:
# BERTH_LEMON and BERTH_DLIB say whether they are here, in every folder that asks.
include_guard()

find_path(BERTH_LEMON_INCLUDE_DIR lemon/network_simplex.h)
find_path(BERTH_DLIB_INCLUDE_DIR dlib/optimization/max_cost_assignment.h)
mark_as_advanced(BERTH_LEMON_INCLUDE_DIR BERTH_DLIB_INCLUDE_DIR)

set(BERTH_LEMON 0)
if(BERTH_LEMON_INCLUDE_DIR)
  set(BERTH_LEMON 1)
  if(NOT TARGET berth_lemon)
    # Its 1.3.1 does not compile as C++20, so it is a unit of its own, without berth's headers.
    add_library(berth_lemon OBJECT EXCLUDE_FROM_ALL
                "${PROJECT_SOURCE_DIR}/bench/matching/peers/lemon.cpp")
    set_target_properties(berth_lemon PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
    target_include_directories(berth_lemon PRIVATE "${PROJECT_SOURCE_DIR}")
    target_include_directories(berth_lemon SYSTEM PRIVATE "${BERTH_LEMON_INCLUDE_DIR}")
  endif()
else()
  message(STATUS "LEMON was not found: the benches and the differential tests do without "
                 "(liblemon-dev has it)")
endif()

set(BERTH_DLIB 0)
if(BERTH_DLIB_INCLUDE_DIR)
  set(BERTH_DLIB 1)
elseif(BERTH_BUILD_BENCH)
  message(STATUS "dlib was not found: matching_bench does without (libdlib-dev has it)")
endif()
