# SPDX-License-Identifier: BSL-1.0
# The main of the test programs can report failure, emptiness and a missing data folder.
add_executable(meta_failing_case meta/control/failing_case.cpp)
target_link_libraries(meta_failing_case PRIVATE berth_test_main)

add_test(NAME meta.a_failing_case_fails COMMAND meta_failing_case)
set_tests_properties(meta.a_failing_case_fails PROPERTIES LABELS meta WILL_FAIL ON)

add_test(NAME meta.a_filter_that_selects_nothing_fails
  COMMAND meta_failing_case --source-file=*/no_such_test.cpp)
set_tests_properties(meta.a_filter_that_selects_nothing_fails PROPERTIES
  LABELS meta PASS_REGULAR_EXPRESSION "no test case was selected")

if(NOT BERTH_DATA_DIR)
  add_test(NAME meta.missing_data_is_said
    COMMAND meta_failing_case)
  set_tests_properties(meta.missing_data_is_said PROPERTIES
    LABELS meta ENVIRONMENT BERTH_TEST_NEEDS_DATA=1
    PASS_REGULAR_EXPRESSION "skipped: needs the real traces")
endif()
