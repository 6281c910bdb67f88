# SPDX-License-Identifier: BSL-1.0
# berth's own cases always run; the shared ones where they lie beside the real traces. The program's exit
# status is part of its contract.
set(scenario_cases "${PROJECT_SOURCE_DIR}/tests/scenario")

add_test(NAME scenario.own_cases COMMAND example_scenario "${scenario_cases}/own_cases.json")
set_tests_properties(scenario.own_cases PROPERTIES
  PASS_REGULAR_EXPRESSION "\n[1-9][0-9]* passed, 0 failed, 0 unsupported\n")

foreach(expected IN ITEMS "1 failing_case.json" "2 refused_case.json" "2 no_such_file.json"
                          "2 own_cases.json --case none" "0 failing_case.json --list"
                          "0 own_cases.json --case O01 --verbose" "2 --unknown")
  string(REPLACE " " ";" words "${expected}")
  list(POP_FRONT words status)
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" name "${expected}")
  add_test(NAME scenario.exit_${name}
    COMMAND sh -c "wanted=$1; shift; \"$@\"; test $? -eq $wanted" sh "${status}"
      "$<TARGET_FILE:example_scenario>" ${words}
    WORKING_DIRECTORY "${scenario_cases}")
  set_property(TEST scenario.exit_${name} PROPERTY LABELS scenario)
endforeach()

set(shared_cases "${BERTH_DATA_DIR}/../cases/cases.json")
if(BERTH_DATA_DIR AND EXISTS "${shared_cases}")
  add_test(NAME scenario.shared_cases COMMAND example_scenario "${shared_cases}")
else()
  add_test(NAME scenario.shared_cases COMMAND sh -c "exit 77")
  set_tests_properties(scenario.shared_cases PROPERTIES SKIP_RETURN_CODE 77)
endif()
set_property(TEST scenario.shared_cases APPEND PROPERTY LABELS data)
set_property(TEST scenario.own_cases scenario.shared_cases APPEND PROPERTY LABELS scenario)
set_property(TEST scenario.own_cases scenario.shared_cases PROPERTY TIMEOUT 120)
