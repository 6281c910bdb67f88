# SPDX-License-Identifier: BSL-1.0
# The tests that need LEMON; skipped, by name, where it is not.
include("${PROJECT_SOURCE_DIR}/cmake/berth_peers.cmake")

target_compile_definitions(test_differential PRIVATE BERTH_BENCH_LEMON=${BERTH_LEMON})
if(BERTH_LEMON)
  target_link_libraries(test_differential PRIVATE berth_lemon)
else()
  file(GLOB beside_lemon RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/differential"
       "${CMAKE_CURRENT_SOURCE_DIR}/differential/solvers_*_test.cpp")
  foreach(source IN LISTS beside_lemon)
    string(REGEX REPLACE "_test\\.cpp$" "" name "${source}")
    set_tests_properties(differential.${name} PROPERTIES
      ENVIRONMENT "BERTH_TEST_NEEDS=LEMON, which was not found when this was configured"
      SKIP_RETURN_CODE 77)
  endforeach()
endif()
