# SPDX-License-Identifier: BSL-1.0
# fuzz/<name>_fuzz.cpp defines LLVMFuzzerTestOneInput. With BERTH_BUILD_FUZZ it becomes a libFuzzer
# program; otherwise a test that replays the committed inputs of fuzz/corpus/<name>/.
file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*_fuzz.cpp)
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
  if(BERTH_BUILD_FUZZ)
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_executable(${name} ${source} fuzz/replay_main.cpp)
    add_test(NAME fuzz.${name} COMMAND ${name} "${corpus}")
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 120)
  endif()
  target_link_libraries(${name} PRIVATE berth_developer berth_test_compositions)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
endforeach()
