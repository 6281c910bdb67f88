# SPDX-License-Identifier: BSL-1.0
# The HTML report in a real browser; skipped, by name, where there is none.
add_executable(sim_write_page sim/html_in_browser/write_page.cpp)
target_link_libraries(sim_write_page PRIVATE berth_developer)
add_test(NAME sim.html_in_browser
  COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/sim/html_in_browser/check.sh"
    "$<TARGET_FILE:sim_write_page>" "${CMAKE_CURRENT_BINARY_DIR}/html_in_browser")
set_tests_properties(sim.html_in_browser PROPERTIES LABELS sim SKIP_RETURN_CODE 77 TIMEOUT 280)
