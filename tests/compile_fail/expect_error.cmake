# SPDX-License-Identifier: BSL-1.0
# cmake -DCOMPILER= -DCOMPILER_ID= -DOPTIONS=a|b -DSOURCE= -P expect_error.cmake
# Passes when SOURCE does not compile and, for each of its leading lines `// expect-error: REGEX`, a line of
# the diagnostics matches it.
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${SOURCE}" first_lines LIMIT_COUNT 4)
set(expected_count 0)
foreach(line IN LISTS first_lines)
  if(NOT line MATCHES "^// expect-error: (.+)$")
    break()
  endif()
  set(expected_${expected_count} "${CMAKE_MATCH_1}")
  math(EXPR expected_count "${expected_count} + 1")
endforeach()
if(expected_count EQUAL 0)
  message(FATAL_ERROR "harness: the first line of ${SOURCE} is not '// expect-error: REGEX'")
endif()
math(EXPR last_expected "${expected_count} - 1")

string(REPLACE "|" ";" options "${OPTIONS}")
if(COMPILER_ID STREQUAL "GNU")
  list(APPEND options -fconcepts-diagnostics-depth=8)
endif()
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${options} "${SOURCE}"
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "harness: it compiles, and must not")
endif()

# A list separator in the diagnostics would split a line in two; brackets would join two.
string(REGEX REPLACE "[][;]" " " lines "${output}")
string(REPLACE "\n" ";" lines "${lines}")
foreach(number RANGE ${last_expected})
  set(found FALSE)
  foreach(line IN LISTS lines)
    # g++ quotes source as "   12 | text", clang as an unprefixed line: only lines that carry a position
    # or one of the compilers' words are diagnostics.
    if(line MATCHES "^ *[0-9]* \\|" OR NOT line MATCHES "(error|note|required|In instantiation)")
      continue()
    endif()
    # The position names the file, whose name may contain the expected words.
    string(REGEX REPLACE "^[^ ]*:[0-9]+:[0-9]+: " "" line "${line}")
    if(line MATCHES "${expected_${number}}")
      set(found TRUE)
      message(STATUS "${line}")
      break()
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR
      "harness: no line of the compiler's output matches '${expected_${number}}':\n${output}")
  endif()
endforeach()
