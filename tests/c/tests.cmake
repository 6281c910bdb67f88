# SPDX-License-Identifier: BSL-1.0
# The C library: its header as C99 by every compiler that is here, its exported symbols and layouts
# against the committed list.
if(NOT TARGET test_c)
  return()
endif()
target_link_libraries(test_c PRIVATE berth_c_static)

find_program(BERTH_GCC gcc)
find_program(BERTH_CLANG NAMES clang clang-16 clang-14)
mark_as_advanced(BERTH_GCC BERTH_CLANG)
foreach(compiler IN ITEMS GCC CLANG)
  if(BERTH_${compiler})
    string(TOLOWER "c.header_with_${compiler}" name)
    add_test(NAME ${name} COMMAND "${BERTH_${compiler}}" -std=c99 -pedantic -Wall -Wextra -Werror
      "-I${PROJECT_SOURCE_DIR}/include" -fsyntax-only "${CMAKE_CURRENT_SOURCE_DIR}/c/header.c")
    set_tests_properties(${name} PROPERTIES LABELS c TIMEOUT 60)
  endif()
endforeach()

if(TARGET berth_c AND CMAKE_C_COMPILER_LOADED AND CMAKE_NM)
  add_executable(c_layouts c/layouts.c)
  set_target_properties(c_layouts PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
  target_compile_options(c_layouts PRIVATE -pedantic -Wall -Wextra $<$<BOOL:${BERTH_WERROR}>:-Werror>)
  target_include_directories(c_layouts PRIVATE "${PROJECT_SOURCE_DIR}/include")
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  set(check_abi Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/c/check_abi.py")
  add_test(NAME c.abi COMMAND ${check_abi} --nm "${CMAKE_NM}" --library "$<TARGET_FILE:berth_c>"
    --layouts "$<TARGET_FILE:c_layouts>" --soname "$<TARGET_SONAME_FILE_NAME:berth_c>"
    --python-host "${PROJECT_SOURCE_DIR}/examples/python_host.py")
  set_tests_properties(c.abi PROPERTIES LABELS c TIMEOUT 60)
endif()
