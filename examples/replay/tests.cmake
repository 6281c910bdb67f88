# SPDX-License-Identifier: BSL-1.0
# What berth-replay promises on its command line.
set(check ${PROJECT_SOURCE_DIR}/tests/sim/check_replay.py)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_FOUND)
  add_test(NAME replay.synthetic COMMAND ${Python3_EXECUTABLE} ${check} $<TARGET_FILE:${target}> synthetic)
  add_test(NAME replay.bad_input COMMAND ${Python3_EXECUTABLE} ${check} $<TARGET_FILE:${target}> bad_input)
  add_test(NAME replay.traces_data
           COMMAND ${Python3_EXECUTABLE} ${check} $<TARGET_FILE:${target}> traces "${BERTH_DATA_DIR}")
  # The whole trace needs release code: .ci/run replays it.
  set_tests_properties(replay.synthetic replay.bad_input replay.traces_data
                       PROPERTIES LABELS example TIMEOUT 240 SKIP_RETURN_CODE 77)
endif()
